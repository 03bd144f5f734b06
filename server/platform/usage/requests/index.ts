// The request log: kept in memory and written in batches, so a request costs no write. Bounded for each tenant and in all:
// a flood of one tenant pushes out its own oldest entries and nobody else's. A kill -9 loses the last flush interval.
import type { Clock } from "../../../lib/clock.ts";
import { createLoop } from "../../../lib/loop.ts";
import { DAY_MS, HOUR_MS } from "../../../lib/time.ts";
import type { Db } from "../../../store/db.ts";
import { addErrors, addRequests, type ErrorCount, forgetRequests, type LoggedRequest, trimRequests } from "./store.ts";

const MAX_PER_TENANT = 500;
const MAX_HELD = 2_000;
/** How many requests of a tenant the table keeps, and after how many new ones it is trimmed to that. */
const MAX_KEPT = 10_000;
const TRIM_AFTER = 1_000;
/** As far back as usage can be asked for by day. */
const ERROR_DAYS = 400;

export interface RequestLogOptions {
  db: Db;
  clock: Clock;
  flushMs: number;
  /** How long requests are kept; 0 logs none. */
  days: number;
  /** What the removal of old rows regards as now. */
  retentionNow(): Promise<number>;
  onError(error: unknown): void;
}

/** Instead of replacing it: an object that outlives a garbage collection costs more than ten that do not. */
function overwrite(kept: LoggedRequest, row: LoggedRequest): void {
  kept.tenantId = row.tenantId;
  kept.id = row.id;
  kept.atMs = row.atMs;
  kept.method = row.method;
  kept.url = row.url;
  kept.status = row.status;
  kept.code = row.code;
  kept.durationMs = row.durationMs;
  kept.keyId = row.keyId;
  kept.route = row.route;
}

export type RequestLog = ReturnType<typeof createRequestLog>;

export function createRequestLog(options: RequestLogOptions) {
  const { db, clock, flushMs, days, retentionNow, onError } = options;
  let held = 0;
  let pending = new Map<number, { rows: LoggedRequest[]; next: number }>();
  let failures = new Map<string, ErrorCount>();
  const addedSinceTrim = new Map<number, number>();
  let forgotMs = Number.NEGATIVE_INFINITY;
  const loop = createLoop({ clock, everyMs: flushMs, run: write, onError });

  async function write(): Promise<void> {
    const rows = [...pending.values()].flatMap((tenant) => tenant.rows);
    const counts = [...failures.values()];
    pending = new Map();
    failures = new Map();
    held = 0;
    // What cannot be written is lost: the log is for looking at, the books are kept by usage.
    if (counts.length > 0) await addErrors(db, counts);
    if (rows.length > 0) {
      await addRequests(db, rows);
      await trim(rows);
    }
    await forget();
  }

  async function trim(rows: LoggedRequest[]): Promise<void> {
    for (const { tenantId } of rows) addedSinceTrim.set(tenantId, (addedSinceTrim.get(tenantId) ?? 0) + 1);
    for (const [tenantId, added] of addedSinceTrim) {
      if (added < TRIM_AFTER) continue;
      addedSinceTrim.delete(tenantId);
      await trimRequests(db, tenantId, MAX_KEPT);
    }
  }

  async function forget(): Promise<void> {
    const now = clock.now();
    if (now - forgotMs < HOUR_MS) return;
    forgotMs = now;
    const kept = await retentionNow();
    await forgetRequests(db, kept - days * DAY_MS, kept - ERROR_DAYS * DAY_MS);
  }

  function keep(row: LoggedRequest): void {
    let tenant = pending.get(row.tenantId);
    if (!tenant) pending.set(row.tenantId, (tenant = { rows: [], next: 0 }));
    if (tenant.rows.length < MAX_PER_TENANT && held < MAX_HELD) {
      held++;
      tenant.rows.push(row);
    } else if (tenant.rows.length > 0) {
      overwrite(tenant.rows[tenant.next], row);
      tenant.next = (tenant.next + 1) % tenant.rows.length;
    }
  }

  function countFailure(row: LoggedRequest, code: string): void {
    const hourMs = row.atMs - (row.atMs % HOUR_MS);
    const name = `${row.tenantId} ${hourMs} ${row.route} ${code}`;
    const known = failures.get(name);
    if (known) {
      known.requests++;
      known.lastMs = row.atMs;
      known.lastId = row.id;
      return;
    }
    const { tenantId, route, atMs: lastMs, id: lastId } = row;
    failures.set(name, { tenantId, hourMs, route, code, requests: 1, lastMs, lastId });
  }

  loop.start();
  return {
    /** Takes the row as its own, or a copy of it. */
    note(row: LoggedRequest): void {
      if (days > 0) keep(row);
      if (row.code !== null) countFailure(row, row.code);
    },
    /** Writes what was noted. */
    flush: loop.settle,
    async close(): Promise<void> {
      await loop.settle();
      await loop.stop();
    },
  };
}
