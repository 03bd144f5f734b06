// Recipes and directions are recognised, and judged with more caution than other prose.
import { describe, expect, test } from "bun:test";
import { openLight } from "../../model-files.ts";
import { analyzeText, scoreText } from "../analyze.ts";
import { HUMAN, MACHINE } from "../fixtures/samples.ts";
import { blend, caution, flagged } from "../score.ts";
import { HEADS, headsOfTokens } from "../light/model.ts";
import { canonicalise, newTokens } from "./canonical.ts";
import { isDirections } from "./directions.ts";

const light = await openLight();
const tokens = newTokens();
const read = (text: string) => {
  canonicalise(text, tokens);
  return isDirections(tokens);
};

const RECIPE =
  "My aunt made this soup every Friday. Peel two onions and chop them small. Melt a knob of butter in a big pot and let the onions go soft. " +
  "Pour in the broth, then add three carrots. Stir now and again so nothing catches. Taste it before you salt it, the broth is salty enough. " +
  "Simmer it for half an hour with the lid on. Mash it roughly with a fork, we never had a machine for that. Serve it with brown bread, and " +
  "keep some for Saturday, when it is better. Freeze what is left in small tubs. Warm it slowly or the cream will split.";
const STEPS =
  "Turn off the water under the sink. Open the tap and let it run dry. Take the handle off with a small screwdriver. Remove the old washer, it is black " +
  "and usually torn. Clean the seat with a rag. Put the new washer in, flat side down. Tighten the nut by hand first. Use the wrench only for the last " +
  "quarter turn. Turn the water on again and watch for drips. Wait ten minutes. Check once more before you put the tools away and close the door.";

describe("recognised", () => {
  test("a recipe told in prose", () => expect(read(RECIPE)).toBe(true));
  test("steps of a repair", () => expect(read(STEPS)).toBe(true));
  test("other prose is not", () => {
    expect(read(HUMAN)).toBe(false);
    expect(read(MACHINE)).toBe(false);
    expect(read("")).toBe(false);
  });
});

describe("judged with caution", () => {
  test("the score is lowered by the distance from the 1 % threshold to the one of 0.2 %, and the answer says so", () => {
    const heads = new Float64Array(HEADS);
    canonicalise(RECIPE, tokens);
    headsOfTokens(light, tokens, heads);
    const scored = scoreText(light, RECIPE);
    expect(scored.logit).toBeCloseTo(blend(heads) - caution(scored.words), 9);
    expect(flagged("0.01", scored.logit, scored.words)).toBe(flagged("0.002", blend(heads), scored.words));
    const answer = analyzeText(light, RECIPE, { point: "0.01", segments: false });
    expect(answer.signals.map((signal) => signal.name)).toContain("directions");
  });

  test("other prose keeps its score", () => {
    expect(scoreText(light, MACHINE).isDirections).toBe(false);
    const answer = analyzeText(light, MACHINE, { point: "0.01", segments: false });
    expect(answer.signals.map((signal) => signal.name)).not.toContain("directions");
  });
});
