// Prometheus metrics. A request adds to plain counters; prom-client reads them when it is scraped.
import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";

export interface Metrics {
  /** What takes the answers of one route. */
  observerOf(route: string): Observe;
  /** A request was let through uncounted, or refused, because Redis was away. */
  quotaUndecided(): void;
  /** A gauge that is asked when scraped. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void;
  scrape(): Promise<{ contentType: string; text: string }>;
}

export type Observe = (status: number, ms: number) => void;

const EDGES_MS = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000];

interface Tally {
  statuses: Map<number, number>;
  /** How many took at most each edge, and one past them. */
  buckets: Float64Array;
  sumMs: number;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const tallies = new Map<string, Tally>();
  const requests = new Counter({
    name: "connector_requests_total",
    help: "Answers by route and status",
    labelNames: ["route", "status"],
    registers: [registry],
  });
  const undecided = new Counter({
    name: "connector_quota_undecided_total",
    help: "Requests decided without the shared quota store",
    registers: [registry],
  });

  return {
    observerOf(route) {
      const tally = tallies.get(route) ?? {
        statuses: new Map(),
        buckets: new Float64Array(EDGES_MS.length + 1),
        sumMs: 0,
      };
      tallies.set(route, tally);
      return (status, ms) => add(tally, status, ms);
    },
    quotaUndecided: () => undecided.inc(),
    gauge(name, help, read) {
      new Gauge({
        name,
        help,
        registers: [registry],
        async collect() {
          this.set(await read());
        },
      });
    },
    async scrape() {
      for (const [route, tally] of tallies) {
        for (const [status, count] of tally.statuses) requests.inc({ route, status: String(status) }, count);
        tally.statuses.clear();
      }
      return { contentType: registry.contentType, text: `${await registry.metrics()}\n${renderTimes(tallies)}` };
    },
  };
}

function add(tally: Tally, status: number, ms: number): void {
  tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1);
  tally.sumMs += ms;
  let edge = 0;
  while (edge < EDGES_MS.length && ms > EDGES_MS[edge]) edge++;
  tally.buckets[edge]++;
}

/** The histogram in Prometheus's text form; written here so that a request costs one addition and no label look-up. */
function renderTimes(tallies: Map<string, Tally>): string {
  const name = "connector_request_seconds";
  const lines = [`# HELP ${name} Time to answer`, `# TYPE ${name} histogram`];
  for (const [route, { buckets, sumMs }] of tallies) {
    if (buckets.every((n) => n === 0)) continue;
    let count = 0;
    for (let i = 0; i <= EDGES_MS.length; i++) {
      count += buckets[i];
      const edge = i < EDGES_MS.length ? EDGES_MS[i] / 1000 : "+Inf";
      lines.push(`${name}_bucket{le="${edge}",route="${route}"} ${count}`);
    }
    lines.push(`${name}_sum{route="${route}"} ${sumMs / 1000}`, `${name}_count{route="${route}"} ${count}`);
  }
  return `${lines.join("\n")}\n`;
}

/** The metrics of several processes as one text: each line says of which process it is. By number of the process. */
export function mergeMetrics(texts: Map<number, string>): string {
  const families = new Map<string, { head: string[]; lines: string[] }>();
  for (const [number, text] of texts) {
    let family = { head: [] as string[], lines: [] as string[] };
    for (const line of text.split("\n")) {
      if (line === "") continue;
      const [, kind, name] = /^# (HELP|TYPE) (\S+)/.exec(line) ?? [];
      if (!kind) {
        family.lines.push(withLabel(line, number));
        continue;
      }
      if (!families.has(name)) families.set(name, { head: [], lines: [] });
      family = families.get(name)!;
      if (!family.head.some((known) => known.startsWith(`# ${kind} `))) family.head.push(line);
    }
  }
  return `${[...families.values()].flatMap(({ head, lines }) => [...head, ...lines]).join("\n")}\n`;
}

function withLabel(line: string, number: number): string {
  const end = line.indexOf("{");
  const space = line.indexOf(" ");
  return end >= 0 && end < space
    ? `${line.slice(0, end)}{process="${number}",${line.slice(end + 1)}`
    : `${line.slice(0, space)}{process="${number}"}${line.slice(space)}`;
}
