// `connector quote SYMBOL…`: quotes as a table, and every new price as it comes.
import type { StockQuote } from "../../../sdks/typescript/src/index.ts";
import { type Command, EXIT, UsageError } from "../command.ts";
import { usageOf } from "../help.mjs";
import { connect } from "./connection.ts";
import { follow, readLimit } from "./follow.ts";
import { clockTime, paint, plain, printJson, printTable } from "./terminal.ts";

const HEADS = ["SYMBOL", "PRICE", "", "CHANGE", "MARKET", "DATA", "NAME"];

export const quote: Command = async (input) => {
  const { words, flags } = input;
  const symbols = words.flatMap((word) => word.split(",")).filter(Boolean);
  if (symbols.length === 0) throw new UsageError(`Which symbol? Hint: connector quote AAPL\n${usageOf("quote")}`);
  const client = connect(input);
  const limit = readLimit(flags.limit);
  if (flags.follow) {
    await follow(client.stock.stream({ symbols: symbols.join(",") }), ({ data }) => showTick(data, flags), limit);
    return;
  }
  const answer = await client.stock.quote({ symbols });
  if (flags.json) printJson(answer);
  else
    printTable(
      HEADS,
      answer.results.map((one) =>
        one.ok ? rowOf(one.quote) : [one.requested, "", "", "", "", one.error.code, one.error.message],
      ),
      "No quote.",
    );
  return answer.results.every((one) => one.ok) ? EXIT.done : EXIT.failed;
};

function rowOf({ symbol, last, currency, change, market, data, instrument }: StockQuote): unknown[] {
  const moved = change ? `${change.percent.startsWith("-") ? "" : "+"}${change.percent} %` : "";
  return [
    symbol,
    last?.price ?? "",
    currency ?? "",
    moved,
    market?.state ?? "",
    data.stale ? "stale" : data.delivery,
    instrument?.name ?? "",
  ];
}

function showTick(data: StockQuote, flags: Record<string, string>): void {
  if (flags.json) return printJson(data);
  const [symbol, price, currency, moved, , kind] = rowOf(data).map(plain);
  const colour = moved.startsWith("-") ? "red" : "green";
  console.log(
    `${paint("dim", clockTime(data.data.served_at))}  ${symbol}  ${price} ${currency}  ${paint(colour, moved)}  ${kind}`,
  );
}
