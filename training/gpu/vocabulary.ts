// Chooses the 16,384 pieces of BERT's list that the texts need most; single characters are always among them.
// usage: bun training/gpu/vocabulary.ts DATA BERT_VOCABULARY OUT
import { canonicalise, newTokens } from "../../server/actions/detector/engine/text/canonical.ts";
import { readTraining } from "../rows.ts";
import { Pieces } from "./pieces.ts";

const SIZE = 16_384;
const SPECIAL = ["[PAD]", "[MASK]", "[UNK]"];
const EVERY = 4;
const MAX_PIECES = 2_000;

const [data, bert, out] = process.argv.slice(2);
const isPlain = (piece: string) => /^(##)?[a-z0-9]+$/.test(piece) || /^[!-~]$/.test(piece);
const isSingle = (piece: string) => /^(##)?.$/.test(piece);
const list = [...SPECIAL, ...(await Bun.file(bert).text()).split("\n").filter(isPlain)];
const pieces = new Pieces(list.join("\n"));
const counts = new Float64Array(list.length);
const tokens = newTokens();
const ids = new Uint16Array(MAX_PIECES);
readTraining(data).forEach((row, i) => {
  if (i % EVERY !== 0) return;
  canonicalise(row.text, tokens);
  const count = pieces.encode(tokens, ids, MAX_PIECES);
  for (let k = 0; k < count; k++) counts[ids[k]]++;
});
const rank = (i: number) => (isSingle(list[i]) ? Number.MAX_SAFE_INTEGER : counts[i]);
const chosen = list
  .map((_, i) => i)
  .slice(SPECIAL.length)
  .sort((a, b) => rank(b) - rank(a))
  .slice(0, SIZE - SPECIAL.length);
await Bun.write(out, `${[...SPECIAL, ...chosen.map((i) => list[i])].join("\n")}\n`);
