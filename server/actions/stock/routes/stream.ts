// GET /stock/stream: opens one event stream and subscribes it to the quotes it asked for.
import type { Static } from "typebox";
import { handle, type Call, type Handler, type Mode } from "../../../contract/define.ts";
import { Failure } from "../../../contract/errors.ts";
import { openSseStream } from "../../../lib/sse-stream.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { Books } from "../background/books.ts";
import type { Feeder, Hub } from "../background/hub.ts";
import * as contract from "../contract/index.ts";
import { symbolFailure, type Securities } from "../securities.ts";
import { SETTINGS_HINT, type QuoteBackend } from "./quotes.ts";

const MAX_STREAM_SYMBOLS = 50;

export interface StreamDeps {
  platform: Platform;
  securities: Securities;
  books: Books;
  hub: Hub;
  backends: Record<Mode, QuoteBackend>;
  feeders: Record<Mode, Feeder>;
}

type StreamCall = Call<unknown, Static<NonNullable<typeof contract.stream.query>>>;

async function openStream(deps: StreamDeps, call: StreamCall): Promise<Response> {
  const { books, hub, backends, feeders } = deps;
  const { tenantId, mode } = call.caller;
  const typed = symbolsOf(call.query.symbols);
  await books.ready(tenantId);
  const requested = typed.map((symbol) => {
    const found = deps.securities.find(symbol);
    if (found.ok) return found.security;
    throw symbolFailure(found.failure);
  });
  const own = requested.filter((security) => books.find(tenantId, security.key) !== null);
  const asked = backends[mode].sources.length > 0 ? requested.filter((security) => !own.includes(security)) : [];
  if (asked.length === 0 && own.length === 0)
    throw new Failure("provider_not_configured", "No source of quotes is configured for live keys.", {
      hint: SETTINGS_HINT,
    });
  let leave = () => {};
  const stream = openSseStream({
    clock: deps.platform.clock,
    signal: call.request.signal,
    until: (close) => call.whileAdmitted(close),
    onClose() {
      leave();
      for (const security of asked) feeders[mode].unsubscribe(security);
    },
  });
  if (mode === "test") stream.response.headers.set("X-Data-Simulated", String(asked.length > 0));
  const topics = [
    ...requested.map((security) => `t${tenantId}|${security.key}`),
    ...asked.map((security) => `${mode}|${security.key}`),
  ];
  leave = hub.open(stream, topics, call.request.headers.get("last-event-id"));
  for (const security of own) hub.publish(`t${tenantId}|${security.key}`, books.find(tenantId, security.key)!);
  for (const security of asked) feeders[mode].subscribe(security);
  return stream.response;
}

function symbolsOf(text: string): string[] {
  const symbols = text
    .split(",")
    .map((s) => s.trim())
    .filter(Boolean);
  const distinct = [...new Set(symbols)];
  if (distinct.length === 0 || distinct.length > MAX_STREAM_SYMBOLS)
    throw new Failure("symbol_invalid", `symbols must name 1 to ${MAX_STREAM_SYMBOLS} securities.`);
  return distinct;
}

export const streamRoutes = (deps: StreamDeps): Handler[] => [
  handle(contract.stream, (call) => openStream(deps, call)),
];
