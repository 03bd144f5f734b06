// What an operator sees of a running service: gauges, the delay of the event loop, and which routes were on when it was slow.
import type { Logger } from "pino";
import type { Gate } from "../http/gate.ts";
import type { Metrics } from "../http/metrics.ts";
import type { Pool } from "../lib/pool/index.ts";
import { startWatchdog } from "../lib/watchdog.ts";
import type { EventStreams } from "../platform/events/index.ts";
import { countDeadJobs } from "../platform/jobs/index.ts";
import type { StoreHealth } from "../platform/store-health/index.ts";
import { countWaiting } from "../platform/webhooks/index.ts";
import type { Db } from "../store/db.ts";

export interface ObserveOptions {
  db: Db;
  log: Logger;
  metrics: Metrics;
  health: StoreHealth;
  pool: Pool;
  /** Log lines that could not be written. */
  droppedLines(): number;
  streams: Pick<EventStreams, "size">;
  gate: Pick<Gate, "routesInFlight">;
}

/** Begins once the service answers, since the slow turns of a start are nobody's request. Returns how to end it. */
export function observe(options: ObserveOptions): () => void {
  const { db, log, metrics, health, pool, droppedLines, streams, gate } = options;
  let slowTurns = 0;
  const watchdog = startWatchdog((delayMs) => {
    slowTurns += 1;
    log.warn(
      { delay_ms: Math.round(delayMs), routes: gate.routesInFlight() },
      "one turn of the event loop took too long",
    );
  });
  // A scrape must not fail because the store is away: that is when it is needed most.
  const asked = (read: () => Promise<number>) => () => read().catch(() => Number.NaN);
  const gauges: [name: string, help: string, read: () => number | Promise<number>][] = [
    ["connector_jobs_dead", "Background jobs that failed for good", asked(() => countDeadJobs(db))],
    ["connector_webhook_retries", "Webhook deliveries that wait for another attempt", asked(() => countWaiting(db))],
    ["connector_data_free_bytes", "Free space on the disk of the embedded store", health.freeBytes],
    ["connector_log_lines_dropped", "Log lines that could not be written", droppedLines],
    ["connector_streams_open", "Readers of events in this process", streams.size],
    ["connector_pool_waiting", "Tasks that wait for a thread of the pool", () => pool.standing().waiting],
    ["connector_pool_ended", "Tasks that were ended at one of their bounds", () => pool.standing().ended],
    ["connector_pool_refused", "Tasks that found no room in the pool", () => pool.standing().refused],
    ["connector_slow_turns", "Turns of the event loop that took more than 50 ms", () => slowTurns],
    [
      "connector_event_loop_delay_seconds",
      "The longest delay of the event loop since the last scrape",
      () => watchdog.takeMaxDelayMs() / 1000,
    ],
  ];
  for (const gauge of gauges) metrics.gauge(...gauge);
  return watchdog.stop;
}
