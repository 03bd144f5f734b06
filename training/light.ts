// Trains the light model and the models that leave families and makers out, and keeps every head's logit for calibration.
// usage: bun training/light.ts DATA OUT JOB…        (JOB: the number of a fold, final or scrambled)
import { existsSync } from "node:fs";
import { join } from "node:path";
import { HEADS, headsOfTokens, packLight, unpackLight } from "../server/actions/detector/engine/light/model.ts";
import { canonicalise, newTokens } from "../server/actions/detector/engine/text/canonical.ts";
import { seededRandom } from "../server/lib/random.ts";
import { assignFolds, type Folds } from "./folds.ts";
import { DEFAULTS, trainLight } from "./light-train.ts";
import { readSet, readTraining, type Row } from "./rows.ts";

const SCRAMBLED_DRAWS = 60_000;

const [data, out, ...jobs] = process.argv.slice(2);
// A job that is done is kept, so a run that was stopped goes on where it was, and others may take jobs off it.
const open = jobs.filter((job) => !existsSync(fileOf(job)));
const training = open.length > 0 ? readTraining(data) : [];
const folds = assignFolds(training);
for (const job of open) await runJob(job);

function fileOf(job: string): string {
  return join(out, /^\d$/.test(job) ? `fold-${job}.jsonl` : `${job}.jsonl`);
}

async function runJob(job: string): Promise<void> {
  const fold = /^\d$/.test(job) ? Number(job) : -1;
  if (job === "scrambled") scramble(training);
  const isLeftOut = (row: Row) => fold >= 0 && (folds.byFamily(row) === fold || folds.byMaker(row) === fold);
  const seen = training.filter((row) => !isLeftOut(row));
  const unseen = fold < 0 ? readSet(data, "dev") : training.filter(isLeftOut);
  const draws = job === "scrambled" ? SCRAMBLED_DRAWS : Number(process.env.DRAWS ?? DEFAULTS.draws);
  const packed = packLight(trainLight(seen, { ...DEFAULTS, draws }));
  if (job === "final") await Bun.write(join(out, "light.bin"), packed);
  await Bun.write(fileOf(job), `${scoreRows(packed, unseen, folds, fold).join("\n")}\n`);
  console.log(`${job}: trained on ${seen.length}, scored ${unseen.length}`);
}

/** Scores with the packed weights, as the service does. */
function scoreRows(packed: Uint8Array, rows: Row[], { byFamily, byMaker }: Folds, fold: number): string[] {
  const shipped = unpackLight(packed);
  const tokens = newTokens();
  const heads = new Float64Array(HEADS);
  return rows.map((row) => {
    canonicalise(row.text, tokens);
    headsOfTokens(shipped, tokens, heads);
    const { id, ai, domain, source, family, maker, generator, genre, variant } = row;
    const [family_out, maker_out] = [byFamily(row) === fold, byMaker(row) === fold];
    const origin = { id, ai, domain, source, family, maker, generator, genre, variant, fold, family_out, maker_out };
    return JSON.stringify({ ...origin, words: tokens.words, heads: Array.from(heads, (x) => +x.toFixed(5)) });
  });
}

/**
 * The control: labels dealt out anew to whole groups. A model that still scores has found a leak in the procedure. Maker and
 * variant follow the dealt label: the weights count them, and would else favour true AI texts among those dealt as AI.
 */
function scramble(rows: Row[]): void {
  const random = seededRandom(99);
  const dealt = new Map<string, number>();
  for (const row of rows) {
    const ai = dealt.get(row.group) ?? dealt.set(row.group, random.unit() < 0.5 ? 1 : 0).get(row.group)!;
    row.ai = ai;
    row.label = ai ? "ai" : "human";
    row.maker = ai ? row.source : "human";
    row.variant = null;
  }
}
