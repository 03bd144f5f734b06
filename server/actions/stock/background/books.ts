// The books of users' own feeds: in memory, written behind to the store once a second, read back after a restart.
import type { Logger } from "pino";
import type { Clock } from "../../../lib/clock.ts";
import type { Calendars } from "../engine/calendar/index.ts";
import { Book, type Applied, type FeedTerms } from "../engine/feed/book.ts";
import type { Tick } from "../engine/feed/tick.ts";
import { buildQuote } from "../engine/quote/build.ts";
import { fromMillis } from "../engine/quote/instant.ts";
import { ServedQuote } from "../engine/quote/serve.ts";
import type { Wanted } from "../engine/desk/source.ts";
import type { StockStore } from "../store.ts";

const FLUSH_MS = 1000;
/** How often another process's writes are looked for; less often for a tenant that has no feed yet. */
const RELOAD_MS = 2000;
const RELOAD_EMPTY_MS = 15_000;

interface Held {
  wanted: Wanted;
  book: Book;
  terms: FeedTerms;
  dirty: boolean;
  served: ServedQuote | null;
}

interface Shelf {
  books: Map<string, Held>;
  loadedAt: number;
  loading: Promise<void> | null;
}

export interface Books {
  /** Ready to be read; awaits the store only the first time. */
  ready(tenantId: number): Promise<void> | null;
  find(tenantId: number, key: string): ServedQuote | null;
  apply(tenantId: number, wanted: Wanted, terms: FeedTerms, tick: Tick): Applied;
  start(): void;
  stop(): Promise<void>;
}

export function createBooks(deps: {
  store: StockStore;
  clock: Clock;
  log: Logger;
  calendars: Calendars;
  wantedOf(symbol: string, mic: string | null): Wanted;
}): Books {
  const { store, clock, log, calendars } = deps;
  const shelves = new Map<number, Shelf>();
  let stopFlushing = () => {};

  const calendarOf = (wanted: Wanted) => (wanted.mic ? calendars.get(wanted.mic) : null);

  function shelfOf(tenantId: number): Shelf {
    let shelf = shelves.get(tenantId);
    if (!shelf) shelves.set(tenantId, (shelf = { books: new Map(), loadedAt: -Infinity, loading: null }));
    return shelf;
  }

  async function load(tenantId: number, shelf: Shelf): Promise<void> {
    for (const saved of await store.findBooks(tenantId)) {
      if (shelf.books.get(saved.key)?.dirty) continue;
      const wanted = deps.wantedOf(saved.symbol, saved.mic);
      const book = Book.load(saved.symbol, saved.state, calendarOf(wanted));
      shelf.books.set(saved.key, { wanted, book, terms: saved.terms, dirty: false, served: null });
    }
    shelf.loadedAt = clock.now();
  }

  function ready(tenantId: number): Promise<void> | null {
    const shelf = shelfOf(tenantId);
    const first = shelf.loadedAt === -Infinity;
    if (!shelf.loading && clock.now() - shelf.loadedAt >= (shelf.books.size > 0 ? RELOAD_MS : RELOAD_EMPTY_MS)) {
      shelf.loading = load(tenantId, shelf).finally(() => (shelf.loading = null));
      if (!first)
        shelf.loading.catch((error) => log.warn({ error: String(error) }, "books of own feeds could not be read"));
    }
    return first ? shelf.loading : null;
  }

  async function flush(): Promise<void> {
    const dirty = [...shelves].flatMap(([tenantId, shelf]) =>
      [...shelf.books].filter(([, h]) => h.dirty).map(([key, h]) => ({ tenantId, key, h })),
    );
    if (dirty.length === 0) return;
    for (const { h } of dirty) h.dirty = false;
    try {
      await store.saveBooks(
        dirty.map(({ tenantId, key, h }) => ({
          tenantId,
          key,
          symbol: h.wanted.symbol,
          mic: h.wanted.mic,
          terms: h.terms,
          state: h.book.save(),
        })),
        clock.now(),
      );
    } catch (error) {
      for (const { h } of dirty) h.dirty = true;
      log.error({ error: String(error) }, "books of own feeds could not be written; they are kept and tried again");
    }
  }

  return {
    ready,
    find(tenantId, key) {
      const held = shelves.get(tenantId)?.books.get(key);
      if (!held) return null;
      if (held.served) return held.served;
      const calendar = calendarOf(held.wanted);
      const { instrument, mic } = held.wanted;
      const built = buildQuote(held.book.draft(held.terms), {
        instrument,
        mic,
        calendar,
        receivedAt: fromMillis(clock.now()),
      });
      return built.ok ? (held.served = new ServedQuote(built.quote, calendar)) : null;
    },
    apply(tenantId, wanted, terms, tick) {
      const { books } = shelfOf(tenantId);
      let held = books.get(wanted.key);
      if (!held || held.terms.source !== terms.source) {
        held = { wanted, book: new Book(wanted.symbol), terms, dirty: false, served: null };
        books.set(wanted.key, held);
      }
      const result = held.book.apply(tick, calendarOf(wanted));
      if (result !== "applied") return result;
      held.terms = terms;
      held.dirty = true;
      held.served = null;
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
