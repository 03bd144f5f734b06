// Fits the ETA model on public taxi trips and writes its weights: bun training/eta/fit.ts --data DIR (laid out as delivery/).
// Iteratively reweighted ridge regression of log seconds; shift and band come from five-fold held-out residuals.
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { features, type Trip, tripKm } from "../../server/actions/delivery/engine/eta/features.ts";

interface Row {
  trip: Trip;
  km: number;
  seconds: number;
}

interface City {
  name: string;
  file: string;
  centre: { lat: number; lon: number };
}

const cities: City[] = [
  { name: "new-york", file: "nyc_taxi_trips.csv", centre: { lat: 40.7549, lon: -73.984 } },
  { name: "chicago", file: "chicago_taxi_trips.csv", centre: { lat: 41.8832, lon: -87.6324 } },
];
const folds = 5;
const rounds = 4;
const ridge = 1;
/** Residuals smaller than this are weighed as squares, larger ones by their size: close to a median. */
const softness = 0.2;

function main(): void {
  const at = process.argv.indexOf("--data");
  if (at < 0) throw new Error("--data DIR is missing; it is laid out as ../shared/data/delivery");
  const rows = cities.map((city) => readRows(join(process.argv[at + 1], "eta", city.file)));
  const fitted = cities.map((city, i) => fitProfile(city.name, rows[i], city.centre));
  fitted.push(fitProfile("any-city", rows.flat(), null));
  const target = resolve(import.meta.dir, "../../server/actions/delivery/engine/eta/coefficients.ts");
  writeFileSync(target, render(fitted));
  for (const f of fitted) console.log(f.report);
}

function readRows(file: string): Row[] {
  const [head, ...lines] = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split(","));
  const col = (name: string) => head.indexOf(name);
  return lines.map((f) => {
    const num = (name: string) => Number(f[col(name)]);
    const local = f[col("pickup_time_local")];
    const trip: Trip = {
      from: { lat: num("pickup_lat"), lon: num("pickup_lon") },
      to: { lat: num("dropoff_lat"), lon: num("dropoff_lon") },
      hour: Number(local.slice(11, 13)) + Number(local.slice(14, 16)) / 60,
      weekday: new Date(`${local}Z`).getUTCDay(),
    };
    return { trip, km: tripKm(trip), seconds: num("duration_s") };
  });
}

function fitProfile(name: string, rows: Row[], centre: City["centre"] | null) {
  const x = rows.map((r) => [...features(r.trip, r.km, centre)]);
  const y = rows.map((r) => Math.log(r.seconds));
  const held = new Array<number>(rows.length);
  const fold = (i: number) => (i * 7919) % folds;
  for (let k = 0; k < folds; k++) {
    const inside = rows.map((_, i) => i).filter((i) => fold(i) !== k);
    const beta = regress(
      inside.map((i) => x[i]),
      inside.map((i) => y[i]),
    );
    for (let i = 0; i < rows.length; i++) if (fold(i) === k) held[i] = dot(x[i], beta);
  }
  const shift = chooseShift(rows, held);
  const residuals = rows.map((r, i) => ({ x: bend(r.km), e: y[i] - held[i] - shift[0] - shift[1] * bend(r.km) }));
  const band = { low: quantileLine(residuals, 0.1), high: quantileLine(residuals, 0.9) };
  const report = score(name, rows, held, shift, band);
  return { name, centre, weights: regress(x, y), shift, ...band, report, n: rows.length };
}

function regress(x: number[][], y: number[]): number[] {
  const n = x[0].length;
  let beta = new Array<number>(n).fill(0);
  let weight = new Array<number>(x.length).fill(1);
  for (let round = 0; round < rounds; round++) {
    const a = new Float64Array(n * n);
    const b = new Float64Array(n);
    for (let i = 0; i < x.length; i++) {
      for (let p = 0; p < n; p++) {
        const v = weight[i] * x[i][p];
        b[p] += v * y[i];
        for (let q = 0; q <= p; q++) a[p * n + q] += v * x[i][q];
      }
    }
    for (let p = 0; p < n; p++) {
      a[p * n + p] += p === 0 ? 1e-6 : ridge;
      for (let q = 0; q < p; q++) a[q * n + p] = a[p * n + q];
    }
    beta = solve(a, b, n);
    weight = x.map((row, i) => softness / Math.max(softness, Math.abs(y[i] - dot(row, beta))));
  }
  return beta;
}

/** Cholesky. */
function solve(a: Float64Array, b: Float64Array, n: number): number[] {
  for (let j = 0; j < n; j++) {
    for (let k = 0; k < j; k++) a[j * n + j] -= a[j * n + k] ** 2;
    a[j * n + j] = Math.sqrt(a[j * n + j]);
    for (let i = j + 1; i < n; i++) {
      for (let k = 0; k < j; k++) a[i * n + j] -= a[i * n + k] * a[j * n + k];
      a[i * n + j] /= a[j * n + j];
    }
  }
  const out = Array.from(b);
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < i; k++) out[i] -= a[i * n + k] * out[k];
    out[i] /= a[i * n + i];
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) out[i] -= a[k * n + i] * out[k];
    out[i] /= a[i * n + i];
  }
  return out;
}

/** A median of a skewed quantity totals short: lean on the long trips until the total is 4 % short, at the least MAPE. */
function chooseShift(rows: Row[], held: number[]): [number, number] {
  let best: [number, number] = [0, 0];
  let least = Infinity;
  for (let s1 = 0; s1 <= 0.06; s1 += 0.005) {
    for (let s0 = -0.04; s0 <= 0.06; s0 += 0.0025) {
      const { mape, bias } = errors(rows, held, [s0, s1]);
      if (bias > -0.04 && mape < least) {
        least = mape;
        best = [s0, s1];
      }
    }
  }
  return best;
}

/** The q-quantile of the residuals as a straight line in `bend`, by pinball descent. */
function quantileLine(rows: { x: number; e: number }[], q: number): [number, number] {
  const sorted = rows.map((r) => r.e).sort((a, b) => a - b);
  let best: [number, number] = [sorted[Math.floor(q * sorted.length)], 0];
  let step = 0.1;
  const loss = ([a, b]: [number, number]) =>
    rows.reduce((sum, r) => sum + (r.e > a + b * r.x ? q * (r.e - a - b * r.x) : (1 - q) * (a + b * r.x - r.e)), 0);
  let least = loss(best);
  while (step > 0.001) {
    const tries: [number, number][] = [
      [step, 0],
      [-step, 0],
      [0, step],
      [0, -step],
    ];
    const next = tries.map(([a, b]): [number, number] => [best[0] + a, best[1] + b]).find((t) => loss(t) < least);
    if (next) {
      best = next;
      least = loss(next);
    } else step /= 2;
  }
  return best;
}

function errors(rows: Row[], held: number[], shift: [number, number]) {
  let mape = 0;
  let predicted = 0;
  let actual = 0;
  rows.forEach((r, i) => {
    const p = Math.exp(held[i] + shift[0] + shift[1] * bend(r.km));
    mape += Math.abs(p - r.seconds) / r.seconds;
    predicted += p;
    actual += r.seconds;
  });
  return { mape: mape / rows.length, bias: predicted / actual - 1 };
}

function score(
  name: string,
  rows: Row[],
  held: number[],
  shift: [number, number],
  band: { low: [number, number]; high: [number, number] },
): string {
  const { mape, bias } = errors(rows, held, shift);
  let inside = 0;
  rows.forEach((r, i) => {
    const x = bend(r.km);
    const e = Math.log(r.seconds) - held[i] - shift[0] - shift[1] * x;
    if (e >= band.low[0] + band.low[1] * x && e <= band.high[0] + band.high[1] * x) inside++;
  });
  const pc = (v: number) => `${(100 * v).toFixed(1)} %`;
  return `${name}: n ${rows.length}, held out in five folds: MAPE ${pc(mape)}, bias ${pc(bias)}, 80 % band holds ${pc(inside / rows.length)}`;
}

const bend = (km: number): number => Math.max(-1, Math.min(1.5, Math.log(km / 3)));
const dot = (a: number[], b: number[]): number => a.reduce((sum, v, i) => sum + v * b[i], 0);

function render(fitted: ReturnType<typeof fitProfile>[]): string {
  const numbers = (list: number[]) => {
    const lines: string[] = [];
    for (let i = 0; i < list.length; i += 10)
      lines.push(
        `      ${list
          .slice(i, i + 10)
          .map((v) => v.toFixed(5))
          .join(", ")},`,
      );
    return `[\n${lines.join("\n")}\n    ]`;
  };
  const pair = (p: [number, number]) => `[${p[0].toFixed(4)}, ${p[1].toFixed(4)}]`;
  const blocks = fitted.map(
    (f) => `  // ${f.report}
  {
    name: "${f.name}",
    centre: ${f.centre ? `{ lat: ${f.centre.lat}, lon: ${f.centre.lon} }` : "null"},
    reachKm: ${f.centre ? 45 : "Infinity"},
    shift: ${pair(f.shift)},
    low: ${pair(f.low)},
    high: ${pair(f.high)},
    weights: ${numbers(f.weights)},
  },`,
  );
  return `// Generated by training/eta/fit.ts; do not edit. Fitted on NYC TLC and City of Chicago taxi trips (open data).

export interface Profile {
  name: string;
  centre: { lat: number; lon: number } | null;
  /** Both ends within this distance of the centre: the profile applies. */
  reachKm: number;
  /** Added to the log of seconds: [constant, per unit of bend(km)]. */
  shift: [number, number];
  /** Log of the 10 % and the 90 % quantile against the estimate. */
  low: [number, number];
  high: [number, number];
  weights: number[];
}

/** The most special first; the last one speaks for any city. */
export const profiles: Profile[] = [
${blocks.join("\n")}
];
`;
}

main();
