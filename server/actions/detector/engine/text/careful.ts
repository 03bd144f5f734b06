// Recognises the kinds of writing that the detector errs on most when it never met their like: recipes and directions, of which
// the training data has hardly any by people, and guidance that speaks to a reader or for an organisation (manuals, handbooks,
// policies). A text of such a kind has to pass a higher threshold.
import { FIRST_PERSON, PLURAL_PERSON, SECOND_PERSON, THIRD_PERSON } from "../light/words.ts";
import { canonicalise, newTokens, type Tokens } from "./canonical.ts";

export type CarefulKind = "directions" | "guidance";

const ORDERS =
  "add apply ask attach avoid bake be begin boil bring brush build buy call change check choose chop clean click " +
  "close combine connect consider cook cool copy cover create cut decide do don't drain draw drop enjoy ensure " +
  "enter explain fill find finish fold follow freeze get give go grab heat hold include insert install join keep " +
  "lay learn leave let lift list locate look make mark mash measure melt mix move open pack paint peel pick place " +
  "plan pour practice preheat prepare press pull push put read record reduce remember remove repeat replace rinse " +
  "roll rub run save season select send separate serve set shake share show sift simmer spread sprinkle squeeze " +
  "stand start stir stop strain take tap taste tell test think tie tighten transfer try turn type use visit wait " +
  "walk warm wash watch wear whisk wipe work wrap write";
const KITCHEN =
  "bake baking batter boil bowl broth butter chop chopped cinnamon cook cooked cooking cream cup cups diced dough " +
  "flour fridge garlic grams grated ingredients minced oil onion oven pan parsley peeled pepper pinch pot preheat " +
  "recipe salt sauce saucepan serve servings simmer skillet sliced spoon sprinkle stir sugar tablespoon " +
  "tablespoons tbsp teaspoon teaspoons tsp vanilla whisk yeast";
const MAX_TOKENS = 1_500;
const MIN_SENTENCES = 5;
const ORDER_SHARE = 0.25;
const KITCHEN_SHARE = 0.03;
/** Guidance says "you" at this rate and hardly ever "I", or "you" and "we" at this rate and twice as often as "I", "they" and "it". */
const GUIDANCE = { you: 0.015, i: 0.005, youAndWe: 0.02, timesOthers: 2 };

/** What a word counts towards; one look-up a word. */
const ORDER = 1;
const COOKING = 2;
const I = 4;
const YOU = 8;
const WE = 16;
const OTHERS = 32;
const kinds = new Map<number, number>();
addKind(ORDERS, ORDER);
addKind(KITCHEN, COOKING);
addKind(FIRST_PERSON.join(" "), I);
addKind(SECOND_PERSON.join(" "), YOU);
addKind(PLURAL_PERSON.join(" "), WE);
addKind(THIRD_PERSON.join(" "), OTHERS);

function addKind(words: string, kind: number): void {
  const tokens = newTokens();
  canonicalise(words, tokens);
  for (const hash of tokens.hashes.subarray(0, tokens.count)) kinds.set(hash, (kinds.get(hash) ?? 0) | kind);
}

/** The kind of a text that is judged with caution, or null. */
export function carefulKind(t: Tokens): CarefulKind | null {
  const count = Math.min(t.count, MAX_TOKENS);
  let [words, sentences, orders, cooking, i, you, we, others] = [0, 0, 0, 0, 0, 0, 0, 0];
  let isStart = true;
  for (let at = 0; at < count; at++) {
    if (t.isWord[at] === 0) {
      isStart ||= ENDS.has(t.bytes[t.starts[at]]);
      continue;
    }
    words++;
    if (isStart) sentences++;
    const kind = kinds.get(t.hashes[at]);
    if (kind !== undefined) {
      if (isStart && kind & ORDER) orders++;
      if (kind & COOKING) cooking++;
      if (kind & I) i++;
      else if (kind & YOU) you++;
      else if (kind & WE) we++;
      else if (kind & OTHERS) others++;
    }
    isStart = false;
  }
  const isDirections =
    (sentences >= MIN_SENTENCES && orders > ORDER_SHARE * sentences) || cooking > KITCHEN_SHARE * words;
  if (isDirections) return "directions";
  const speaksToReader = you > GUIDANCE.you * words && i < GUIDANCE.i * words;
  const speaksForMany = you + we > GUIDANCE.youAndWe * words && you + we > GUIDANCE.timesOthers * (i + others);
  return speaksToReader || speaksForMany ? "guidance" : null;
}

const ENDS = new Set([...".!?:;"].map((mark) => mark.charCodeAt(0)));
