// Fits the blend of heads, the calibration and the operating points on texts whose family or maker the model never met.
// usage: bun training/calibrate.ts DATA FOLDER        (holds fold-N.jsonl and final.jsonl; gets calibration.json and report.json)
import { existsSync } from "node:fs";
import { join } from "node:path";
import { canonicalise, newTokens } from "../server/actions/detector/engine/text/canonical.ts";
import { carefulKind } from "../server/actions/detector/engine/text/careful.ts";
import { seededRandom } from "../server/lib/random.ts";
import { FOLD_COUNT } from "./folds.ts";
import { readSet, readTraining } from "./rows.ts";
import { auroc, calibrationError, dot, fitLogistic, sigmoid, upperQuantile } from "./statistics.ts";

interface Scored {
  id: string;
  ai: number;
  family: string;
  source: string;
  genre: string;
  maker: string;
  fold: number;
  family_out: boolean;
  maker_out: boolean;
  words: number;
  heads: number[];
  logit: number;
  /** Judged with caution, as the service does: at 1 % it is flagged only where others are at 0.2 %. */
  careful: boolean;
}

const MIN_WORDS = 75;
/** The least words of each length bucket: the more there is to judge, the lower the threshold may be. */
const EDGES = [75, 130, 220, 380, 600, 900, 1_500];
const POINTS = [0.002, 0.005, 0.01, 0.05];
/** Each point is set below its nominal rate, because the next unseen source may be worse than those we have. */
const MARGIN = 0.75;
/** No family has more of the weight of a threshold than this. */
const MAX_FAMILY_SHARE = 0.05;
/** A threshold needs so many human texts above it; a bucket with fewer borrows from the shorter one. */
const MIN_TEXTS_ABOVE = 4;
const RESAMPLES = 400;
/** The score of a text judged with caution is lowered by the distance between these two points, as in the engine's score.ts. */
const CAUTION = { at: 0.002, instead: 0.01 };

const [data, folder] = process.argv.slice(2);
const careful = carefulTexts();
const trained = Array.from({ length: FOLD_COUNT }, (_, fold) => fold).filter((fold) =>
  existsSync(join(folder, `fold-${fold}.jsonl`)),
);
if (trained.length < FOLD_COUNT) console.warn(`calibrated on folds ${trained.join(", ")} only`);
const leftOut = (await Promise.all(trained.map((fold) => read(`fold-${fold}`)))).flat();
const development = await read("final");

const cells = countBy(leftOut, cellOf);
const labelTotals = [0, 0];
for (const row of leftOut) labelTotals[row.ai] += 1 / Math.sqrt(cells.get(cellOf(row))!);
const weights = leftOut.map((row) => 1 / Math.sqrt(cells.get(cellOf(row))!) / labelTotals[row.ai]);
const blend = fitLogistic(
  leftOut.map((row) => row.heads),
  leftOut.map((row) => row.ai),
  weights,
);
for (const row of [...leftOut, ...development]) row.logit = dot(blend, [...row.heads, 1]);

const human = leftOut.filter((row) => row.ai === 0);
/** Thresholds are set on what they hold for: texts judged with caution have their own rule and would raise them for all others. */
const plain = human.filter((row) => !row.careful);
const thresholds = Object.fromEntries(POINTS.map((point) => [point, EDGES.map((_, b) => thresholdOf(point, b))]));
const platt = fitPlatt();
const measured = { "left out": measure(leftOut), development: measure(development) };
const bounds = Object.fromEntries(POINTS.map((point) => [point, boundOf(point)]));
const calibrated_on = EDGES.map((_, b) => plain.filter((row) => bucketOf(row.words) === b).length);
const shipped = { blend, platt, edges: EDGES, thresholds, calibrated_on, bounds, measured };
await Bun.write(join(folder, "calibration.json"), `${JSON.stringify(shipped, null, 1)}\n`);
const report = { measured, bounds, pooled: pooledReport(), at_1_percent: rates() };
await Bun.write(join(folder, "report.json"), `${JSON.stringify(report, null, 1)}\n`);
console.log(JSON.stringify({ measured, bounds, ...report.pooled.summary }, null, 1));

async function read(name: string): Promise<Scored[]> {
  const lines = (await Bun.file(join(folder, `${name}.jsonl`)).text()).trim().split("\n");
  const rows = lines.map((line) => JSON.parse(line) as Scored).filter((row) => row.words >= MIN_WORDS);
  for (const row of rows) row.careful = careful.has(row.id);
  return rows;
}

function carefulTexts(): Set<string> {
  const tokens = newTokens();
  const isCareful = (row: { text: string }) => {
    canonicalise(row.text, tokens);
    return carefulKind(tokens) !== null;
  };
  return new Set([...readTraining(data), ...readSet(data, "dev")].filter(isCareful).map((row) => row.id));
}

function cellOf(row: Scored): string {
  return `${row.family} ${row.maker} ${row.ai}`;
}

function countBy<T>(rows: T[], keyOf: (row: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(keyOf(row), (counts.get(keyOf(row)) ?? 0) + 1);
  return counts;
}

function bucketOf(words: number): number {
  let b = 0;
  while (b + 1 < EDGES.length && words >= EDGES[b + 1]) b++;
  return b;
}

function thresholdOf(point: number, bucket: number): number {
  let lowest = bucket;
  const texts = () => plain.filter((row) => bucketOf(row.words) <= bucket && bucketOf(row.words) >= lowest);
  while (lowest > 0 && texts().length * point * MARGIN < MIN_TEXTS_ABOVE) lowest--;
  const rows = texts();
  return upperQuantile(
    rows.map((row) => row.logit),
    cappedWeights(rows),
    point * MARGIN,
  );
}

function cappedWeights(rows: Scored[]): number[] {
  const sizes = countBy(rows, (row) => row.family);
  return rows.map((row) => Math.min(1, (MAX_FAMILY_SHARE * rows.length) / sizes.get(row.family)!));
}

/** On the left-out texts and the development set together, as halves. */
function fitPlatt(): number[] {
  const rows = [...leftOut, ...development];
  const even = [...weights.map((w) => w / 4), ...development.map(() => 1 / (2 * development.length))];
  return fitLogistic(
    rows.map((row) => [row.logit]),
    rows.map((row) => row.ai),
    even,
    1e-9,
  );
}

function isFlagged(row: Scored, point: number): boolean {
  const bucket = bucketOf(row.words);
  const lowered = row.careful ? thresholds[CAUTION.at][bucket] - thresholds[CAUTION.instead][bucket] : 0;
  return row.logit - lowered > thresholds[point][bucket];
}

function rate(rows: Scored[], test: (row: Scored) => boolean): number {
  return Math.round((1e4 * rows.filter(test).length) / Math.max(1, rows.length)) / 1e4;
}

function measure(rows: Scored[]) {
  const [people, machines] = [rows.filter((row) => row.ai === 0), rows.filter((row) => row.ai === 1)];
  const labels = rows.map((row) => row.ai);
  const round = (x: number) => Math.round(1e4 * x) / 1e4;
  const points = POINTS.map((point) => {
    const test = (row: Scored) => isFlagged(row, point);
    return [point, { fpr: rate(people, test), tpr: rate(machines, test) }];
  });
  return {
    human: people.length,
    ai: machines.length,
    auroc: round(
      auroc(
        rows.map((row) => row.logit),
        labels,
      ),
    ),
    ece: round(
      calibrationError(
        rows.map((row) => sigmoid(platt[0] * row.logit + platt[1])),
        labels,
      ),
    ),
    points: Object.fromEntries(points),
  };
}

/** The 95th percentile of the false positive rate when whole families are drawn anew: texts of one family err together. */
function boundOf(point: number): number {
  const random = seededRandom(11);
  const families = [...Map.groupBy(human, (row) => row.family).values()].map((rows) => ({
    flagged: rows.filter((row) => isFlagged(row, point)).length,
    texts: rows.length,
  }));
  const rates = Array.from({ length: RESAMPLES }, () => {
    const drawn = families.map(() => families[Math.floor(random.unit() * families.length)]);
    return drawn.reduce((sum, f) => sum + f.flagged, 0) / drawn.reduce((sum, f) => sum + f.texts, 0);
  }).sort((a, b) => a - b);
  return Math.ceil(1e4 * rates[Math.floor(0.95 * RESAMPLES)]) / 1e4;
}

/** Human texts flagged at the service's own 1 % point, by source and by genre, worst first. */
function rates() {
  const by = (keyOf: (row: Scored) => string) => table(human, keyOf, (row) => isFlagged(row, 0.01)).reverse();
  const entries = (list: ReturnType<typeof by>) => Object.fromEntries(list);
  return { human_by_source: entries(by((row) => row.source)), human_by_genre: entries(by((row) => row.genre)) };
}

/** The rate of each group of at least 30 texts, least first. */
function table(rows: Scored[], keyOf: (row: Scored) => string, test: (row: Scored) => boolean) {
  return [...Map.groupBy(rows, keyOf)]
    .filter(([, list]) => list.length >= 30)
    .map(([key, list]) => [key, { texts: list.length, rate: rate(list, test) }] as const)
    .sort((a, b) => a[1].rate - b[1].rate);
}

/** Found AI texts at one threshold for all lengths, the one that flags 1 % of all left-out human texts. */
function pooledReport() {
  const threshold = upperQuantile(
    human.map((row) => row.logit),
    human.map(() => 1),
    0.01,
  );
  const found = (row: Scored) => row.logit > threshold;
  const machines = leftOut.filter((row) => row.ai === 1);
  const byFold = (test: (row: Scored) => boolean) =>
    trained.map((fold) => {
      const rows = machines.filter((row) => row.fold === fold && test(row));
      return rate(rows, found);
    });
  const tableOf = (rows: Scored[], keyOf: (row: Scored) => string) => Object.fromEntries(table(rows, keyOf, found));
  const families = byFold((row) => row.family_out);
  const makers = byFold((row) => row.maker_out);
  const mean = (list: number[]) => Math.round((1e4 * list.reduce((a, b) => a + b, 0)) / list.length) / 1e4;
  return {
    summary: {
      families: { folds: families, mean: mean(families), worst: Math.min(...families) },
      makers: { folds: makers, mean: mean(makers), worst: Math.min(...makers) },
    },
    ai_by_family: tableOf(
      machines.filter((row) => row.family_out),
      (row) => row.family,
    ),
    ai_by_maker: tableOf(
      machines.filter((row) => row.maker_out),
      (row) => row.maker,
    ),
    human_by_family: tableOf(human, (row) => row.family),
  };
}
