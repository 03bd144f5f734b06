// Every parser of foreign bytes is linear: four times the text takes at most 4.5 times the steps, on every hostile shape. Steps
// are counted, not timed.
import { beforeAll, describe, test } from "bun:test";
import { hostileShapes } from "../../../../tests/hostile-shapes.ts";
import { expectLinear } from "../../../../tests/linear.ts";
import { countStepsIn } from "../../../../tests/steps.ts";

countStepsIn(/\/shopping\/engine\/.*\.ts$/);

const URL_OF_PAGE = "https://shop.example/p/1";

const parsers: Record<string, (text: string) => unknown> = {};
beforeAll(async () => {
  const { scan } = await import("./html/scan.ts");
  const { extractPage } = await import("./page/extract.ts");
  const { selectText } = await import("./page/select.ts");
  const { parsePrice } = await import("./price/parse.ts");
  const { decodeRobots, isAllowed, parseRobots } = await import("./robots/robots.ts");
  const { parseScript } = await import("./structured/json-ld.ts");
  parsers["html scan"] = (text) => scan(text, false);
  parsers["loose JSON"] = (text) => parseScript(text.replace('<script type="application/ld+json">', ""));
  parsers["robots.txt"] = (text) =>
    isAllowed(parseRobots(decodeRobots(Buffer.from(text))), "ActionConnector", `${URL_OF_PAGE}?a=${"a".repeat(200)}`);
  parsers["price"] = (text) => parsePrice(text);
  parsers["selector"] = (text) => selectText(scan(text, false), "main div.a > span[class~=price] b, #none i");
  parsers["page"] = (text) =>
    extractPage({
      bytes: Buffer.from(text),
      url: URL_OF_PAGE,
      contentType: "text/html",
      variant: "a",
      selector: ".none",
    });
});

describe.each(["html scan", "loose JSON", "robots.txt", "price", "selector", "page"])("%s", (name) => {
  test.each(hostileShapes.map((shape) => [shape.name, shape] as const))(
    "%s",
    (_, shape) => expectLinear(parsers[name]!, shape),
    120_000,
  );
});
