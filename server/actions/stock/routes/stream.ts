// GET /stock/stream: opens one event stream and subscribes it to the quotes it asked for.
import { handle, type CallOf, type Handler, type Mode } from "../../../contract/define.ts";
import { Failure } from "../../../contract/errors.ts";
import { openSseStream } from "../../../lib/sse-stream.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { Feeder } from "../background/feeders.ts";
import type { Hub } from "../background/hub.ts";
import * as contract from "../contract/index.ts";
import { quoteFailure, type Security } from "../engine/upstream/source.ts";
import { symbolFailure, type Securities } from "../securities.ts";
import { SETTINGS_HINT, type QuoteDeps } from "./find-quote.ts";

const MAX_STREAM_SYMBOLS = 50;

export interface StreamDeps {
  clock: Clock;
  quotes: QuoteDeps;
  hub: Hub;
  feeders: Record<Mode, Feeder>;
}

type StreamCall = CallOf<typeof contract.stream>;

async function openStream({ clock, quotes, hub, feeders }: StreamDeps, call: StreamCall): Promise<Response> {
  const { books, securities } = quotes;
  const { tenantId, mode } = call.caller;
  const requested = readSecurities(securities, call.query);
  await books.ready(tenantId);
  const own = requested.filter((security) => hasOwnFeed(quotes, tenantId, mode, security));
  const others = requested.filter((security) => !own.includes(security));
  const asked = quotes.backends[mode].sources.length > 0 ? others : [];
  if (asked.length === 0 && own.length === 0)
    throw new Failure("provider_not_configured", "No source of quotes is configured for live keys.", {
      hint: SETTINGS_HINT,
    });
  let leave = () => {};
  const stream = openSseStream({
    clock,
    signal: call.request.signal,
    until: (close) => call.whileAdmitted(close),
    onClose() {
      leave();
      for (const security of asked) feeders[mode].unsubscribe(security);
    },
  });
  if (mode === "test") stream.response.headers.set("X-Data-Simulated", String(asked.length > 0));
  const ownTopic = (security: Security) => `t${tenantId}|${security.key}`;
  const topics = [...requested.map(ownTopic), ...asked.map((security) => `${mode}|${security.key}`)];
  leave = hub.open(stream, topics, call.request.headers.get("last-event-id"));
  for (const security of own) hub.publish(ownTopic(security), books.find(tenantId, security.key)!);
  for (const security of asked) feeders[mode].subscribe(security);
  const unserved = others.filter((security) => !asked.includes(security));
  for (const security of unserved) hub.publishFailure(ownTopic(security), security.key, NOT_CONFIGURED);
  return stream.response;
}

const NOT_CONFIGURED = quoteFailure(
  "no_data",
  "No provider is configured, and your own feed has not sent this symbol yet.",
);

/** Whether the own feed supplies the quotes; a stale one gives way to a provider, never to made-up prices. */
function hasOwnFeed({ books, clock }: QuoteDeps, tenantId: number, mode: Mode, security: Security): boolean {
  const own = books.find(tenantId, security.key);
  return own !== null && (mode === "test" || !own.freshness(clock.now(), "stream").stale);
}

function readSecurities(securities: Securities, { symbols, mic, country }: StreamCall["query"]): Security[] {
  const typed = symbols
    .split(",")
    .map((s) => s.trim())
    .filter(Boolean);
  const distinct = [...new Set(typed)];
  if (distinct.length === 0 || distinct.length > MAX_STREAM_SYMBOLS)
    throw new Failure("symbol_invalid", `symbols must name 1 to ${MAX_STREAM_SYMBOLS} securities.`);
  return distinct.map((symbol) => {
    const found = securities.find(symbol, mic ?? country);
    if (!found.ok) throw symbolFailure(found.failure);
    return found.security;
  });
}

export const streamRoutes = (deps: StreamDeps): Handler[] => [
  handle(contract.stream, (call) => openStream(deps, call)),
];
