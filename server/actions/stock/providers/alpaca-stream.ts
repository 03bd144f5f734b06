// Alpaca's WebSocket: trades, quotes, halts, and the corrections and cancels that undo what was said before.
import { Book, type FeedTerms } from "../engine/feed/book.ts";
import type { Tick } from "../engine/feed/tick.ts";
import { marketCalendar } from "../engine/calendar/index.ts";
import type { Security } from "../engine/upstream/source.ts";
import { instantOf, millisOf } from "../engine/quote/instant.ts";
import { alpacaDraft, type AlpacaOptions } from "./alpaca-draft.ts";
import type { ProviderDeps, StreamHandlers, StreamSource } from "./port.ts";
import { price, size } from "./read.ts";
import { createStreamClient } from "./stream-client.ts";

interface Line {
  security: Security;
  book: Book;
  /** The exchange's trade id to our sequence number, for corrections. */
  ids: Map<string, number>;
  seq: number;
}

/** Another connection is open: the key allows one, and asking at once again only prolongs the lock-out. */
const CONNECTION_LIMIT_WAIT_MS = 90_000;
const IDS_KEPT = 512;

export function openAlpacaStream(options: AlpacaOptions, deps: ProviderDeps, handlers: StreamHandlers): StreamSource {
  const lines = new Map<string, Line>();
  const terms: FeedTerms = { source: options.feed, currency: "USD", delivery: "realtime", delaySeconds: 0 };
  const calendar = marketCalendar("XNYS");
  const channels = (symbols: string[]) => ({ trades: symbols, quotes: symbols, statuses: symbols });

  const client = createStreamClient({
    clock: deps.clock,
    expectsData: () => handlers.expectsData([...lines.values()].map((l) => l.security)),
    onSilence: () => handlers.onSilence([...lines.values()].map((l) => l.security)),
    log: (why) => handlers.log(`Alpaca: ${why}`),
    protocol: {
      url: () => `${deps.streamUrl ?? "wss://stream.data.alpaca.markets"}/v2/${options.feed}`,
      hello: () => {},
      subscribe: (symbols, send) => send({ action: "subscribe", ...channels(symbols) }),
      unsubscribe: (symbols, send) => send({ action: "unsubscribe", ...channels(symbols) }),
      message(data, link) {
        for (const m of readArray(data)) {
          if (m.T === "success" && m.msg === "connected")
            link.send({ action: "auth", key: options.key, secret: options.secret });
          else if (m.T === "success" && m.msg === "authenticated") link.ready();
          else if (m.T === "error")
            link.fail(
              m.code === 406 ? CONNECTION_LIMIT_WAIT_MS : m.code === 402 || m.code === 409 ? 600_000 : 0,
              `error ${m.code} ${m.msg}`,
            );
          else if (apply(m)) link.data();
        }
      },
    },
  });

  function apply(m: any): boolean {
    const line = lines.get(m.S);
    if (!line) return false;
    const tick = tickOf(m, line);
    if (tick && line.book.apply(tick, calendar, deps.clock.now()) === "applied") {
      const draft = line.book.draft(terms);
      handlers.onDraft(line.security, {
        ...draft,
        ...pickTerms(line.security),
        day: draft.day,
        previousClose: draft.previousClose,
      });
    }
    return true;
  }

  const pickTerms = (security: Security) => {
    const { source, feed, coverage, delivery, delaySeconds, attribution, mic, quotedIn } = alpacaDraft(
      security,
      options.feed,
    );
    return { source, feed, coverage, delivery, delaySeconds, attribution, mic, quotedIn };
  };

  return {
    subscribe(security) {
      if (lines.has(security.symbol)) return;
      lines.set(security.symbol, { security, book: new Book(security.symbol), ids: new Map(), seq: 0 });
      client.subscribe(security.symbol);
    },
    unsubscribe(security) {
      lines.delete(security.symbol);
      client.unsubscribe(security.symbol);
    },
    close: () => client.close(),
  };
}

/** Status codes of both tapes that stop trading; any other one lets it go on. */
const STATUS: Record<string, "halted" | "paused"> = { H: "halted", "2": "halted", P: "paused" };

/** Our tick for one of their messages; null for what we do not keep. */
function tickOf(m: any, line: Line): Tick | null {
  const at = instantOf(m.t);
  if (!at) return null;
  const head = { symbol: m.S as string, seq: line.seq++, at, atMs: millisOf(at), venue: m.x ?? null };
  switch (m.T) {
    case "t": {
      const value = price(m.p);
      if (!value) return null;
      line.ids.set(String(m.i), head.seq);
      if (line.ids.size > IDS_KEPT) line.ids.delete(line.ids.keys().next().value!);
      return { ...head, type: "trade", price: value, size: size(m.s), conditions: m.c ?? [] };
    }
    case "q":
      return {
        ...head,
        type: "quote",
        bid: price(m.bp),
        bid_size: size(m.bs),
        ask: price(m.ap),
        ask_size: size(m.as),
        venue: m.bx ?? null,
      };
    case "c":
      return {
        ...head,
        type: "correction",
        of: line.ids.get(String(m.oi)) ?? -1,
        price: price(m.cp) ?? undefined,
        size: size(m.cs),
      };
    case "x":
      return { ...head, type: "cancel", of: line.ids.get(String(m.i)) ?? -1 };
    case "s":
      return { ...head, type: "status", status: STATUS[String(m.sc)] ?? "trading", reason: m.rm ?? m.sm ?? null };
    default:
      return null;
  }
}

function readArray(data: string): any[] {
  try {
    const parsed = JSON.parse(data);
    return Array.isArray(parsed) ? parsed : [parsed];
  } catch {
    return [];
  }
}
