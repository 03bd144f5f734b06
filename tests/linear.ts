// Whether a parser is linear: four times the text takes at most 4.5 times the steps. Steps are counted, not timed.
import { expect } from "bun:test";
import type { HostileShape } from "./hostile-shapes.ts";
import { stepsIn } from "./steps.ts";

/**
 * CONNECTOR_TEST_HOSTILE=shapes gives every parser every shape, which takes minutes; =full also measures every size up to
 * 800 kB where a smaller one has decided, which takes an hour.
 */
const FORM = process.env.CONNECTOR_TEST_HOSTILE;
const IS_FULL = FORM === "full";
export const HAS_ALL_SHAPES = IS_FULL || FORM === "shapes";
/** Where a limit of the parser (nesting, rules) makes the cost linear only later, the next size decides. */
const SIZES = IS_FULL ? [50_000, 200_000, 800_000] : [12_500, 50_000, 200_000, 800_000];
const GROWTH_MAX = 4.5;
/** More steps for each character than this are a fault of their own. */
const STEPS_PER_CHARACTER_MAX = 400;
/** What a parser does once, whatever the text. */
const FIXED_STEPS = 20_000;

const isLinear = (steps: number[]): boolean =>
  steps.length > 1 && steps.at(-1)! <= GROWTH_MAX * Math.max(steps.at(-2)!, FIXED_STEPS);

export function expectLinear(parse: (text: string) => unknown, shape: HostileShape): void {
  const steps: number[] = [];
  for (const size of SIZES) {
    const text = shape.make(size);
    steps.push(stepsIn(() => quietly(parse, text), FIXED_STEPS + text.length * STEPS_PER_CHARACTER_MAX));
    if (isLinear(steps) && !IS_FULL) break;
  }
  expect([steps, isLinear(steps)]).toEqual([steps, true]);
}

/** A refusal is an answer; running out of steps is not. */
function quietly(parse: (text: string) => unknown, text: string): void {
  try {
    parse(text);
  } catch (error) {
    const { name } = (error as Error).constructor;
    if (name === "TooManySteps" || name === "RangeError") throw error;
  }
}
