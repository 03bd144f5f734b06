// Trains the light model and the models that leave sources out, and keeps every head's logit for calibration.
// usage: bun training/light.ts DATA OUT fold 0|1|2|3 | final | scrambled
import { join } from "node:path";
import { HEADS, headsOfTokens, packLight, unpackLight } from "../server/actions/detector/engine/light/model.ts";
import { canonicalise, newTokens } from "../server/actions/detector/engine/text/canonical.ts";
import { seededRandom } from "../server/lib/random.ts";
import { assignFolds, unitOf } from "./folds.ts";
import { DEFAULTS, trainLight } from "./light-train.ts";
import { readSet, type Row } from "./rows.ts";

const [data, out, what, which] = process.argv.slice(2);
const training = [...readSet(data, "train"), ...readSet(data, "more_human"), ...readSet(data, "more_ai")];
const dev = readSet(data, "dev");
const folds = assignFolds(training);
if (what === "scrambled") scramble(training);
const fold = what === "fold" ? Number(which) : -1;
const seen = training.filter((row) => folds.get(unitOf(row)) !== fold);
const unseen = fold < 0 ? dev : training.filter((row) => folds.get(unitOf(row)) === fold);

const draws = what === "scrambled" ? 60_000 : DEFAULTS.draws;
const float = trainLight(seen, { ...DEFAULTS, draws });
const packed = packLight(float);
const name = what === "fold" ? `fold-${fold}` : what;
if (what === "final") await Bun.write(join(out, "light.bin"), packed);

const shipped = unpackLight(packed);
const tokens = newTokens();
const heads = new Float64Array(HEADS);
const floatHeads = new Float64Array(HEADS);
let widest = 0;
const lines: string[] = [];
for (const row of unseen) {
  canonicalise(row.text, tokens);
  headsOfTokens(shipped, tokens, heads);
  headsOfTokens(float, tokens, floatHeads);
  for (let h = 0; h < HEADS; h++) widest = Math.max(widest, Math.abs(heads[h] - floatHeads[h]));
  const { id, ai, domain, source, generator, genre, variant } = row;
  lines.push(
    JSON.stringify({
      id,
      ai,
      domain,
      source,
      generator,
      genre,
      variant,
      fold,
      words: tokens.words,
      unit: unitOf(row),
      heads: Array.from(heads, (x) => +x.toFixed(5)),
    }),
  );
}
await Bun.write(join(out, `${name}.jsonl`), `${lines.join("\n")}\n`);
console.log(
  `${name}: trained on ${seen.length}, scored ${unseen.length}; int8 moves a head by at most ${widest.toExponential(2)}`,
);

/** The control: labels dealt out anew to whole groups. A model that still scores has found a leak in the procedure. */
function scramble(rows: Row[]): void {
  const random = seededRandom(99);
  const dealt = new Map<string, number>();
  for (const row of rows) {
    const ai = dealt.get(row.group) ?? dealt.set(row.group, random.unit() < 0.5 ? 1 : 0).get(row.group)!;
    row.ai = ai;
    row.label = ai ? "ai" : "human";
  }
}
