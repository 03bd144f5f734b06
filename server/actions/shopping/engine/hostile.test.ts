// Every parser of foreign bytes is linear: four times the text takes at most 4.5 times the steps, on every hostile shape. Steps
// are counted, not timed.
import { beforeAll, describe, expect, test } from "bun:test";
import { hostileShapes } from "../../../../tests/hostile-shapes.ts";
import { countStepsIn, stepsIn } from "../../../../tests/steps.ts";

countStepsIn(/\/shopping\/engine\/.*\.ts$/);

/** Where a limit of the parser (nesting, rules) makes the cost linear only later, the next size decides. */
const SIZES = [12_500, 50_000, 200_000];
/** Measures every size, also where a smaller one has decided; takes minutes. */
const MEASURES_ALL = process.env.SHOPPING_HOSTILE_FULL === "1";
const GROWTH_MAX = 4.5;
/** More steps for each character than this are a fault of their own. */
const STEPS_PER_CHARACTER_MAX = 400;
/** What a parser does once, whatever the text. */
const FIXED_STEPS = 20_000;
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
    (_, shape) => {
      const steps: number[] = [];
      for (const size of SIZES) {
        const text = shape.make(size);
        steps.push(stepsIn(() => parsers[name]!(text), FIXED_STEPS + text.length * STEPS_PER_CHARACTER_MAX));
        if (isLinear(steps) && !MEASURES_ALL) break;
      }
      expect([steps, isLinear(steps)]).toEqual([steps, true]);
    },
    120_000,
  );
});

const isLinear = (steps: number[]): boolean =>
  steps.length > 1 && steps.at(-1)! <= GROWTH_MAX * Math.max(steps.at(-2)!, FIXED_STEPS);
