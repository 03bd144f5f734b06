// Feeds with bad clocks: however wrong their times are, no tick sets a price more than a minute ahead of ours.
import { expect, test } from "bun:test";
import { seededRandom } from "../../../../lib/random.ts";
import { marketCalendar } from "../calendar/index.ts";
import { MAX_AHEAD_MS, millisOf } from "../quote/instant.ts";
import { Book, type FeedTerms } from "./book.ts";
import { readTick, type Tick } from "./tick.ts";

const TICKS = 1_000_000;
const TERMS: FeedTerms = { source: "t", currency: "USD", delivery: "realtime", delaySeconds: 0 };
const calendar = marketCalendar("XNYS");

test("a million random ticks with bad clocks never move last beyond now + 60 s", () => {
  const random = seededRandom("bad clocks");
  const pick = (n: number) => Math.floor(random.unit() * n);
  /** Right, a little off, hours off, years off, in either direction. */
  const errorsMs = [0, 0, 0, 900, 59_000, 61_000, 3_600_000, 86_400_000, 31_536_000_000];
  let now = Date.parse("2026-11-03T14:30:00Z");
  let book = new Book("A");
  let refused = 0;
  let latest = 0;
  for (let i = 0; i < TICKS; i++) {
    now += pick(200);
    // A new book now and then, loaded from what the old one saved.
    if (i % 50_000 === 49_999) book = Book.load("A", JSON.parse(JSON.stringify(book.save())), calendar);
    const atMs = now + (pick(2) ? 1 : -1) * errorsMs[pick(errorsMs.length)];
    const at = new Date(atMs).toISOString();
    const kind = pick(20);
    const tick: Tick =
      kind === 0
        ? { type: "quote", symbol: "A", seq: i, at, atMs, bid: "1.00", ask: "1.01" }
        : { type: "trade", symbol: "A", seq: i, at, atMs, price: "1.00", size: 1, regular: false };
    const applied = book.apply(tick, calendar, now);
    if (applied === "too_new") refused++;
    expect(applied === "too_new").toBe(atMs > now + MAX_AHEAD_MS);
    if (i % 100 === 0) {
      const { trade, bid } = book.draft(TERMS);
      for (const seen of [trade?.at, bid?.at]) if (seen) latest = Math.max(latest, millisOf(seen) - now);
      if (latest > MAX_AHEAD_MS) throw new Error(`tick ${i} moved the price ${latest} ms ahead`);
    }
  }
  expect(refused).toBeGreaterThan(TICKS / 10);
  expect(latest).toBeLessThanOrEqual(MAX_AHEAD_MS);
});

test("a tick read from text is judged by the same clock", () => {
  const tick = readTick({ symbol: "AAPL", seq: 4, at: "2027-11-13T15:31:00Z", price: "999" }) as Tick;
  const book = new Book("AAPL");
  expect(book.apply(tick, calendar, Date.parse("2026-11-13T15:31:00Z"))).toBe("too_new");
  expect(book.draft(TERMS).trade).toBeNull();
});
