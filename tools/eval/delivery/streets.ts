// Scores streets and house numbers: a fifth of an extract's numbers is held out, the rest is imported as an operator would do it.
// Two ways to hold out: numbers at random, and the far ends of streets. Then each street is asked for in a town that lacks it.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { haversineKm } from "../../../server/actions/delivery/engine/geo.ts";
import type { Geocoded, Geocoder } from "../../../server/actions/delivery/engine/geocoder/index.ts";
import { foldName } from "../../../server/actions/delivery/engine/geocoder/text.ts";
import { canonName } from "../../../server/actions/delivery/engine/geocoder/words.ts";
import { importFile } from "../../../server/actions/delivery/providers/geodata/import.ts";
import { loadGeocoder } from "../../../server/actions/delivery/providers/geodata/load.ts";
import type { EvalOptions, Suite } from "../../eval.ts";
import { type Extract, florida, type House, madeUp, monaco } from "./views/street-extracts.ts";

const SHARE = 0.2;
/** Streets with fewer numbers have no end to hold out. */
const LEAST_NUMBERS = 5;
const SURE = 0.8;
const NEAR_KM = 0.15;
/** An answer farther away than this is of another town, whatever its name. */
const OTHER_TOWN_KM = 50;
const ASKED_ELSEWHERE = 2000;

interface Split {
  name: string;
  /** The numbers that are held out of a street's sorted numbers. */
  hold(numbers: number[], random: () => number): number[];
}

const SPLITS: Split[] = [
  { name: "numbers at random", hold: (numbers, random) => numbers.filter(() => random() < SHARE) },
  {
    name: "far ends of streets",
    hold: (numbers) => (numbers.length < LEAST_NUMBERS ? [] : numbers.slice(Math.ceil(numbers.length * (1 - SHARE)))),
  },
];

async function run(options: EvalOptions) {
  if (options.flags.memory) return { memory: await importMemory(Number(options.flags.memory)) };
  const random = seeded(Number(options.flags.seed ?? 1));
  const extracts = [
    madeUp(random, "DE", 150),
    madeUp(random, "US", 150),
    florida(options.data),
    await monaco(options.data),
  ];
  const rows: Record<string, unknown>[] = [];
  for (const extract of extracts) for (const split of SPLITS) rows.push(await score(extract, split, random, options));
  return { rows };
}

async function score(extract: Extract, split: Split, random: () => number, { flags }: EvalOptions) {
  const { kept, held } = divide(extract.houses, split, random);
  const folder = mkdtempSync(join(tmpdir(), "streets-"));
  try {
    const geocoder = await importHouses(kept, folder);
    const judged = held.map((house) => ({ house, ...judge(geocoder.geocode(extract.write(house)), house) }));
    if (flags.misses)
      for (const { house, km, answer } of judged.filter((j) => j.km > NEAR_KM).slice(0, Number(flags.misses)))
        console.log(`${km.toFixed(2)} km  ${extract.write(house)}  →  ${answer}`);
    if (flags.misses)
      for (const { house, answer } of judged.filter((j) => j.isOtherTown && j.confidence > SURE))
        console.log(`other town  ${extract.write(house)}  →  ${answer}`);
    const elsewhere = askElsewhere(extract, geocoder, random, flags);
    const share = (n: number, of: number) => (of === 0 ? 0 : Number((n / of).toFixed(4)));
    return {
      extract: extract.name,
      split: split.name,
      known: kept.length,
      held: held.length,
      within_150m: share(judged.filter((j) => j.km <= NEAR_KM).length, held.length),
      median_m: Math.round(1000 * (judged.map((j) => j.km).sort((a, b) => a - b)[judged.length >> 1] ?? 0)),
      at_street: share(judged.filter((j) => j.isStreet).length, held.length),
      wrong_town_sure: share(judged.filter((j) => j.isOtherTown && j.confidence > SURE).length, held.length),
      asked_elsewhere: elsewhere.length,
      elsewhere_wrong_sure: share(elsewhere.filter((wrong) => wrong).length, elsewhere.length),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const streetOf = (h: House): string => `${h.country}|${h.region}|${h.town}|${h.street}`;

function divide(houses: House[], split: Split, random: () => number): { kept: House[]; held: House[] } {
  const streets = Map.groupBy(houses, streetOf);
  const held = new Set<string>();
  for (const [street, list] of streets) {
    const numbers = [...new Set(list.map((h) => h.number))].sort((a, b) => a - b);
    // A street that nothing is left of cannot be known.
    const out = split.hold(numbers, random);
    if (out.length < numbers.length) for (const number of out) held.add(`${street}|${number}`);
  }
  const isHeld = (h: House) => held.has(`${streetOf(h)}|${h.number}`);
  const seen = new Set<string>();
  const once = (h: House) => {
    const key = `${streetOf(h)}|${h.number}`;
    return !seen.has(key) && seen.add(key).size > 0;
  };
  return { kept: houses.filter((h) => !isHeld(h)), held: houses.filter((h) => isHeld(h) && once(h)) };
}

async function importHouses(houses: House[], folder: string): Promise<Geocoder> {
  const file = join(folder, "houses.csv");
  const quote = (text: string) => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = houses.map((h) =>
    [h.lon.toFixed(6), h.lat.toFixed(6), h.number, quote(h.street), quote(h.town)].join(","),
  );
  writeFileSync(file, `LON,LAT,NUMBER,STREET,CITY\n${lines.join("\n")}\n`);
  await importFile(file, join(folder, "layers"), houses[0]?.country ?? "");
  return loadGeocoder({ importedDir: join(folder, "layers") });
}

function judge(found: Geocoded, house: House) {
  if (found.precision === "none")
    return { km: Infinity, confidence: 0, isStreet: false, isOtherTown: false, answer: "none" };
  const km = haversineKm(found.lat, found.lon, house.lat, house.lon);
  const isStreet = found.precision === "street" || found.precision === "rooftop";
  const spelled = (text: string) => canonName(foldName(text));
  const isNamed = found.label.split(", ").some((part) => spelled(part) === spelled(house.town));
  return {
    km,
    confidence: found.confidence,
    isStreet,
    isOtherTown: km > OTHER_TOWN_KM || (isStreet && !isNamed),
    answer: `${found.label} (${found.precision}, ${found.confidence})`,
  };
}

/** Streets asked for in a town of the extract that has no street of the name: a street as the answer, and a sure one, is wrong. */
function askElsewhere(
  extract: Extract,
  geocoder: Geocoder,
  random: () => number,
  flags: EvalOptions["flags"],
): boolean[] {
  const towns = [...Map.groupBy(extract.houses, (h) => `${h.region}|${h.town}`).values()];
  const known = new Set(extract.houses.map((h) => `${h.town}|${h.street}`));
  if (towns.length < 2) return [];
  const out: boolean[] = [];
  for (let i = 0; i < ASKED_ELSEWHERE; i++) {
    const house = extract.houses[Math.floor(random() * extract.houses.length)];
    const [other] = towns[Math.floor(random() * towns.length)];
    if (known.has(`${other.town}|${house.street}`)) continue;
    const query = extract.write({ ...house, town: other.town, region: other.region });
    const found = geocoder.geocode(query);
    const isWrong = (found.precision === "street" || found.precision === "rooftop") && found.confidence > SURE;
    if (isWrong && flags.misses) console.log(`elsewhere  ${query}  →  ${found.label} (${found.confidence})`);
    out.push(isWrong);
  }
  return out;
}

/** Imports a made-up country of that many houses in a process of its own, and says what it took. */
async function importMemory(rows: number) {
  const folder = mkdtempSync(join(tmpdir(), "streets-memory-"));
  try {
    const random = seeded(7);
    const file = join(folder, "country.csv");
    const writer = Bun.file(file).writer({ highWaterMark: 1 << 20 });
    writer.write("LON,LAT,NUMBER,STREET,CITY\n");
    let written = 0;
    while (written < rows) {
      const part = madeUp(random, "DE", 200).houses.slice(0, rows - written);
      // Names that are not shared by all towns: a country has some hundred thousand.
      for (const h of part)
        writer.write(`${h.lon.toFixed(6)},${h.lat.toFixed(6)},${h.number},${h.street} ${written % 97},${h.town}\n`);
      written += part.length;
      await writer.flush();
    }
    await writer.end();
    const main = join(import.meta.dir, "../../../server/main.ts");
    const child = Bun.spawn([
      process.execPath,
      main,
      "geodata",
      "import",
      file,
      "--country",
      "DE",
      "--into",
      join(folder, "layers"),
    ]);
    const peakMb = await peakMemory(child.pid, child.exited);
    const text = await new Response(child.stdout).text();
    const usage = child.resourceUsage()!;
    return {
      rows,
      file_mb: Math.round(Bun.file(file).size / 1e6),
      max_rss_mb: peakMb,
      cpu_s: Math.round(Number(usage.cpuTime.total) / 1e6),
      said: text.trim().split("\n")[0].replace(folder, ""),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The most memory a process held, by /proc: what wait() reports counts the parent's too. */
async function peakMemory(pid: number, exited: Promise<unknown>): Promise<number> {
  let kilobytes = 0;
  let isDone = false;
  void exited.then(() => (isDone = true));
  while (!isDone) {
    try {
      kilobytes = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? kilobytes);
    } catch {
      break;
    }
    await Bun.sleep(50);
  }
  await exited;
  return Math.round(kilobytes / 1000);
}

function seeded(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function table(result: any): string {
  if (result.memory) return JSON.stringify(result.memory, null, 2);
  const pc = (x: number) => `${(100 * x).toFixed(2)} %`.padStart(10);
  const lines = result.rows.map(
    (r: any) =>
      `${r.extract.padEnd(24)} ${r.split.padEnd(22)} ${String(r.held).padStart(7)} ${pc(r.within_150m)} ${String(r.median_m).padStart(8)} ${pc(r.at_street)} ${pc(r.wrong_town_sure)} ${String(r.asked_elsewhere).padStart(8)} ${pc(r.elsewhere_wrong_sure)}`,
  );
  return [
    `${"".padEnd(47)} ${"held".padStart(7)} ${"<= 150 m".padStart(10)} ${"median m".padStart(8)} ${"street".padStart(10)} ${"wrong>.8".padStart(10)} ${"elsewhere".padStart(8)} ${"wrong>.8".padStart(9)}`,
    ...lines,
  ].join("\n");
}

export default {
  help: "streets --data DIR(delivery) [--seed N] [--misses N] [--memory ROWS]",
  run,
  table,
} satisfies Suite;
