// Prometheus metrics. A request adds to plain counters; prom-client reads them when it is scraped.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

export interface Metrics {
  observe(route: string, status: number, ms: number): void;
  /** A request was let through uncounted, or refused, because Redis was away. */
  quotaUndecided(): void;
  /** A gauge that is asked when scraped. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void;
  scrape(): Promise<{ contentType: string; text: string }>;
}

const edgesMs = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000];

interface Tally {
  statuses: Map<number, number>;
  /** Observations since the last scrape, in order of the edges, and one past them. */
  values: number[];
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
  const seconds = new Histogram({
    name: "connector_request_seconds",
    help: "Time to answer",
    labelNames: ["route"],
    buckets: edgesMs.map((ms) => ms / 1000),
    registers: [registry],
  });
  const undecided = new Counter({
    name: "connector_quota_undecided_total",
    help: "Requests decided without the shared quota store",
    registers: [registry],
  });

  return {
    observe(route, status, ms) {
      let tally = tallies.get(route);
      if (!tally) tallies.set(route, (tally = { statuses: new Map(), values: [] }));
      tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1);
      tally.values.push(ms);
      if (tally.values.length >= 1024) drain(tally, route);
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
        drain(tally, route);
        for (const [status, count] of tally.statuses) requests.inc({ route, status: String(status) }, count);
        tally.statuses.clear();
      }
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };

  function drain(tally: Tally, route: string): void {
    const observer = seconds.labels({ route });
    for (const ms of tally.values) observer.observe(ms / 1000);
    tally.values.length = 0;
  }
}
