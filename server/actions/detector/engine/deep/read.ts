// Reads a text with the deep network: at most two windows of 512 word pieces, their logits averaged.
import { canonicalise, newTokens } from "../text/canonical.ts";
import { type DeepNetwork, MAX_PIECES } from "./network.ts";
import type { Pieces } from "./pieces.ts";

const MAX_WINDOWS = 2;
const MIN_PIECES = 150;
const ids = new Uint16Array(MAX_PIECES * MAX_WINDOWS);
const tokens = newTokens();

export function deepLogit({ network, pieces }: { network: DeepNetwork; pieces: Pieces }, text: string): number {
  canonicalise(text, tokens, 1_200);
  const count = pieces.encode(tokens, ids, ids.length);
  let sum = network.logit(ids, count);
  let windows = 1;
  for (let at = MAX_PIECES; at + MIN_PIECES <= count; at += MAX_PIECES) {
    sum += network.logit(ids.subarray(at), count - at);
    windows++;
  }
  return sum / windows;
}
