// The books of users' own feeds: held in memory, saved to the store every second (write-behind), loaded after a restart.
import type { Logger } from "pino";
import type { Failure } from "../../../contract/errors.ts";
import type { Clock } from "../../../lib/clock.ts";
import { capFailure } from "../../../platform/caps/index.ts";
import { createLoop } from "../../../lib/loop.ts";
import type { Calendars, MarketCalendar } from "../engine/calendar/index.ts";
import { Book, MAX_CORRECTABLE, type Applied, type FeedTerms } from "../engine/feed/book.ts";
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
/** Books read at a time: parsing them takes a few milliseconds. */
const PAGE = 500;
/** Trades kept for corrections, over all books of a tenant; each has some, however many books there are. */
const TENANT_TRADES = 16_384;
const MIN_CORRECTABLE = 4;

interface BookEntry {
  security: Security;
  book: Book;
  terms: FeedTerms;
  dirty: boolean;
  /** Whether the store has it: what it does not have may still be past the cap of the plan. */
  stored: boolean;
  served: ServedQuote | null;
}

interface TenantBooks {
  books: Map<string, BookEntry>;
  loadedAt: number;
  /** What others saved since then is not known yet. */
  since: Date;
  loading: Promise<void> | null;
  /** How many trades of each book can be corrected. */
  correctable: number;
}

export interface Books {
  /** A promise while the tenant's books are loaded for the first time; null once they can be read. */
  ready(tenantId: number): Promise<void> | null;
  find(tenantId: number, key: string): ServedQuote | null;
  /** Whether the tenant has no feed of its own. */
  isEmpty(tenantId: number): boolean;
  apply(tenantId: number, security: Security, terms: FeedTerms, tick: Tick): Applied;
  /** Saves those of the books that are new, as many as the plan holds; forgets the others and names them. */
  keepNew(tenantId: number, keys: string[]): Promise<NotKept>;
  /** Whether there was a book to remove. */
  remove(tenantId: number, key: string): Promise<boolean>;
  start(): void;
  settle(): Promise<void>;
  stop(): Promise<void>;
}

export interface NotKept {
  keys: string[];
  /** Why there is no room for them. */
  failure: Failure | null;
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
  const me = crypto.randomUUID();
  const { saveAll, saveWhatFits } = createSave({ store, clock }, me);
  const onError = (error: unknown) =>
    log.error({ error: String(error) }, "books of own feeds could not be saved; they are kept and saved later");
  const flushing = createLoop({ clock, everyMs: FLUSH_MS, run: flush, onError });

  const calendarOf = (security: Security) => (security.mic ? calendars.get(security.mic) : null);
  const load = createLoad({ store, clock, securityOf, calendarOf }, me);

  function ready(tenantId: number): Promise<void> | null {
    const mine = booksOf(tenants, tenantId);
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
    const left = await saveAll(dirty);
    for (const { tenantId, key } of left) tenants.get(tenantId)?.books.delete(key);
    if (left.length > 0) log.warn({ left: left.length }, "own securities past the cap of their plan were dropped");
  }

  function find(tenantId: number, key: string): ServedQuote | null {
    const entry = tenants.get(tenantId)?.books.get(key);
    if (!entry) return null;
    return (entry.served ??= serve(entry, calendarOf(entry.security), clock.now()));
  }

  function apply(tenantId: number, security: Security, terms: FeedTerms, tick: Tick): Applied {
    const mine = booksOf(tenants, tenantId);
    const known = mine.books.get(security.key);
    const book = known?.terms.source === terms.source ? known.book : new Book(security.symbol);
    const result = book.apply(tick, calendarOf(security), clock.now());
    const stored = known?.stored ?? false;
    if (result === "applied") keep(mine, security.key, { security, book, terms, dirty: true, stored, served: null });
    return result;
  }

  async function keepNew(tenantId: number, keys: string[]): Promise<NotKept> {
    const { books } = booksOf(tenants, tenantId);
    const added = newEntries(books, tenantId, keys);
    const { saved, failure } = await saveWhatFits(added);
    const left = added.slice(saved).map(({ key }) => key);
    for (const key of left) books.delete(key);
    return { keys: left, failure };
  }

  async function remove(tenantId: number, key: string): Promise<boolean> {
    // A save under way would bring the book back.
    await flushing.settle();
    booksOf(tenants, tenantId).books.delete(key);
    return (await store.deleteBook(tenantId, key)) > 0;
  }

  return {
    ready,
    find,
    isEmpty: (tenantId) => (tenants.get(tenantId)?.books.size ?? 0) === 0,
    apply,
    keepNew,
    remove,
    start: flushing.start,
    settle: flushing.settle,
    async stop() {
      await flushing.settle();
      await flushing.stop();
    },
  };
}

interface LoadDeps extends Pick<BooksDeps, "store" | "clock" | "securityOf"> {
  calendarOf(security: Security): MarketCalendar | null;
}

function createLoad({ store, clock, securityOf, calendarOf }: LoadDeps, me: string) {
  function take(mine: TenantBooks, { key, symbol, mic, state, terms }: SavedBook): void {
    if (isUnsaved(mine.books.get(key))) return;
    const security = securityOf(symbol, mic);
    const book = Book.load(symbol, state, calendarOf(security));
    keep(mine, key, { security, book, terms, dirty: false, stored: true, served: null });
  }

  async function dropRemoved(tenantId: number, mine: TenantBooks): Promise<void> {
    const kept = new Set(await store.bookKeys(tenantId));
    for (const [key, entry] of mine.books) if (!kept.has(key) && !isUnsaved(entry)) mine.books.delete(key);
    // One that we should have is not here: the next look reads all of them.
    if ([...kept].some((key) => !mine.books.has(key))) mine.since = new Date(0);
  }

  /** Takes over what other processes saved and removed; a book with unsaved ticks is newer than the store. */
  return async function load(tenantId: number, mine: TenantBooks): Promise<void> {
    const { count, nextSince } = await store.countBooks(tenantId);
    for (let after = ""; ; ) {
      const saved = await store.findBooks(tenantId, { since: mine.since, notBy: me, after, count: PAGE });
      for (const book of saved) take(mine, book);
      if (saved.length < PAGE) break;
      after = saved.at(-1)!.key;
    }
    mine.since = nextSince;
    if (countStored(mine) !== count) await dropRemoved(tenantId, mine);
    mine.loadedAt = clock.now();
  };
}

function booksOf(tenants: Map<number, TenantBooks>, tenantId: number): TenantBooks {
  let mine = tenants.get(tenantId);
  if (!mine) tenants.set(tenantId, (mine = emptyBooks()));
  return mine;
}

const emptyBooks = (): TenantBooks => ({
  books: new Map(),
  loadedAt: -Infinity,
  since: new Date(0),
  loading: null,
  correctable: MAX_CORRECTABLE,
});

/** With many books each has fewer trades that can be corrected, so that no feed fills the memory. */
function keep(mine: TenantBooks, key: string, entry: BookEntry): void {
  mine.books.set(key, entry);
  const room = Math.max(MIN_CORRECTABLE, Math.floor(TENANT_TRADES / mine.books.size));
  if (room <= mine.correctable / 2) {
    mine.correctable = room;
    for (const { book } of mine.books.values()) book.limit(room);
  } else if (mine.correctable < MAX_CORRECTABLE) entry.book.limit(mine.correctable);
}

function countStored({ books }: TenantBooks): number {
  let count = 0;
  for (const { stored } of books.values()) if (stored) count++;
  return count;
}

const isUnsaved = (entry: BookEntry | undefined): boolean => entry !== undefined && (entry.dirty || !entry.stored);

/** Saves what is dirty in one statement, or account by account where one is past its cap. */
function createSave({ store, clock }: Pick<BooksDeps, "store" | "clock">, me: string) {
  async function save(dirty: DirtyEntry[]): Promise<void> {
    for (const { entry } of dirty) entry.dirty = false;
    try {
      await store.saveBooks(dirty.map(savedBook), clock.now(), me);
      for (const { entry } of dirty) entry.stored = true;
    } catch (error) {
      for (const { entry } of dirty) entry.dirty = true;
      throw error;
    }
  }

  /** From the front, as many books of one account as its plan holds; what is refused is halved until it fits. */
  async function saveWhatFits(mine: DirtyEntry[]): Promise<{ saved: number; failure: Failure | null }> {
    let failure: Failure | null = null;
    let saved = 0;
    for (let size = mine.length; size > 0 && saved < mine.length; ) {
      const part = mine.slice(saved, saved + size);
      try {
        await save(part);
        saved += part.length;
      } catch (error) {
        failure = capFailure(error);
        if (!failure) throw error;
        size = Math.floor(size / 2);
      }
    }
    return { saved, failure };
  }

  /** Returns what no plan had room for. */
  async function saveAll(dirty: DirtyEntry[]): Promise<DirtyEntry[]> {
    try {
      await save(dirty);
      return [];
    } catch (error) {
      if (!capFailure(error)) throw error;
      const left: DirtyEntry[] = [];
      for (const mine of Map.groupBy(dirty, ({ tenantId }) => tenantId).values())
        left.push(...mine.slice((await saveWhatFits(mine)).saved));
      return left;
    }
  }

  return { saveAll, saveWhatFits };
}

type DirtyEntry = ReturnType<typeof dirtyEntries>[number];

const newEntries = (books: Map<string, BookEntry>, tenantId: number, keys: string[]): DirtyEntry[] =>
  keys.flatMap((key) => {
    const entry = books.get(key);
    return entry && !entry.stored ? [{ tenantId, key, entry }] : [];
  });

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
