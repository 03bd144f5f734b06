// The books of users' own feeds: held in memory, saved to the store every second (write-behind), loaded after a restart.
import type { Logger } from "pino";
import type { Clock } from "../../../lib/clock.ts";
import { capFailure } from "../../../platform/caps/index.ts";
import { createLoop } from "../../../lib/loop.ts";
import type { Calendars, MarketCalendar } from "../engine/calendar/index.ts";
import { Book, type Applied, type FeedTerms } from "../engine/feed/book.ts";
import type { Tick } from "../engine/feed/tick.ts";
import { buildQuote } from "../engine/quote/build.ts";
import { fromMillis } from "../engine/quote/instant.ts";
import { ServedQuote } from "../engine/quote/serve.ts";
import type { Security } from "../engine/upstream/source.ts";
import type { SavedBook, StockStore } from "../store.ts";

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
  /** Whether there was a book to remove. */
  remove(tenantId: number, key: string): Promise<boolean>;
  start(): void;
  settle(): Promise<void>;
  stop(): Promise<void>;
}

export interface BooksDeps {
  store: StockStore;
  clock: Clock;
  log: Logger;
  calendars: Calendars;
  securityOf(symbol: string, mic: string | null): Security;
}

export function createBooks({ store, clock, log, calendars, securityOf }: BooksDeps): Books {
  const tenants = new Map<number, TenantBooks>();
  const saveAll = createSave({ store, clock, log });
  const flushing = createLoop({
    clock,
    everyMs: FLUSH_MS,
    run: flush,
    onError: (error) =>
      log.error({ error: String(error) }, "books of own feeds could not be saved; they are kept and saved later"),
  });

  const calendarOf = (security: Security) => (security.mic ? calendars.get(security.mic) : null);

  function booksOf(tenantId: number): TenantBooks {
    let mine = tenants.get(tenantId);
    if (!mine) tenants.set(tenantId, (mine = { books: new Map(), loadedAt: -Infinity, loading: null }));
    return mine;
  }

  /** Takes over what other processes saved and removed; a book with unsaved ticks is newer than the store. */
  async function load(tenantId: number, mine: TenantBooks): Promise<void> {
    const before = new Set(mine.books.keys());
    for (const saved of await store.findBooks(tenantId)) {
      before.delete(saved.key);
      if (mine.books.get(saved.key)?.dirty) continue;
      const security = securityOf(saved.symbol, saved.mic);
      const book = Book.load(saved.symbol, saved.state, calendarOf(security));
      mine.books.set(saved.key, { security, book, terms: saved.terms, dirty: false, served: null });
    }
    for (const key of before) if (!mine.books.get(key)?.dirty) mine.books.delete(key);
    mine.loadedAt = clock.now();
  }

  function ready(tenantId: number): Promise<void> | null {
    const mine = booksOf(tenantId);
    const first = mine.loadedAt === -Infinity;
    if (!mine.loading && clock.now() - mine.loadedAt >= (mine.books.size > 0 ? RELOAD_MS : RELOAD_EMPTY_MS)) {
      mine.loading = load(tenantId, mine).finally(() => (mine.loading = null));
      if (!first)
        mine.loading.catch((error) => log.warn({ error: String(error) }, "books of own feeds could not be loaded"));
    }
    return first ? mine.loading : null;
  }

  async function flush(): Promise<void> {
    const dirty = dirtyEntries(tenants);
    if (dirty.length === 0) return;
    await saveAll(dirty);
  }

  function find(tenantId: number, key: string): ServedQuote | null {
    const entry = tenants.get(tenantId)?.books.get(key);
    if (!entry) return null;
    return (entry.served ??= serve(entry, calendarOf(entry.security), clock.now()));
  }

  function apply(tenantId: number, security: Security, terms: FeedTerms, tick: Tick): Applied {
    const { books } = booksOf(tenantId);
    const known = books.get(security.key);
    const book = known?.terms.source === terms.source ? known.book : new Book(security.symbol);
    const result = book.apply(tick, calendarOf(security), clock.now());
    if (result === "applied") books.set(security.key, { security, book, terms, dirty: true, served: null });
    return result;
  }

  async function remove(tenantId: number, key: string): Promise<boolean> {
    // A save under way would bring the book back.
    await flushing.settle();
    booksOf(tenantId).books.delete(key);
    return (await store.deleteBook(tenantId, key)) > 0;
  }

  return {
    ready,
    find,
    apply,
    remove,
    start: flushing.start,
    settle: flushing.settle,
    async stop() {
      await flushing.settle();
      await flushing.stop();
    },
  };
}

/** Saves what is dirty in one statement, or account by account where one is past its cap. */
function createSave({ store, clock, log }: Pick<BooksDeps, "store" | "clock" | "log">) {
  async function save(dirty: DirtyEntry[]): Promise<void> {
    for (const { entry } of dirty) entry.dirty = false;
    try {
      await store.saveBooks(dirty.map(savedBook), clock.now());
    } catch (error) {
      // What goes past a cap is forgotten with the next reload.
      if (!capFailure(error)) for (const { entry } of dirty) entry.dirty = true;
      throw error;
    }
  }

  /** The books of one account, one by one, as many as its plan holds. */
  async function saveOfOne(mine: DirtyEntry[]): Promise<void> {
    let left = 0;
    for (const book of mine) {
      try {
        await save([book]);
      } catch (error) {
        if (!capFailure(error)) throw error;
        left++;
      }
    }
    if (left > 0)
      log.warn({ tenantId: mine[0].tenantId, left }, "an account has more securities of its own than its plan holds");
  }

  return async (dirty: DirtyEntry[]): Promise<void> => {
    try {
      await save(dirty);
    } catch (error) {
      if (!capFailure(error)) throw error;
      for (const { entry } of dirty) entry.dirty = true;
      for (const mine of Map.groupBy(dirty, ({ tenantId }) => tenantId).values()) await saveOfOne(mine);
    }
  };
}

type DirtyEntry = ReturnType<typeof dirtyEntries>[number];

const dirtyEntries = (tenants: Map<number, TenantBooks>) =>
  [...tenants].flatMap(([tenantId, { books }]) =>
    [...books].filter(([, entry]) => entry.dirty).map(([key, entry]) => ({ tenantId, key, entry })),
  );

function serve({ security, book, terms }: BookEntry, calendar: MarketCalendar | null, now: number): ServedQuote | null {
  const { instrument, mic } = security;
  const receivedAt = fromMillis(book.receivedMs ?? now);
  const built = buildQuote(book.draft(terms), { instrument, mic, calendar, receivedAt });
  return built.ok ? new ServedQuote(built.quote, calendar) : null;
}

const savedBook = ({ tenantId, key, entry }: DirtyEntry): SavedBook => ({
  tenantId,
  key,
  symbol: entry.security.symbol,
  mic: entry.security.mic,
  terms: entry.terms,
  state: entry.book.save(),
});
