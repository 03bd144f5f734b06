// SQL of alerts; the only file that knows their tables. What background work needs is in work/store.
import type { Mode } from "../../../contract/define.ts";
import type { Db, Tx } from "../../../store/db.ts";
import type { ConditionState } from "../engine/deliver/condition.ts";
import type { Pace, Suppressed } from "../engine/deliver/rules.ts";
import type { PollState } from "../engine/feed/schedule.ts";
import type { State } from "../machine.ts";
import type { Spec } from "../spec/spec.ts";

export interface Stats {
  matched: number;
  notified: number;
  suppressed: Suppressed;
}

export interface AlertRow {
  number: number;
  id: string;
  tenantId: number;
  mode: Mode;
  status: State;
  term: string | null;
  query: string;
  sources: number;
  spec: Spec;
  pace: Pace;
  conditions: Record<string, ConditionState>;
  stats: Stats;
  dueMs: number | null;
  expiresMs: number | null;
  createdMs: number;
  updatedMs: number;
}

export interface ChannelRow {
  id: string;
  alertNumber: number;
  tenantId: number;
  position: number;
  type: string;
  target: Record<string, string | number>;
  sealed: string;
  status: "pending_verification" | "active" | "failing" | "disabled";
  failures: number;
  failingSinceMs: number | null;
  lastError: string | null;
  token: string;
}

/** What is kept of a subscription at a hub. */
export interface WebSub {
  hub: string;
  topic: string;
  sealed: string;
  token: string;
  askedMs: number;
  /** Until when the hub has promised to push; null until it has confirmed. */
  untilMs: number | null;
}

export interface FeedRow {
  id: string;
  key: string;
  url: string;
  simulated: boolean;
  format: string | null;
  title: string | null;
  hub: string | null;
  websub: WebSub | null;
  state: PollState;
}

export const iso = (ms: number) => new Date(ms).toISOString();
export const isoOrNull = (ms: number | null) => (ms === null ? null : iso(ms));
export const msOrNull = (at: Date | string | null) => (at === null ? null : new Date(at).getTime());
export const json = (value: unknown) => JSON.stringify(value);

export type AlertStore = ReturnType<typeof createStore>;

export function createStore(db: Db) {
  return {
    async insert(tx: Tx, row: Omit<AlertRow, "number" | "mode">): Promise<number> {
      const [{ number }] = await tx`
        insert into alerts (id, tenant_id, status, term, query, sources, spec, pace, conditions, stats, due_at,
          expires_at, created_at, updated_at)
        values (${row.id}, ${row.tenantId}, ${row.status}, ${row.term}, ${row.query}, ${row.sources}, ${json(row.spec)}::text::jsonb,
          ${json(row.pace)}::text::jsonb, ${json(row.conditions)}::text::jsonb, ${json(row.stats)}::text::jsonb,
          ${isoOrNull(row.dueMs)}, ${isoOrNull(row.expiresMs)}, ${iso(row.createdMs)}, ${iso(row.updatedMs)})
        returning number`;
      return number;
    },
    async save(tx: Tx, row: AlertRow): Promise<void> {
      await tx`
        update alerts set status = ${row.status}, term = ${row.term}, query = ${row.query}, sources = ${row.sources},
          spec = ${json(row.spec)}::text::jsonb,
          pace = ${json(row.pace)}::text::jsonb, conditions = ${json(row.conditions)}::text::jsonb, stats =
            ${json(row.stats)}::text::jsonb,
          due_at = ${isoOrNull(row.dueMs)}, expires_at = ${isoOrNull(row.expiresMs)}, updated_at = ${iso(row.updatedMs)}
        where number = ${row.number}`;
    },
    /** Only what matching changes, for many at once. */
    async savePace(tx: Tx, rows: AlertRow[]): Promise<void> {
      if (rows.length === 0) return;
      const values = rows.map((r) => ({
        number: r.number,
        pace: r.pace,
        conditions: r.conditions,
        stats: r.stats,
        due_at: isoOrNull(r.dueMs),
      }));
      await tx`
        update alerts a set pace = v.pace, conditions = v.conditions, stats = v.stats, due_at = v.due_at
        from jsonb_to_recordset(${json(values)}::text::jsonb) as v (number int, pace jsonb, conditions jsonb, stats
          jsonb, due_at timestamptz)
        where a.number = v.number`;
    },
    async find(tenantId: number, id: string, tx: Tx = db.sql, lock = false): Promise<AlertRow | null> {
      const [row] = lock
        ? await tx`select a.*, t.mode from alerts a join tenants t on t.id = a.tenant_id where a.id = ${id} and
          a.tenant_id = ${tenantId} for update of a`
        : await tx`select a.*, t.mode from alerts a join tenants t on t.id = a.tenant_id where a.id = ${id} and
          a.tenant_id = ${tenantId}`;
      return row ? rowOf(row) : null;
    },
    /** Locked in one order, so that two who match the same alerts never wait for each other in a ring. */
    async lockMany(tx: Tx, numbers: number[]): Promise<AlertRow[]> {
      const rows = await tx`
        select a.*, t.mode from alerts a join tenants t on t.id = a.tenant_id
        where a.number = any(${numbers}::int[]) order by a.number for update of a`;
      return rows.map(rowOf);
    },
    async list(tenantId: number, status: string | null, before: string | null, count: number): Promise<AlertRow[]> {
      const rows = await db.sql`
        select a.*, t.mode from alerts a join tenants t on t.id = a.tenant_id
        where a.tenant_id = ${tenantId} and (${status}::text is null or a.status = ${status}) and (${before}::text is
          null or a.id < ${before})
        order by a.id desc limit ${count}`;
      return rows.map(rowOf);
    },
    async remove(tx: Tx, number: number, now: number): Promise<void> {
      await tx`delete from alerts where number = ${number}`;
      await tx`insert into alert_gone (number, gone_at) values (${number}, ${iso(now)}) on conflict do nothing`;
      await tx`delete from alert_feeds f where not exists (select 1 from alert_feed_links l where l.feed_id = f.id)`;
    },
    /** Told to every replica when the transaction commits. */
    tellChange: (tx: Tx, number: number) => tx`select pg_notify('connector_alerts', ${String(number)})`,

    async insertChannels(tx: Tx, rows: ChannelRow[]): Promise<void> {
      for (const c of rows) {
        await tx`
          insert into alert_channels (id, alert_number, tenant_id, position, type, target, sealed, status, token)
          values (${c.id}, ${c.alertNumber}, ${c.tenantId}, ${c.position}, ${c.type}, ${json(c.target)}::text::jsonb,
            ${c.sealed}, ${c.status}, ${c.token})`;
      }
    },
    removeChannels: (tx: Tx, number: number) => tx`delete from alert_channels where alert_number = ${number}`,
    async channelsOf(numbers: number[], tx: Tx = db.sql): Promise<ChannelRow[]> {
      const rows =
        await tx`select * from alert_channels where alert_number = any(${numbers}::int[]) order by alert_number, position`;
      return rows.map(channelOf);
    },
    async channelByToken(token: string, tx: Tx = db.sql): Promise<ChannelRow | null> {
      const [row] = await tx`select * from alert_channels where token = ${token}`;
      return row ? channelOf(row) : null;
    },
    async saveChannel(tx: Tx, c: ChannelRow): Promise<void> {
      await tx`
        update alert_channels set status = ${c.status}, failures = ${c.failures}, failing_since =
          ${isoOrNull(c.failingSinceMs)}, last_error = ${c.lastError}
        where id = ${c.id}`;
    },

    /** Links the alert to the feed of that key, making it when it is the first. */
    async linkFeed(tx: Tx, number: number, feed: FeedRow, intervalS: number | null): Promise<void> {
      const [{ id }] = await tx`
        insert into alert_feeds (id, key, url, simulated, state, next_at)
        values (${feed.id}, ${feed.key}, ${feed.url}, ${feed.simulated}, ${json(feed.state)}::text::jsonb,
          ${isoOrNull(feed.state.nextAt)})
        on conflict (key) do update set key = excluded.key returning id`;
      await tx`
        insert into alert_feed_links (alert_number, feed_id, interval_s) values (${number}, ${id}, ${intervalS})
        on conflict (alert_number, feed_id) do update set interval_s = excluded.interval_s`;
    },
    unlinkFeeds: (tx: Tx, number: number) => tx`delete from alert_feed_links where alert_number = ${number}`,
    async feedsOf(numbers: number[], tx: Tx = db.sql): Promise<(FeedRow & { alertNumber: number })[]> {
      const rows = await tx`
        select f.*, l.alert_number from alert_feeds f join alert_feed_links l on l.feed_id = f.id where l.alert_number
          = any(${numbers}::int[])`;
      return rows.map((r: any) => ({ ...feedOf(r), alertNumber: r.alert_number }));
    },
    async heldOf(numbers: number[]): Promise<Map<number, number>> {
      const rows = await db.sql`
        select alert_number, count(*)::int as held from alert_matches
        where alert_number = any(${numbers}::int[]) and state = 'held' group by alert_number`;
      return new Map(rows.map((r: any) => [r.alert_number, r.held]));
    },
  };
}

export function rowOf(r: any): AlertRow {
  return {
    number: r.number,
    id: r.id,
    tenantId: r.tenant_id,
    mode: r.mode,
    status: r.status,
    term: r.term,
    query: r.query,
    sources: r.sources,
    spec: r.spec,
    pace: r.pace,
    conditions: r.conditions,
    stats: r.stats,
    dueMs: msOrNull(r.due_at),
    expiresMs: msOrNull(r.expires_at),
    createdMs: msOrNull(r.created_at)!,
    updatedMs: msOrNull(r.updated_at)!,
  };
}

export function channelOf(r: any): ChannelRow {
  return {
    id: r.id,
    alertNumber: r.alert_number,
    tenantId: r.tenant_id,
    position: r.position,
    type: r.type,
    target: r.target,
    sealed: r.sealed,
    status: r.status,
    failures: r.failures,
    failingSinceMs: msOrNull(r.failing_since),
    lastError: r.last_error,
    token: r.token,
  };
}

export function feedOf(r: any): FeedRow {
  return {
    id: r.id,
    key: r.key,
    url: r.url,
    simulated: r.simulated,
    format: r.format,
    title: r.title,
    hub: r.hub,
    websub: r.websub,
    state: r.state,
  };
}
