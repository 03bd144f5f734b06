// Scores the route planner on the pickup-and-delivery instances of Li and Lim: vehicles and distance beside the best known.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { makeRoute, type Problem } from "../../../server/actions/delivery/engine/routing/problem.ts";
import { type Solution, solve } from "../../../server/actions/delivery/engine/routing/solve.ts";
import { seededRandom } from "../../../server/lib/random.ts";
import { DataError, type EvalOptions, type Suite } from "../../eval.ts";

interface Row {
  instance: string;
  vehicles: number;
  bestVehicles: number;
  distance: number;
  bestDistance: number;
}

/** `--seconds 1` of processor time each; `--clock wall` counts the wall instead. */
function run({ data, limit, flags, progress }: EvalOptions) {
  const folder = join(data, "lilim");
  const known = readBest(join(folder, "best-known.csv"));
  const seconds = Number(flags.seconds ?? 1);
  const files = readdirSync(folder)
    .filter((f) => f.endsWith(".txt"))
    .filter((f) => !flags.only || f.startsWith(flags.only))
    .slice(0, limit);
  if (files.length === 0) throw new DataError(`no .txt in ${folder}`);
  const rows = files.map((file, i): Row => {
    const instance = file.slice(0, -4);
    progress(i, files.length);
    const problem = readInstance(join(folder, file));
    const spent = clockOf(flags.clock);
    const random = seededRandom(`${instance} ${flags.seed ?? ""}`);
    const solution = solve(problem, { random, progress: () => spent() / seconds });
    check(problem, solution);
    const best = known.get(instance)!;
    const distance = solution.routes.reduce((sum, route) => sum + route.cost, 0);
    return {
      instance,
      vehicles: solution.routes.length,
      bestVehicles: best.vehicles,
      distance: Math.round(distance * 100) / 100,
      bestDistance: best.distance,
    };
  });
  const met = rows.filter((row) => row.vehicles <= row.bestVehicles);
  const gaps = met.map((row) => row.distance / row.bestDistance - 1);
  return {
    seconds,
    instances: rows.length,
    best_vehicles: met.length,
    best_vehicles_share: met.length / rows.length,
    within_5_percent: gaps.filter((gap) => gap <= 0.05).length,
    mean_gap: gaps.reduce((a, b) => a + b, 0) / Math.max(1, gaps.length),
    worst_gap: Math.max(...gaps),
    rows,
  };
}

function clockOf(kind: string | undefined): () => number {
  if (kind === "wall") {
    const start = performance.now();
    return () => (performance.now() - start) / 1000;
  }
  const start = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1e6;
  };
}

function readBest(file: string): Map<string, { vehicles: number; distance: number }> {
  const [, ...lines] = readFileSync(file, "utf8").trim().split(/\r?\n/);
  const cells = lines.map((line) => line.split(","));
  return new Map(cells.map(([name, vehicles, distance]) => [name, { vehicles: +vehicles, distance: +distance }]));
}

function readInstance(file: string): Problem {
  const [head, ...rows] = readFileSync(file, "utf8")
    .trim()
    .split(/\r?\n/)
    .map((line) => line.trim().split(/\s+/).map(Number));
  const nodes = rows.length;
  const column = (at: number) => Float64Array.from(rows, (row) => row[at]);
  const [x, y] = [column(1), column(2)];
  const cost = new Float64Array(nodes * nodes);
  for (let a = 0; a < nodes; a++) {
    for (let b = 0; b < nodes; b++) cost[a * nodes + b] = Math.hypot(x[a] - x[b], y[a] - y[b]);
  }
  const pickups = rows.filter((row) => row[0] > 0 && row[8] > 0);
  return {
    nodes,
    vehicles: head[0],
    capacity: head[1],
    cost,
    travel: cost,
    ready: column(4),
    due: column(5),
    service: column(6),
    demand: column(3),
    pickup: Int32Array.from(pickups, (row) => row[0]),
    dropoff: Int32Array.from(pickups, (row) => row[8]),
  };
}

/** A plan that breaks a rule counts for nothing. */
function check(problem: Problem, { routes, absent }: Solution): void {
  if (absent.length > 0) throw new Error(`${absent.length} requests were left out`);
  const seen = new Set<number>();
  for (const { stops } of routes) {
    if (!makeRoute(problem, stops)) throw new Error("a route breaks a window or the capacity");
    for (const stop of stops) {
      if (seen.has(stop)) throw new Error(`stop ${stop} is visited twice`);
      seen.add(stop);
    }
  }
  for (let r = 0; r < problem.pickup.length; r++) {
    const route = routes.find(({ stops }) => stops.includes(problem.pickup[r]));
    const order = route ? route.stops.indexOf(problem.dropoff[r]) - route.stops.indexOf(problem.pickup[r]) : 0;
    if (!(order > 0)) throw new Error(`request ${r} is not picked up before it is dropped off`);
  }
}

function table(result: ReturnType<typeof run>): string {
  const lines = result.rows.map(
    (row) =>
      `${row.instance.padEnd(10)} ${String(row.vehicles).padStart(3)} /${String(row.bestVehicles).padStart(3)}   ${row.distance.toFixed(2).padStart(10)}  ${((row.distance / row.bestDistance - 1) * 100).toFixed(2).padStart(6)} %`,
  );
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  return [
    "instance   vehicles     distance   to best",
    ...lines,
    `best known vehicles: ${result.best_vehicles} of ${result.instances} (${percent(result.best_vehicles_share)})`,
    `of these within 5 % of the distance: ${result.within_5_percent}; mean gap ${percent(result.mean_gap)}, worst ${percent(result.worst_gap)}`,
  ].join("\n");
}

const suite: Suite = { help: "Li and Lim instances: vehicles and distance beside the best known", run, table };
export default suite;
