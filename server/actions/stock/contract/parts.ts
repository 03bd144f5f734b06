// Parts that several shapes of stock share.
import Type from "typebox";
import { alsoAs, asLowerCase } from "../../../contract/shorthand.ts";

export const SymbolText = () =>
  Type.String({
    minLength: 1,
    maxLength: 32,
    description:
      "Any common form: AAPL, BRK.B, BRK-B, VOD.L, NYSE:BRK.B, AAPL:US, VOD LN, an ISIN, CUSIP or FIGI; BTC-USD, EUR/USD, ^GSPC, ES=F.",
    examples: ["AAPL"],
  });

/** A market's name as people write it, in any case of letters. */
export const Market = (description = "ISO 10383 market code, or a usual name such as NYSE.") =>
  alsoAs(
    Type.String({ pattern: "^[A-Z0-9]{2,14}$", description, examples: ["XNYS"] }),
    asLowerCase("^[A-Za-z0-9]{2,14}$"),
  );

/** Where symbols without a market are meant to trade. */
export const place = {
  country: Type.Optional(
    alsoAs(
      Type.String({
        pattern: "^[A-Z]{2}$",
        description: "ISO 3166 country code: the lines of this country are meant.",
        examples: ["US"],
      }),
      asLowerCase("^[A-Za-z]{2}$"),
    ),
  ),
  mic: Type.Optional(
    Market(
      "ISO 10383 market code, or a usual name such as NYSE: the line of this market is meant where a symbol names none.",
    ),
  ),
};
