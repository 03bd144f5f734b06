// `npm run eval -- detector --data DIR [--tier light] [--min-words 75] [--by] [--curves FOLDER]`: every *.jsonl[.xz] of DIR
// is a set of labelled texts, scored by the engine that serves requests, at the operating points it ships with.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openLight } from "../../server/actions/detector/model-files.ts";
import { scoreText } from "../../server/actions/detector/engine/analyze.ts";
import { flagged, POINTS } from "../../server/actions/detector/engine/score.ts";
import { DataError, type EvalOptions, type Suite } from "../eval.ts";
import { drawReliability, drawRoc } from "./views/detector-curves.ts";

interface Row {
  text: string;
  label: string;
  language?: string;
  source?: string;
  generator?: string;
  domain?: string;
}
export interface Judged {
  ai: boolean;
  score: number;
  words: number;
  abstained: boolean;
  flags: boolean[];
  keys: Record<string, string>;
}

async function run(options: EvalOptions): Promise<Record<string, unknown>> {
  const tier = options.flags.tier ?? "light";
  if (tier !== "light") throw new DataError(`--tier ${tier}: light is the only one (decision 0705)`);
  const least = Number(options.flags["min-words"] ?? 75);
  const names = readdirSync(options.data)
    .filter((f) => /\.jsonl(\.xz)?$/.test(f))
    .sort();
  if (names.length === 0) throw new DataError(`${options.data} holds no *.jsonl or *.jsonl.xz`);
  const light = await openLight();
  const sets: Record<string, unknown> = {};
  const chosen = options.flags.set ? names.filter((name) => name.startsWith(options.flags.set)) : names;
  for (const name of chosen) {
    const rows = readRows(join(options.data, name), options.limit);
    const judged: Judged[] = [];
    rows.forEach((row, i) => {
      if (i % 200 === 0) options.progress(i, rows.length);
      const scored = scoreText(light, row.text);
      if (scored.words < least && scored.abstained !== "unsupported_language") return;
      const abstained = scored.abstained !== null;
      judged.push({
        ai: row.label === "ai" || (row.label as unknown) === 1,
        score: scored.score,
        words: scored.words,
        abstained,
        flags: POINTS.map((point) => !abstained && flagged(point, scored.logit, scored.words)),
        keys: {
          source: row.source ?? "-",
          generator: row.generator ?? "-",
          domain: row.domain ?? "-",
          length: scored.words < 150 ? "75-149" : scored.words < 300 ? "150-299" : "300+",
          language: row.language ?? "-",
        },
      });
    });
    sets[name] = { ...summary(judged), ...(options.flags.by ? { by: breakdown(judged) } : {}) };
    if (options.flags.curves) draw(options.flags.curves, `${name.split(".")[0]}-${tier}`, judged);
  }
  return { tier, min_words: least, sets };
}

function readRows(path: string, limit: number): Row[] {
  let text: string;
  if (path.endsWith(".xz")) {
    const tools = [
      ["xz", "-dc", path],
      ["python3", "-c", "import lzma,sys;sys.stdout.buffer.write(lzma.open(sys.argv[1]).read())", path],
    ];
    const tool = tools.find(([name]) => Bun.which(name));
    if (!tool) throw new DataError(`${path}: neither xz nor python3 is here to unpack it`);
    const out = Bun.spawnSync(tool, { maxBuffer: 1 << 30 });
    if (!out.success) throw new DataError(`${path} cannot be unpacked`);
    text = out.stdout.toString();
  } else text = readFileSync(path, "utf8");
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.slice(0, limit === Infinity ? undefined : limit).map((line, i) => {
    try {
      const row = JSON.parse(line);
      if (typeof row.text !== "string") throw new Error("no text");
      return row;
    } catch (error) {
      throw new DataError(`${path} line ${i + 1}: ${(error as Error).message}`);
    }
  });
}

const share = (list: Judged[], test: (j: Judged) => boolean) =>
  list.length ? round(list.filter(test).length / list.length) : null;
const round = (x: number) => Math.round(x * 1e4) / 1e4;

function summary(all: Judged[]) {
  const judged = all.filter((j) => !j.abstained);
  const human = all.filter((j) => !j.ai);
  const ai = all.filter((j) => j.ai);
  return {
    n: all.length,
    human: human.length,
    ai: ai.length,
    auroc: auroc(judged),
    ece: ece(judged),
    abstained: all.length - judged.length,
    points: Object.fromEntries(
      POINTS.map((point, k) => [point, { fpr: share(human, (j) => j.flags[k]), tpr: share(ai, (j) => j.flags[k]) }]),
    ),
  };
}

function auroc(judged: Judged[]): number | null {
  const sorted = [...judged].sort((a, b) => a.score - b.score);
  const ai = sorted.filter((j) => j.ai).length;
  const human = sorted.length - ai;
  if (ai === 0 || human === 0) return null;
  let sum = 0;
  for (let i = 0; i < sorted.length; ) {
    let end = i;
    while (end < sorted.length && sorted[end].score === sorted[i].score) end++;
    for (let k = i; k < end; k++) if (sorted[k].ai) sum += (i + 1 + end) / 2;
    i = end;
  }
  return round((sum - (ai * (ai + 1)) / 2) / (ai * human));
}

/** Expected calibration error over fifteen equal bins; undefined where only one label is there. */
function ece(judged: Judged[], bins = 15): number | null {
  if (!judged.some((j) => j.ai) || !judged.some((j) => !j.ai)) return null;
  let error = 0;
  for (let b = 0; b < bins; b++) {
    const inside = judged.filter((j) => Math.min(bins - 1, Math.floor(j.score * bins)) === b);
    if (inside.length === 0) continue;
    const mean = inside.reduce((sum, j) => sum + j.score, 0) / inside.length;
    error += (Math.abs(mean - inside.filter((j) => j.ai).length / inside.length) * inside.length) / judged.length;
  }
  return round(error);
}

function breakdown(judged: Judged[]) {
  const out: Record<string, Record<string, unknown>> = {};
  for (const key of ["source", "generator", "domain", "length", "language"]) {
    const groups = Map.groupBy(judged, (j) => j.keys[key]);
    out[key] = Object.fromEntries([...groups].filter(([, g]) => g.length >= 10).map(([name, g]) => [name, summary(g)]));
  }
  return out;
}

function draw(folder: string, name: string, judged: Judged[]): void {
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true });
  const kept = judged.filter((j) => !j.abstained);
  writeFileSync(join(folder, `detector-roc-${name}.svg`), drawRoc(kept));
  writeFileSync(join(folder, `detector-reliability-${name}.svg`), drawReliability(kept));
}

function table(result: any): string {
  const cell = (x: unknown, width: number) => String(x ?? "-").padStart(width);
  const lines = [`tier ${result.tier}, texts from ${result.min_words} words; FPR/TPR at each fixed operating point`];
  const row = (name: string, s: any) =>
    lines.push(
      name.slice(0, 34).padEnd(35) +
        cell(s.n, 7) +
        cell(s.human, 7) +
        cell(s.ai, 7) +
        cell(s.auroc, 8) +
        cell(s.ece, 8) +
        cell(s.abstained, 6) +
        POINTS.map((p) => cell(`${s.points[p].fpr ?? "-"}/${s.points[p].tpr ?? "-"}`, 16)).join(""),
    );
  lines.push(
    "set".padEnd(35) +
      ["n", "human", "ai"].map((h) => cell(h, 7)).join("") +
      cell("auroc", 8) +
      cell("ece", 8) +
      cell("abst", 6) +
      POINTS.map((p) => cell(p, 16)).join(""),
  );
  for (const [name, set] of Object.entries<any>(result.sets)) {
    row(name, set);
    for (const [key, groups] of Object.entries<any>(set.by ?? {})) {
      lines.push(`  by ${key}`);
      for (const [group, s] of Object.entries<any>(groups)) row(`    ${group}`, s);
    }
  }
  return lines.join("\n");
}

export default {
  help: "detector: AUROC, ECE, FPR and TPR at the fixed operating points; --tier light --min-words N --by --curves FOLDER --set NAME",
  run,
  table,
} satisfies Suite;
