// The books of users' own feeds: held in memory, saved to the store every second (write-behind), loaded after a restart.
import type { Logger } from "pino";
import type { Clock } from "../../../lib/clock.ts";
import type { Calendars } from "../engine/calendar/index.ts";
import { Book, type Applied, type FeedTerms } from "../engine/feed/book.ts";
import type { Tick } from "../engine/feed/tick.ts";
import { buildQuote } from "../engine/quote/build.ts";
import { fromMillis } from "../engine/quote/instant.ts";
import { ServedQuote } from "../engine/quote/serve.ts";
import type { Security } from "../engine/upstream/source.ts";
import type { StockStore } from "../store.ts";

const FLUSH_MS = 1000;
/** How often the books of other processes are loaded; less often for a tenant without a feed. */
const RELOAD_MS = 2000;
const RELOAD_EMPTY_MS = 15_000;

interface BookEntry {
  security: Security;
  book: Book;
  terms: FeedTerms;
  dirty: boolean;
  served: ServedQuote | null;
}

interface TenantBooks {
  books: Map<string, BookEntry>;
  loadedAt: number;
  loading: Promise<void> | null;
}

export interface Books {
  /** A promise while the tenant's books are loaded for the first time; null once they can be read. */
  ready(tenantId: number): Promise<void> | null;
  find(tenantId: number, key: string): ServedQuote | null;
  apply(tenantId: number, security: Security, terms: FeedTerms, tick: Tick): Applied;
  start(): void;
  stop(): Promise<void>;
}

export function createBooks(deps: {
  store: StockStore;
  clock: Clock;
  log: Logger;
  calendars: Calendars;
  securityOf(symbol: string, mic: string | null): Security;
}): Books {
  const { store, clock, log, calendars } = deps;
  const tenants = new Map<number, TenantBooks>();
  let stopFlushing = () => {};

  const calendarOf = (security: Security) => (security.mic ? calendars.get(security.mic) : null);

  function booksOf(tenantId: number): TenantBooks {
    let mine = tenants.get(tenantId);
    if (!mine) tenants.set(tenantId, (mine = { books: new Map(), loadedAt: -Infinity, loading: null }));
    return mine;
  }

  async function load(tenantId: number, mine: TenantBooks): Promise<void> {
    for (const saved of await store.findBooks(tenantId)) {
      if (mine.books.get(saved.key)?.dirty) continue;
      const security = deps.securityOf(saved.symbol, saved.mic);
      const book = Book.load(saved.symbol, saved.state, calendarOf(security));
      mine.books.set(saved.key, { security, book, terms: saved.terms, dirty: false, served: null });
    }
    mine.loadedAt = clock.now();
  }

  function ready(tenantId: number): Promise<void> | null {
    const mine = booksOf(tenantId);
    const first = mine.loadedAt === -Infinity;
    if (!mine.loading && clock.now() - mine.loadedAt >= (mine.books.size > 0 ? RELOAD_MS : RELOAD_EMPTY_MS)) {
      mine.loading = load(tenantId, mine).finally(() => (mine.loading = null));
      if (!first)
        mine.loading.catch((error) => log.warn({ error: String(error) }, "books of own feeds could not be read"));
    }
    return first ? mine.loading : null;
  }

  async function flush(): Promise<void> {
    const dirty = [...tenants].flatMap(([tenantId, mine]) =>
      [...mine.books].filter(([, entry]) => entry.dirty).map(([key, entry]) => ({ tenantId, key, entry })),
    );
    if (dirty.length === 0) return;
    for (const { entry } of dirty) entry.dirty = false;
    try {
      await store.saveBooks(
        dirty.map(({ tenantId, key, entry }) => ({
          tenantId,
          key,
          symbol: entry.security.symbol,
          mic: entry.security.mic,
          terms: entry.terms,
          state: entry.book.save(),
        })),
        clock.now(),
      );
    } catch (error) {
      for (const { entry } of dirty) entry.dirty = true;
      log.error({ error: String(error) }, "books of own feeds could not be written; they are kept and tried again");
    }
  }

  return {
    ready,
    find(tenantId, key) {
      const entry = tenants.get(tenantId)?.books.get(key);
      if (!entry) return null;
      if (entry.served) return entry.served;
      const calendar = calendarOf(entry.security);
      const { instrument, mic } = entry.security;
      const built = buildQuote(entry.book.draft(entry.terms), {
        instrument,
        mic,
        calendar,
        receivedAt: fromMillis(clock.now()),
      });
      return built.ok ? (entry.served = new ServedQuote(built.quote, calendar)) : null;
    },
    apply(tenantId, security, terms, tick) {
      const { books } = booksOf(tenantId);
      let entry = books.get(security.key);
      if (!entry || entry.terms.source !== terms.source) {
        entry = { security, book: new Book(security.symbol), terms, dirty: false, served: null };
        books.set(security.key, entry);
      }
      const result = entry.book.apply(tick, calendarOf(security));
      if (result !== "applied") return result;
      entry.terms = terms;
      entry.dirty = true;
      entry.served = null;
      return result;
    },
    start() {
      stopFlushing = clock.every(FLUSH_MS, () => void flush());
    },
    async stop() {
      stopFlushing();
      await flush();
    },
  };
}
