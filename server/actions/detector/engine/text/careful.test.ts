// Recipes, directions and guidance are recognised, and judged with more caution than other prose.
import { describe, expect, test } from "bun:test";
import { openLight } from "../../model-files.ts";
import { analyzeText, scoreText } from "../analyze.ts";
import { HUMAN, MACHINE } from "../fixtures/samples.ts";
import { blend, caution, flagged } from "../score.ts";
import { HEADS, headsOfTokens } from "../light/model.ts";
import { canonicalise, newTokens } from "./canonical.ts";
import { carefulKind } from "./careful.ts";

const light = await openLight();
const tokens = newTokens();
const read = (text: string) => {
  canonicalise(text, tokens);
  return carefulKind(tokens);
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
const GUIDE =
  "Before your first week ends, somebody from the records office will ask which building you work in. The form is short, but the code of the building is printed only " +
  "on the back of the door card. If you share a desk, the code of the shared room counts. You can change it later without asking anyone, although the old room stays " +
  "on the payslip until the next month. When you leave for more than four weeks, hand the card in at the desk on the ground floor.";
const POLICY =
  "Our office keeps the names of visitors for thirty days. We store them on paper in a locked drawer, and the drawer is emptied every month. The council has asked us " +
  "twice to keep a copy for longer. We declined both times, since our own rules forbid it. Requests from the police go to the head of the office, and we answer within " +
  "three days. Complaints about our practice may be sent to the district, where a clerk with no tie to the office reads them first.";
const LETTER =
  "I wanted to write to you before the snow closes the road. I have been walking to the mill most mornings, and I think of how you hated that path. My knee is better. " +
  "I saw your brother at the market and he asked after you, and I told him you were well, which I hope is true. I will send the books when I find a box.";

describe("recognised", () => {
  test("a recipe told in prose", () => expect(read(RECIPE)).toBe("directions"));
  test("steps of a repair", () => expect(read(STEPS)).toBe("directions"));
  test("a guide that speaks to its reader, and a policy that speaks for an organisation", () => {
    expect(read(GUIDE)).toBe("guidance");
    expect(read(POLICY)).toBe("guidance");
  });
  test("a letter in which I and you both speak is not guidance", () => expect(read(LETTER)).toBe(null));
  test("other prose is not", () => {
    expect(read(HUMAN)).toBe(null);
    expect(read(MACHINE)).toBe(null);
    expect(read("")).toBe(null);
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
    expect(scoreText(light, MACHINE).careful).toBe(null);
    const answer = analyzeText(light, MACHINE, { point: "0.01", segments: false });
    expect(answer.signals.map((signal) => signal.name)).not.toContain("directions");
  });
});
