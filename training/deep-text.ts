// Writes the canonical text of a sample of the rows, one document a line: what the word pieces are learnt from.
// usage: bun training/deep-text.ts DATA OUT
import { canonicalise, canonicalText, newTokens } from "../server/actions/detector/engine/text/canonical.ts";
import { readSet } from "./rows.ts";

const [data, out] = process.argv.slice(2);
const tokens = newTokens();
const file = Bun.file(out).writer();
for (const set of ["train", "more_human", "more_ai"]) {
  readSet(data, set).forEach((row, i) => {
    if (i % 3 !== 0) return;
    canonicalise(row.text, tokens, 400);
    file.write(`${canonicalText(tokens)}\n`);
  });
}
await file.end();
