// Files and functions that were longer than allowed when the rule came, with their length then. They may shrink and
// never grow; an entry that is no longer needed is taken out.

export const LONG_FILES: Record<string, number> = {
  "server/actions/alerts/contract/index.ts": 360,
  "server/actions/alerts/engine/match/reader.ts": 330,
  "server/actions/shopping/engine/html/scan.ts": 392,
  "server/actions/shopping/engine/price/parse.ts": 346,
  "server/actions/shopping/engine/visible/spots.ts": 393,
  "server/actions/shopping/view.ts": 329,
  "server/config.ts": 338,
  "server/mcp/http.ts": 332,
  "server/mcp/tools.ts": 436,
};

/** The longest function of each file. */
export const LONG_FUNCTIONS: Record<string, number> = {
  "server/actions/alerts/background/index/shard-thread.ts": 126,
  "server/actions/delivery/lifecycle.ts": 120,
  "server/actions/delivery/store/deliveries.ts": 148,
  "server/actions/shopping/store/pages.ts": 139,
  "server/actions/stock/background/books.ts": 133,
  "server/actions/stock/index.ts": 128,
  "server/actions/stock/providers/stream-client.ts": 120,
  "server/actions/stock/store.ts": 155,
  "server/compose.ts": 139,
  "server/contract/openapi/components.ts": 129,
  "server/http/gate.ts": 152,
  "server/lib/guard-fetch/index.ts": 126,
  "server/lib/guard-fetch/pace.ts": 158,
  "server/mcp/http.ts": 222,
  "server/mcp/protocol.ts": 118,
  "server/platform/events/hub.ts": 137,
  "server/platform/keys/authenticate.ts": 152,
  "server/platform/keys/routes.ts": 120,
  "server/platform/webhooks/dispatcher.ts": 130,
};
