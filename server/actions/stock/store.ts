// All SQL of stock.
import type { Mode } from "../../contract/define.ts";
import { jsonb, toMs, type Db, type Tx } from "../../store/db.ts";
import type { FeedTerms } from "./engine/feed/book.ts";
import type { Instrument } from "./engine/symbols/instrument.ts";
import type { LevelState, LevelTerms } from "./machine.ts";

export interface LevelRow extends LevelTerms {
  id: string;
  tenantId: number;
  mode: Mode;
  key: string;
  symbol: string;
  mic: string | null;
  state: LevelState;
  tags: string[];
  createdMs: number;
  crossedMs: number | null;
  crossedPrice: string | null;
}

export interface LevelFilter {
  key: string | null;
  state: LevelState | null;
  tag: string | null;
}

export interface SavedBook {
  tenantId: number;
  key: string;
  symbol: string;
  mic: string | null;
  terms: FeedTerms;
  state: unknown;
}

export interface BookQuery {
  since: Date;
  notBy: string;
  /** Behind this key. */
  after: string;
  count: number;
}

export type StockStore = ReturnType<typeof createStore>;

export const createStore = (db: Db) => ({ ...levelQueries(db), ...bookQueries(db), ...instrumentQueries(db) });

function levelQueries(db: Db) {
  return {
    async insertLevel(tx: Tx, row: LevelRow): Promise<void> {
      await tx`
        insert into stock_levels (id, tenant_id, key, symbol, mic, above, below, percent, hysteresis, repeat, state, tags, mode, created_at)
        values (${row.id}, ${row.tenantId}, ${row.key}, ${row.symbol}, ${row.mic}, ${row.above}, ${row.below}, ${row.percent},
          ${row.hysteresis}, ${row.repeat}, ${row.state},
          array(select jsonb_array_elements_text(${jsonb(row.tags)}::text::jsonb)), ${row.mode}, ${new Date(row.createdMs)})`;
    },
    async countLevels(tenantId: number): Promise<number> {
      const [row] = await db.sql`select count(*)::int as n from stock_levels where tenant_id = ${tenantId}`;
      return row.n;
    },
    async listLevels(
      tenantId: number,
      { key, state, tag }: LevelFilter,
      after: string | null,
      count: number,
    ): Promise<LevelRow[]> {
      const rows = await db.sql`
        select * from stock_levels
        where tenant_id = ${tenantId} and (${after}::text is null or id < ${after})
          and (${key}::text is null or key = ${key}) and (${state}::text is null or state = ${state})
          and (${tag}::text is null or ${tag} = any(tags))
        order by id desc limit ${count}`;
      return rows.map(levelOf);
    },
    async findLevel(tenantId: number, id: string): Promise<LevelRow | null> {
      const [row] = await db.sql`select * from stock_levels where tenant_id = ${tenantId} and id = ${id}`;
      return row ? levelOf(row) : null;
    },
    async lockLevel(tx: Tx, tenantId: number, id: string): Promise<LevelRow | null> {
      const [row] = await tx`select * from stock_levels where tenant_id = ${tenantId} and id = ${id} for update`;
      return row ? levelOf(row) : null;
    },
    async updateLevel(tx: Tx, row: LevelRow): Promise<void> {
      await tx`
        update stock_levels set above = ${row.above}, below = ${row.below}, percent = ${row.percent},
          hysteresis = ${row.hysteresis}, repeat = ${row.repeat}, state = ${row.state},
          tags = array(select jsonb_array_elements_text(${jsonb(row.tags)}::text::jsonb))
        where id = ${row.id}`;
    },
    async deleteLevel(tx: Tx, tenantId: number, id: string): Promise<LevelRow | null> {
      const [row] = await tx`delete from stock_levels where tenant_id = ${tenantId} and id = ${id} returning *`;
      return row ? levelOf(row) : null;
    },
    async activeLevels(): Promise<LevelRow[]> {
      const rows = await db.sql`select * from stock_levels where state <> 'done' order by id limit 20000`;
      return rows.map(levelOf);
    },
    /**
     * Changes a level's state only if nobody changed it meanwhile, neither its state nor its condition, so that several
     * replicas fire it once in total.
     */
    async moveLevel(
      tx: Tx,
      row: LevelRow,
      to: LevelState,
      crossed: { atMs: number; price: string } | null,
    ): Promise<LevelRow | null> {
      const at = crossed ? new Date(crossed.atMs) : null;
      const [moved] = await tx`
        update stock_levels set state = ${to}, crossed_at = coalesce(${at}, crossed_at),
          crossed_price = coalesce(${crossed?.price ?? null}, crossed_price)
        where id = ${row.id} and state = ${row.state} and above is not distinct from ${row.above}
          and below is not distinct from ${row.below} and percent is not distinct from ${row.percent} returning *`;
      return moved ? levelOf(moved) : null;
    },
    transaction: <T>(work: (tx: Tx) => Promise<T>): Promise<T> => db.sql.begin(work) as Promise<T>,
  };
}

function bookQueries(db: Db) {
  return {
    /** `savedBy` names the process, which need not read again what it saved itself. */
    async saveBooks(books: SavedBook[], now: number, savedBy: string): Promise<void> {
      if (books.length === 0) return;
      const rows = books.map((b) => ({
        tenant_id: b.tenantId,
        key: b.key,
        source: b.terms.source,
        symbol: b.symbol,
        mic: b.mic,
        terms: b.terms,
        state: b.state,
      }));
      await db.sql`
        insert into stock_books (tenant_id, key, source, symbol, mic, terms, state, updated_at, saved_by)
        select tenant_id, key, source, symbol, mic, terms, state, ${new Date(now)}, ${savedBy}
        from jsonb_to_recordset(${jsonb(rows)}::text::jsonb)
          as b (tenant_id int, key text, source text, symbol text, mic text, terms jsonb, state jsonb)
        on conflict (tenant_id, key) do update set source = excluded.source, symbol = excluded.symbol, mic = excluded.mic,
          terms = excluded.terms, state = excluded.state, updated_at = excluded.updated_at,
          saved_at = clock_timestamp(), saved_by = excluded.saved_by`;
    },
    /** Books that others than `notBy` saved since then, in the order of their keys. */
    async findBooks(tenantId: number, { since, notBy, after, count }: BookQuery): Promise<SavedBook[]> {
      const rows = await db.sql`
        select key, symbol, mic, terms, state from stock_books
        where tenant_id = ${tenantId} and saved_at >= ${since} and saved_by is distinct from ${notBy} and key > ${after}
        order by key limit ${count}`;
      return rows.map((r: any) => ({
        tenantId,
        key: r.key,
        symbol: r.symbol,
        mic: r.mic,
        terms: r.terms,
        state: r.state,
      }));
    },
    /** How many there are, and the time from which on the next look must look: what is being committed now may be a little older. */
    async countBooks(tenantId: number): Promise<{ count: number; nextSince: Date }> {
      const [row] = await db.sql`
        select count(*)::int as count, clock_timestamp() - interval '10 seconds' as next_since
        from stock_books where tenant_id = ${tenantId}`;
      return { count: row.count, nextSince: row.next_since };
    },
    async bookKeys(tenantId: number): Promise<string[]> {
      return (await db.sql`select key from stock_books where tenant_id = ${tenantId}`).map((r: any) => r.key);
    },
    /** The number of removed books: 0 or 1. */
    async deleteBook(tenantId: number, key: string): Promise<number> {
      const rows = await db.sql`delete from stock_books where tenant_id = ${tenantId} and key = ${key} returning key`;
      return rows.length;
    },
  };
}

function instrumentQueries(db: Db) {
  return {
    /** Replaces the operator's directory as a whole: what is not in the file any more is gone. */
    async replaceInstruments(instruments: Instrument[]): Promise<void> {
      await db.sql.begin(async (tx) => {
        await tx`delete from stock_instruments`;
        for (let i = 0; i < instruments.length; i += 2000) {
          const rows = instruments.slice(i, i + 2000).map((data) => ({ symbol: data.symbol, mic: data.mic, data }));
          await tx`
            insert into stock_instruments (symbol, mic, data)
            select distinct on (symbol, mic) symbol, mic, data
            from jsonb_to_recordset(${jsonb(rows)}::text::jsonb) as i (symbol text, mic text, data jsonb)
            on conflict (symbol, mic) do update set data = excluded.data`;
        }
      });
    },
    async countInstruments(): Promise<number> {
      const [row] = await db.sql`select count(*)::int as n from stock_instruments`;
      return row.n;
    },
    async instruments(): Promise<Instrument[]> {
      return (await db.sql`select data from stock_instruments`).map((r: any) => r.data);
    },
  };
}

function levelOf(r: any): LevelRow {
  return {
    id: r.id,
    tenantId: r.tenant_id,
    mode: r.mode,
    key: r.key,
    symbol: r.symbol,
    mic: r.mic,
    above: r.above,
    below: r.below,
    percent: r.percent,
    hysteresis: r.hysteresis,
    repeat: r.repeat,
    state: r.state,
    tags: r.tags,
    createdMs: toMs(r.created_at),
    crossedMs: toMs(r.crossed_at),
    crossedPrice: r.crossed_price,
  };
}
