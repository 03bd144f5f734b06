// Scores the geocoder on rows with known coordinates; `--geodata DIR` uses the layers imported into DIR as well.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { haversineKm } from "../../../server/actions/delivery/engine/geo.ts";
import type { Geocoder } from "../../../server/actions/delivery/engine/geocoder/index.ts";
import { loadGeocoder } from "../../../server/actions/delivery/providers/geodata/load.ts";
import { DataError, type EvalOptions, type Suite } from "../../eval.ts";

interface Row {
  suite: string;
  query: string;
  lat: number;
  lon: number;
  kind: string;
  country: string;
}

interface Group {
  n: number;
  found: number;
  median_km: number | null;
  p90_km: number | null;
  within_10km: number;
  wrong_country: number;
}

/** An answer below this is a guess and says so; only a surer one can be confidently wrong. */
const CONFIDENT = 0.5;

async function run(options: EvalOptions) {
  const rows = readRows(options.data).slice(0, options.limit);
  const importedDir = options.flags.geodata ? await imported(options.flags.geodata) : null;
  const started = performance.now();
  const geocoder = loadGeocoder({ importedDir });
  geocoder.geocode("Paris");
  const loadMs = performance.now() - started;
  const speed = measure(rows, geocoder);
  // What reading the rows left behind is not the engine's.
  Bun.gc(true);
  const rssMb = Math.round(process.memoryUsage().rss / 1e6);
  const errors = rows.map((row, i) => {
    if (i % 200 === 0) options.progress(i, rows.length);
    return judge(row, geocoder);
  });
  if (options.flags.misses) printMisses(rows, errors, options.flags.misses);
  const by = (of: (row: Row) => string) =>
    Object.fromEntries(
      [...new Set(rows.map(of))].sort().map((name) => [name, summarise(errors.filter((_, i) => of(rows[i]) === name))]),
    );
  return {
    rows: rows.length,
    groups: by((r) => r.suite),
    kinds: by((r) => r.kind),
    families: by(family),
    per_second: speed,
    load_ms: Math.round(loadMs),
    rss_mb: rssMb,
  };
}

interface Judged {
  km: number | null;
  wrongCountry: boolean;
  answer: string;
  confidence: number;
}

function judge(row: Row, geocoder: Geocoder): Judged {
  const found = geocoder.geocode(row.query);
  if (found.precision === "none") return { km: null, wrongCountry: false, answer: "none", confidence: 0 };
  const km = haversineKm(row.lat, row.lon, found.lat, found.lon);
  const wrongCountry =
    found.confidence >= CONFIDENT && km > 50 && !geocoder.countriesNear(row.lat, row.lon).includes(found.country);
  return { km, wrongCountry, answer: found.label, confidence: found.confidence };
}

function summarise(all: Judged[]): Group {
  const km = all
    .map((e) => e.km)
    .filter((e) => e !== null)
    .sort((a, b) => a - b);
  const at = (share: number) =>
    km.length === 0 ? null : round(km[Math.min(km.length - 1, Math.floor(km.length * share))], 2);
  return {
    n: all.length,
    found: round(km.length / all.length, 4),
    median_km: at(0.5),
    p90_km: at(0.9),
    within_10km: round(km.filter((e) => e <= 10).length / all.length, 4),
    wrong_country: round(all.filter((e) => e.wrongCountry).length / all.length, 4),
  };
}

function family(row: Row): string {
  if (row.suite.includes("florida")) return "US street addresses";
  if (row.suite.includes("citySearch")) return "world cities";
  if (row.suite.includes("nordpasdecalais")) return "French addresses";
  if (row.suite.includes("test_villages")) return "German villages";
  return row.kind === "poi" ? "venues" : "other places";
}

/** The best of eight short rounds, by processor time: what the engine does when nobody else wants the core. */
function measure(rows: Row[], geocoder: Geocoder): number {
  const sample = rows.filter((_, i) => i % Math.max(1, Math.floor(rows.length / 500)) === 0);
  let best = 0;
  for (let round = 0; round < 8; round++) {
    const started = performance.now();
    const used = process.cpuUsage();
    let done = 0;
    while (performance.now() - started < 150) for (const row of sample) if (geocoder.geocode(row.query)) done++;
    const { user, system } = process.cpuUsage(used);
    best = Math.max(best, (1e6 * done) / (user + system));
  }
  return Math.round(best);
}

/** Imported layers lie in the folder, or raw files do, which are imported first (into the cache). */
async function imported(dir: string): Promise<string> {
  const { importFolder } = await import("../../../server/actions/delivery/providers/geodata/import.ts");
  return importFolder(dir);
}

function readRows(data: string): Row[] {
  const file = join(data, "geocoder/expected_coords.csv");
  const lines = parseCsv(readFileSync(file, "utf8"));
  const [head, ...body] = lines;
  for (const name of ["suite", "query", "lat", "lon", "kind"]) {
    if (!head?.includes(name)) throw new DataError(`${file} has no column "${name}"`);
  }
  const col = (name: string) => head.indexOf(name);
  return body.map((f) => ({
    suite: f[col("suite")],
    query: f[col("query")],
    lat: Number(f[col("lat")]),
    lon: Number(f[col("lon")]),
    kind: f[col("kind")],
    country: f[col("country")] ?? "",
  }));
}

function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let field = "";
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (quoted) {
      if (c === '"' && text[i + 1] === '"') field += text[++i];
      else if (c === '"') quoted = false;
      else field += c;
    } else if (c === '"') quoted = true;
    else if (c === ",") {
      row.push(field);
      field = "";
    } else if (c === "\n") {
      row.push(field.endsWith("\r") ? field.slice(0, -1) : field);
      if (row.length > 1 || row[0] !== "") rows.push(row);
      row = [];
      field = "";
    } else field += c;
  }
  if (field !== "" || row.length > 0) rows.push([...row, field]);
  return rows;
}

function printMisses(rows: Row[], judged: Judged[], only: string): void {
  rows.forEach((row, i) => {
    const e = judged[i];
    if (!row.suite.includes(only) && only !== "wrong") return;
    if (only === "wrong" ? !e.wrongCountry : e.km !== null && e.km <= 10) return;
    console.log(
      `${e.km === null ? "none" : `${Math.round(e.km)} km`}  ${e.confidence}  ${row.query}  →  ${e.answer}  [${row.suite}]`,
    );
  });
}

const round = (x: number, digits: number) => Number(x.toFixed(digits));

function table(result: any): string {
  const line = (name: string, g: Group) =>
    `${name.padEnd(58)} ${String(g.n).padStart(5)} ${(100 * g.found).toFixed(1).padStart(6)} ${String(g.median_km ?? "-").padStart(8)} ` +
    `${String(g.p90_km ?? "-").padStart(8)} ${(100 * g.within_10km).toFixed(1).padStart(7)} ${(100 * g.wrong_country).toFixed(2).padStart(7)}`;
  const head = `${"".padEnd(58)} ${"n".padStart(5)} ${"found%".padStart(6)} ${"median".padStart(8)} ${"p90 km".padStart(8)} ≤10km% wrong%`;
  const block = (of: Record<string, Group>) =>
    Object.entries(of)
      .map(([name, g]) => line(name, g))
      .join("\n");
  const foot = `${result.per_second} look-ups/s, load ${result.load_ms} ms, ${result.rss_mb} MB`;
  return [head, block(result.groups), "", block(result.kinds), "", block(result.families), "", foot].join("\n");
}

export default { help: "geocoder --data DIR(delivery) [--geodata DIR]", run, table } satisfies Suite;
