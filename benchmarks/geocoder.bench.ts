// The geocoder: look-ups a second of one core, memory, start, and its ratio to the nearest npm package that does the job.
// The peer is city-timezones (7,300 cities, `findFromCityStateProvince`): forward look-up by name, offline, no addresses.
import { createRequire } from "node:module";
import { join } from "node:path";
import { readdirSync } from "node:fs";
import { openGeocoder } from "../server/actions/delivery/engine/geocoder/index.ts";
import type { Bench } from "../tools/bench.ts";

const questions = [
  "Paris",
  "Springfield IL",
  "San Jose, Costa Rica",
  "downtown Austin",
  "1235 University Dr, Coral Springs, FL 33071",
  "München",
  "10 Downing St, London, UK",
  "90210",
  "near Berlin, Germany",
  "350 5th Ave, New York, NY 10118",
  "Москва",
  "Toronto, Ontario",
  "12 rue de la Paix, 75002 Paris, France",
  "Kyoto",
  "Philadelhpia PA",
  "zzzz qqqq",
];
/** What the peer can understand at all. */
const cityQuestions = [
  "Paris",
  "Springfield",
  "San Jose",
  "Austin Texas",
  "Berlin",
  "Toronto Ontario",
  "Kyoto",
  "London",
];

const root = join(import.meta.dir, "..");

export default {
  help: "geocoder [--quick]",
  async run({ quick, say }) {
    // Asking once on the command line makes the base layer where it is missing.
    Bun.spawnSync([process.execPath, join(root, "server/main.ts"), "try", "geocode", "Paris"], { cwd: root });
    const cache = join(root, ".cache/geodata");
    const file = readdirSync(cache)
      .filter((f) => f.startsWith("base-"))
      .sort()
      .at(-1)!;
    const started = performance.now();
    const geocoder = openGeocoder([Bun.mmap(join(cache, file), { shared: false })]);
    geocoder.geocode("Paris");
    const loadMs = performance.now() - started;
    const peer = createRequire(join(root, "benchmarks/peers/package.json"))("city-timezones");
    const rounds = quick ? 8 : 24;
    const ours: number[] = [];
    const oursCities: number[] = [];
    const theirs: number[] = [];
    for (const q of questions) geocoder.geocode(q);
    for (let round = 0; round < rounds; round++) {
      ours.push(rate(questions, (q) => geocoder.geocode(q), 80));
      oursCities.push(rate(cityQuestions, (q) => geocoder.geocode(q), 80));
      theirs.push(rate(cityQuestions, (q) => peer.findFromCityStateProvince(q), 80));
    }
    const rssMb = memoryAlone(join(cache, file));
    const figures = {
      load_ms: Math.round(loadMs),
      rss_mb: rssMb,
      per_second_mixed: median(ours),
      quietest_round: Math.max(...ours),
      per_second_cities: median(oursCities),
      peer_per_second_cities: median(theirs),
      ratio: Math.round((10 * median(oursCities)) / median(theirs)) / 10,
    };
    say(
      `mixed questions: ${figures.per_second_mixed} look-ups per processor second (median; ${figures.quietest_round} in the quietest of ${rounds} rounds); load ${figures.load_ms} ms; process ${rssMb} MB`,
    );
    say(
      `city names only: ${figures.per_second_cities}/s against city-timezones ${figures.peer_per_second_cities}/s: ${figures.ratio}×`,
    );
    return figures;
  },
} satisfies Bench;

/** The resident memory of a process that does nothing but a hundred thousand look-ups: the peer's must not count as ours. */
function memoryAlone(layer: string): number {
  const engine = join(root, "server/actions/delivery/engine/geocoder/index.ts");
  const script = `const { openGeocoder } = await import(${JSON.stringify(engine)});
const geocoder = openGeocoder([Bun.mmap(${JSON.stringify(layer)}, { shared: false })]);
const questions = ${JSON.stringify(questions)};
for (let i = 0; i < 100_000; i++) geocoder.geocode(questions[i % questions.length]);
console.log(Math.round(process.memoryUsage().rss / 1e6));`;
  return Number(Bun.spawnSync([process.execPath, "-e", script]).stdout.toString());
}

/** Per second of processor time, helper threads included: on a crowded machine the wall clock counts the neighbours. */
function rate(list: string[], ask: (q: string) => unknown, forMs: number): number {
  const started = performance.now();
  const used = process.cpuUsage();
  let done = 0;
  while (performance.now() - started < forMs) for (const q of list) if (ask(q) !== undefined) done++;
  const { user, system } = process.cpuUsage(used);
  return Math.round((1e6 * done) / (user + system));
}

const median = (list: number[]): number => [...list].sort((a, b) => a - b)[list.length >> 1];
