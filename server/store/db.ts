// The connection to PostgreSQL: pool, time-outs, and a clear word at start when the database will not do.
import { type ReservedSQL, SQL, type TransactionSQL } from "bun";
import { within } from "../lib/deadline.ts";
import { formatTime } from "../lib/time.ts";

export interface Db {
  sql: SQL;
  url: string;
  close(): Promise<void>;
}

/** What SQL can be run on: the pool, or an open transaction. */
export type Tx = SQL | TransactionSQL;

export class StoreError extends Error {}

const OLDEST_VERSION = 150_000;

export async function connect(options: { url: string; pool: number; timeoutMs: number }): Promise<Db> {
  const sql = new SQL({
    url: options.url,
    max: options.pool,
    idleTimeout: 0,
    connectionTimeout: 10,
    connection: { statement_timeout: String(options.timeoutMs), application_name: "action-connector" },
  } as ConstructorParameters<typeof SQL>[0]);
  const host = new URL(options.url).host;
  try {
    const [{ version }] = await sql`select current_setting('server_version_num')::int as version`;
    if (version < OLDEST_VERSION) {
      throw new StoreError(
        `The PostgreSQL at ${host} is version ${Math.floor(version / 10_000)}; 15 or newer is needed. Hint: upgrade it, or leave CONNECTOR_DATABASE_URL out.`,
      );
    }
  } catch (error) {
    await sql.close({ timeout: 0 }).catch(() => {});
    if (error instanceof StoreError) throw error;
    throw new StoreError(
      `The PostgreSQL at ${host} cannot be used: ${(error as Error).message}. Hint: check that it runs and that CONNECTOR_DATABASE_URL is right.`,
    );
  }
  return { sql: bounded(sql, options.timeoutMs), url: options.url, close: () => sql.close({ timeout: 5 }) };
}

/** What PostgreSQL does not end by itself (it hangs, or the network swallows it), we end a little later. */
const GRACE_MS = 1_000;

/**
 * The same connection pool, with an end to every wait: a query, and a transaction as a whole, fail with a DeadlineError
 * on our side. What was sent may still happen; the connection is used again once it has answered.
 */
function bounded<T extends Tx>(sql: T, timeoutMs: number): T {
  const queryMs = timeoutMs + GRACE_MS;
  return new Proxy(sql, {
    apply(target, self, args) {
      const made = Reflect.apply(target as never, self, args);
      // A fragment or a list of values is made by the same function and is never waited for.
      return Array.isArray(args[0]?.raw) ? withDeadline(made, queryMs) : made;
    },
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      if (name === "unsafe") return (...args: unknown[]) => withDeadline((value as Make).apply(target, args), queryMs);
      // With options of its own (a backup's long reading) a transaction takes what time it needs.
      if (name === "begin") {
        return (...args: [work: (tx: Tx) => unknown]) => {
          if (args.length > 1) return (value as Make).apply(target, args);
          const work = (tx: Tx) => args[0](bounded(tx, timeoutMs));
          return within(queryMs + timeoutMs, "a transaction", (value as Make).call(target, work) as Promise<unknown>);
        };
      }
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

type Make = (...args: unknown[]) => object;

/** A query begins when it is waited for, so that is where its deadline begins. */
function withDeadline(query: any, ms: number): unknown {
  const begin = query.then;
  const then = (...next: [never, never]) =>
    within(ms, "the store", new Promise((done, fail) => begin.call(query, done, fail))).then(...next);
  // biome-ignore lint/suspicious/noThenProperty: a query is a promise already, and stays the one it was.
  return Object.defineProperty(query, "then", { value: then });
}

/** A connection of one's own beside the pool, for locks that live as long as it does. */
export interface Session {
  sql: ReservedSQL;
  close(): Promise<void>;
}

export async function openSession(db: Db): Promise<Session> {
  const own = new SQL({ url: db.url, max: 1, idleTimeout: 0, connectionTimeout: 10 } as ConstructorParameters<
    typeof SQL
  >[0]);
  try {
    const sql = await own.reserve();
    return {
      sql,
      async close() {
        try {
          sql.release();
        } catch {
          // A connection that is gone has nothing to give back.
        }
        await within(1000, "closing a session", own.close({ timeout: 0 })).catch(() => {});
      },
    };
  } catch (error) {
    await own.close({ timeout: 0 }).catch(() => {});
    throw error;
  }
}

/** The name of the constraint when the error is a unique violation, else null. */
export function violatedConstraint(error: unknown): string | null {
  const { errno, constraint } = (error ?? {}) as { errno?: string; constraint?: string };
  return errno === "23505" ? (constraint ?? "") : null;
}

/** A row's time as milliseconds since the epoch; null stays null. */
export function toMs(at: Date): number;
export function toMs(at: Date | null): number | null;
export function toMs(at: Date | null): number | null {
  return at === null ? null : at.getTime();
}

/** Milliseconds as an answer shows them and as PostgreSQL takes them (`::timestamptz`); null stays null. */
export function toIso(ms: number): string;
export function toIso(ms: number | null): string | null;
export function toIso(ms: number | null): string | null {
  return ms === null ? null : formatTime(ms);
}

/** A value as a parameter for `${jsonb(value)}::text::jsonb`: the driver would store a bare string as a JSON string. */
export const jsonb = (value: unknown): string => JSON.stringify(value);

/** Calls back at every NOTIFY on the channel, also after the connection was lost and came back; ends when called. */
export async function listen(
  db: Db,
  channel: string,
  onNotify: (payload: string) => void,
): Promise<() => Promise<void>> {
  const sql = db.sql as unknown as {
    listen(channel: string, on: (payload: string) => void): Promise<{ unlisten(): Promise<void> }>;
  };
  const subscription = await sql.listen(channel, onNotify);
  return () => subscription.unlisten().catch(() => {});
}

/** Resolves when the store answers. */
export async function ping(db: Db): Promise<void> {
  await db.sql`select 1`;
}
