// Scores the drive model on trips: coordinates and local start time in, minutes out.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  DEFAULT_ACCESS_SECONDS,
  DEFAULT_SERVICE_SECONDS,
  areaOf,
  type Calibration,
  estimate,
  estimateDrive,
  learn,
  modelDrive,
  uncalibrated,
} from "../../../server/actions/delivery/engine/eta/index.ts";
import { DataError, type EvalOptions, type Suite } from "../../eval.ts";

interface Trip {
  from: { lat: number; lon: number };
  to: { lat: number; lon: number };
  local: string;
  seconds: number;
}

function run(options: EvalOptions) {
  const folder = join(options.data, "eta");
  const files = readdirSync(folder)
    .filter((f) => f.endsWith(".csv"))
    .sort();
  if (files.length === 0) throw new DataError(`no .csv in ${folder}`);
  return {
    sets: Object.fromEntries(files.map((file) => [file, score(readTrips(join(folder, file)).slice(0, options.limit))])),
    arrivals: Object.fromEntries(
      files.flatMap((file) => {
        const trips = readTrips(join(folder, file)).slice(0, options.limit);
        return [
          ...Object.entries(blurs).map(([name, radius]) => [`${file} ${name}`, scoreArrival(trips, radius)]),
          ...Object.entries(paces).flatMap(([name, pace]) => [
            [`${file} ${name}`, scoreHistory(slower(trips, pace), 0)],
            [`${file} ${name}, ${OWN} own deliveries`, scoreHistory(slower(trips, pace), OWN)],
          ]),
        ];
      }),
    ),
  };
}

/** Deliveries an account has made before it is judged, and how many are judged. */
const OWN = 200;
const JUDGED = 2000;
const DRAWS = 5;
/** The trips are moved here: no fit knows the city, only the one for any city. Whole quarters of a degree keep the areas as they are. */
const UNSEEN_LON = 60;

/** Cities as fast as those of the fit, and slower ones. */
const paces = { "unseen city": 1, "unseen city, 1.6 times slower": 1.6 };
const slower = (trips: Trip[], pace: number): Trip[] => trips.map((t) => ({ ...t, seconds: t.seconds * pace }));

/** An account begins in a city that no fit knows: its promises before and after its first deliveries there. */
function scoreHistory(trips: Trip[], own: number) {
  const random = uniform(3);
  let [inside, judged, width] = [0, 0, [] as number[]];
  const errors: number[] = [];
  for (let draw = 0; draw < DRAWS; draw++) {
    const drawn = shuffle(trips, random)
      .slice(0, OWN + JUDGED)
      .map(moved);
    const areas = new Map<string, Calibration>();
    for (const trip of drawn.slice(0, own)) {
      const area = areaOf(trip.from, trip.to, "car");
      const model = modelDrive(requestOf(trip));
      areas.set(area, learn(areas.get(area) ?? uncalibrated, { trip: model.trip, model, actualSeconds: trip.seconds }));
    }
    for (const trip of drawn.slice(OWN)) {
      const request = requestOf(trip);
      const eta = estimate({ ...request, calibration: areas.get(areaOf(trip.from, trip.to, "car")) });
      const actual = trip.seconds + DEFAULT_SERVICE_SECONDS + DEFAULT_ACCESS_SECONDS;
      const arrived = request.startMs + actual * 1000;
      errors.push(Math.abs(eta.arrivalMs - arrived) / (actual * 1000));
      if (arrived >= eta.windowFromMs && arrived <= eta.windowToMs) inside++;
      width.push((eta.windowToMs - eta.windowFromMs) / 60_000);
      judged++;
    }
  }
  width = width.sort((a, b) => a - b);
  return {
    n: judged,
    mape: Number(mean(errors).toFixed(4)),
    coverage_80: Number((inside / judged).toFixed(4)),
    median_window_min: width[width.length >> 1],
  };
}

const moved = (trip: Trip): Trip => ({
  ...trip,
  from: { ...trip.from, lon: trip.from.lon + UNSEEN_LON },
  to: { ...trip.to, lon: trip.to.lon + UNSEEN_LON },
});

const requestOf = ({ from, to, local }: Trip) => ({
  from,
  to,
  startMs: Date.parse(`${local.slice(0, 19)}Z`),
  timeZone: "UTC",
});

function shuffle<T>(list: T[], random: () => number): T[] {
  const out = [...list];
  for (let i = out.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [out[i], out[j]] = [out[j], out[i]];
  }
  return out;
}

function readTrips(file: string): Trip[] {
  const [head, ...lines] = readFileSync(file, "utf8")
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(","));
  const col = (name: string) => {
    const at = head.indexOf(name);
    if (at < 0) throw new DataError(`${file} has no column "${name}"`);
    return at;
  };
  const [a, b, c, d] = ["pickup_lat", "pickup_lon", "dropoff_lat", "dropoff_lon"].map(col);
  const [time, seconds] = ["pickup_time_local", "duration_s"].map(col);
  return lines.map((f) => ({
    from: { lat: Number(f[a]), lon: Number(f[b]) },
    to: { lat: Number(f[c]), lon: Number(f[d]) },
    local: f[time],
    seconds: Number(f[seconds]),
  }));
}

/** Ends as an address places them: exact, the district, the city (then both ends are its middle). */
const blurs = { exact: 0, district: 3, city: 20 };

/** The promise a caller gets, service and access included in both the estimate and the truth. */
function scoreArrival(trips: Trip[], radiusKm: number) {
  const middle = { lat: mean(trips.map((t) => t.from.lat)), lon: mean(trips.map((t) => t.from.lon)) };
  const random = noise();
  const blurred = (p: { lat: number; lon: number }) => {
    if (radiusKm >= 20) return { ...middle, radius_km: radiusKm };
    const km = radiusKm / 1.1774;
    const lat = p.lat + (random() * km) / 111;
    return { lat, lon: p.lon + (random() * km) / (111 * Math.cos((lat * Math.PI) / 180)), radius_km: radiusKm };
  };
  const errors: number[] = [];
  const widths: number[] = [];
  let inside = 0;
  for (const { from, to, local, seconds } of trips) {
    const startMs = Date.parse(`${local.slice(0, 19)}Z`);
    const eta = estimate({ from: blurred(from), to: blurred(to), startMs, timeZone: "UTC" });
    const actual = seconds + DEFAULT_SERVICE_SECONDS + DEFAULT_ACCESS_SECONDS;
    errors.push(Math.abs(eta.arrivalMs - startMs - actual * 1000) / (actual * 1000));
    widths.push((eta.windowToMs - eta.windowFromMs) / 60_000);
    const arrived = startMs + actual * 1000;
    if (arrived >= eta.windowFromMs && arrived <= eta.windowToMs) inside++;
  }
  widths.sort((a, b) => a - b);
  return {
    n: trips.length,
    mape: Number(mean(errors).toFixed(4)),
    coverage_80: Number((inside / trips.length).toFixed(4)),
    median_window_min: widths[widths.length >> 1],
  };
}

const mean = (values: number[]): number => values.reduce((sum, v) => sum + v, 0) / values.length;

/** Normally distributed numbers, the same in every run. */
function noise(): () => number {
  const random = uniform(1);
  return () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

function uniform(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** `bias` is total estimated over total actual, less one. */
function score(trips: Trip[]) {
  const errors: number[] = [];
  let inside = 0;
  let estimated = 0;
  let actual = 0;
  for (const { from, to, local, seconds } of trips) {
    const hour = Number(local.slice(11, 13)) + Number(local.slice(14, 16)) / 60;
    const drive = estimateDrive({ from, to, hour, weekday: new Date(`${local.slice(0, 19)}Z`).getUTCDay() });
    errors.push(Math.abs(drive.seconds - seconds) / seconds);
    if (seconds >= drive.quickSeconds && seconds <= drive.slowSeconds) inside++;
    estimated += drive.seconds;
    actual += seconds;
  }
  const n = trips.length;
  const round = (x: number) => Number(x.toFixed(4));
  const mape = round(errors.reduce((sum, e) => sum + e, 0) / n);
  errors.sort((x, y) => x - y);
  return {
    n,
    mape,
    median_ape: round(errors[n >> 1]),
    bias: round(estimated / actual - 1),
    coverage_80: round(inside / n),
  };
}

function table(result: any): string {
  const pc = (x: number) => `${(100 * x).toFixed(1)} %`.padStart(10);
  const lines = Object.entries<any>(result.sets).map(
    ([file, s]) =>
      `${file.padEnd(30)} ${String(s.n).padStart(6)} ${pc(s.mape)} ${pc(s.median_ape)} ${pc(s.bias)} ${pc(s.coverage_80)}`,
  );
  const arrivals = Object.entries<any>(result.arrivals).map(
    ([name, s]) =>
      `${name.padEnd(72)} ${pc(s.mape)} ${pc(s.coverage_80)} ${String(s.median_window_min).padStart(8)} min window`,
  );
  return [
    `${"".padEnd(30)} ${"n".padStart(6)} ${"MAPE".padStart(10)} ${"median".padStart(10)} ${"bias".padStart(10)} ${"in 80 %".padStart(10)}`,
    ...lines,
    "arrival, by how well the ends are known",
    ...arrivals,
  ].join("\n");
}

export default { help: "eta --data DIR(delivery)", run, table } satisfies Suite;
