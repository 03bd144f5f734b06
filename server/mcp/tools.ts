// The tools an agent sees: a curated table over the contract. Types come from the contract; names, texts and the choice of
// arguments are written for a model.

export interface ToolArgument {
  /** Where it goes in the REST request: "body.pickup.address", "query.url", "params.id". */
  to: string;
  text: string;
  required?: true;
}

export interface ToolSpec {
  name: string;
  title: string;
  /** The route it calls: `delivery.schedule`. */
  route: string;
  description: string;
  arguments: Record<string, ToolArgument>;
  /** Sent with every call, e.g. `track=false`. */
  fixed?: Record<string, unknown>;
  /** Members of the answer that are shown; of a list, members of each item. Everything when absent. */
  show?: string[];
  /** Members that hold text from outside this service: page titles, feed items, contents. */
  outside?: string[];
  /** The kind of resource the answer can be read as in full, and the member with its id. */
  resource?: { kind: string; id: string };
  readOnly: boolean;
  destructive?: true;
  /** Calling it again with the same arguments changes nothing more. */
  idempotent?: true;
  /** Reaches parties beyond this service. */
  openWorld?: true;
  /** Says that it works while it works. */
  slow?: true;
  /** Asks the person before it acts, where the client can. */
  confirm?: (args: Record<string, unknown>) => string;
}

const ID = (what: string): ToolArgument => ({ to: "params.id", text: `Id of the ${what}.`, required: true });
const TAGS: ToolArgument = { to: "body.tags", text: "Own labels." };

const DELIVERY = { kind: "deliveries", id: "delivery_id" };
const DELIVERY_FACTS = [
  "delivery_id",
  "status",
  "pickup",
  "dropoff",
  "eta",
  "courier",
  "tracking_url",
  "attention",
  "simulated",
];
const TRACKER = { kind: "trackers", id: "id" };
const TRACKER_FACTS = [
  "id",
  "url",
  "status",
  "product.name",
  "product.brand",
  "price",
  "availability",
  "change",
  "stats",
  "warnings",
  "simulated",
];
const ALERT_FACTS = ["id", "name", "status", "query", "sources", "channels"];

export const TOOLS: ToolSpec[] = [
  {
    name: "schedule_delivery",
    title: "Schedule a delivery",
    route: "delivery.schedule",
    description:
      "Have a courier collect a parcel at one address and bring it to another. Acts in the real world with a live key. To ask only for the arrival, use estimate_delivery.",
    arguments: {
      pickup_address: { to: "body.pickup.address", text: "Street, postcode, city.", required: true },
      pickup_time: { to: "body.pickup.time", text: "ISO 8601 with offset, e.g. 2026-12-01T15:00:00Z.", required: true },
      dropoff_address: { to: "body.dropoff.address", text: "Street, postcode, city.", required: true },
      notes: { to: "body.notes", text: "For the courier." },
      vehicle: { to: "body.vehicle", text: "Needed vehicle." },
      external_id: { to: "body.external_id", text: "Your own order number." },
    },
    show: DELIVERY_FACTS,
    resource: DELIVERY,
    readOnly: false,
    idempotent: true,
    openWorld: true,
    confirm: (args) => `Send a courier from ${args.pickup_address} at ${args.pickup_time} to ${args.dropoff_address}?`,
  },
  {
    name: "estimate_delivery",
    title: "Estimate an arrival",
    route: "delivery.estimate",
    description: "When would a parcel arrive if it were picked up at this time, and how far is it? Orders nothing.",
    arguments: {
      pickup_address: { to: "body.pickup.address", text: "Street, postcode, city.", required: true },
      pickup_time: { to: "body.pickup.time", text: "ISO 8601 with offset.", required: true },
      dropoff_address: { to: "body.dropoff.address", text: "Street, postcode, city.", required: true },
      vehicle: { to: "body.vehicle", text: "car unless given." },
    },
    show: ["dropoff", "eta", "distance_km", "attention"],
    readOnly: true,
    idempotent: true,
  },
  {
    name: "get_delivery",
    title: "Where is a delivery",
    route: "delivery.get",
    description: "Status, courier and arrival of one delivery. Without its id, use list_deliveries first.",
    arguments: { delivery_id: ID("delivery (dlv_…)") },
    show: [...DELIVERY_FACTS, "timeline", "proof", "reason"],
    resource: DELIVERY,
    readOnly: true,
    idempotent: true,
  },
  {
    name: "list_deliveries",
    title: "List deliveries",
    route: "delivery.list",
    description: "Deliveries, newest first; filter by status, tag or your own order number.",
    arguments: {
      status: { to: "query.status", text: "Only these." },
      tag: { to: "query.tag", text: "Only with this label." },
      external_id: { to: "query.external_id", text: "Your own order number." },
      limit: { to: "query.limit", text: "At most this many." },
      cursor: { to: "query.cursor", text: "next_cursor of the page before." },
    },
    show: ["delivery_id", "status", "pickup", "dropoff", "external_id"],
    readOnly: true,
    idempotent: true,
  },
  {
    name: "cancel_delivery",
    title: "Cancel a delivery",
    route: "delivery.cancel",
    description: "Call a delivery off. Possible until it is picked up.",
    arguments: { delivery_id: ID("delivery (dlv_…)"), reason: { to: "body.reason", text: "Why." } },
    show: ["delivery_id", "status", "fee_applies"],
    resource: DELIVERY,
    readOnly: false,
    destructive: true,
    idempotent: true,
    openWorld: true,
  },
  {
    name: "reschedule_delivery",
    title: "Move a delivery",
    route: "delivery.reschedule",
    description:
      "Postpone a delivery or bring it forward, or change one of its addresses, before the courier sets out.",
    arguments: {
      delivery_id: ID("delivery (dlv_…)"),
      pickup_time: { to: "body.pickup.time", text: "New time, ISO 8601 with offset." },
      pickup_address: { to: "body.pickup.address", text: "New pickup." },
      dropoff_address: { to: "body.dropoff.address", text: "New drop-off." },
    },
    show: DELIVERY_FACTS,
    resource: DELIVERY,
    readOnly: false,
    idempotent: true,
    openWorld: true,
  },
  {
    name: "check_product_price",
    title: "Look at a product's price once",
    route: "shopping.track",
    description:
      "Current price, availability and stock of a product page, read now. Keeps nothing; to be told of changes use track_product.",
    arguments: {
      url: { to: "query.url", text: "The product page.", required: true },
      variant: { to: "query.variant", text: "e.g. size:41,color:black." },
    },
    fixed: { "query.track": false },
    show: TRACKER_FACTS,
    outside: ["product.name", "product.brand"],
    readOnly: true,
    idempotent: true,
    openWorld: true,
    slow: true,
  },
  {
    name: "track_product",
    title: "Watch a product's price",
    route: "shopping.track",
    description:
      "Keep watching a product page and raise an event when the price falls, reaches a target or the product is back in stock. For words in news or feeds use create_alert; for shares use create_price_level.",
    arguments: {
      url: { to: "query.url", text: "The product page.", required: true },
      target_price: { to: "query.target_price", text: 'Tell at or under this, e.g. "29.90".' },
      drop_percent: { to: "query.drop_percent", text: "Tell at a fall of this many percent." },
      variant: { to: "query.variant", text: "e.g. size:41,color:black." },
      interval: { to: "query.interval", text: "How often to look, e.g. 6h." },
    },
    show: TRACKER_FACTS,
    outside: ["product.name", "product.brand"],
    resource: TRACKER,
    readOnly: false,
    idempotent: true,
    openWorld: true,
    slow: true,
  },
  {
    name: "list_tracked_products",
    title: "List watched products",
    route: "shopping.list",
    description: "Products whose price is being watched, with their last price.",
    arguments: {
      tag: { to: "query.tag", text: "Only with this label." },
      limit: { to: "query.limit", text: "At most this many." },
      cursor: { to: "query.cursor", text: "next_cursor of the page before." },
    },
    show: ["id", "url", "status", "product.name", "price", "availability"],
    outside: ["product.name"],
    readOnly: true,
    idempotent: true,
  },
  {
    name: "get_price_history",
    title: "Price history of a product",
    route: "shopping.history",
    description: "Past prices of a watched product: was it ever cheaper?",
    arguments: { tracker_id: ID("tracker (trk_…)"), days: { to: "query.days", text: "How far back." } },
    readOnly: true,
    idempotent: true,
  },
  {
    name: "stop_tracking_product",
    title: "Stop watching a product",
    route: "shopping.delete",
    description: "End the watch on a product and delete its history.",
    arguments: { tracker_id: ID("tracker (trk_…)") },
    readOnly: false,
    destructive: true,
    idempotent: true,
  },
  {
    name: "get_stock_quote",
    title: "Quote of a share",
    route: "stock.quote",
    description:
      "Price of shares, funds, currencies or coins now, each labelled real-time, delayed, stale or simulated. For a company's name use find_stock_symbol first.",
    arguments: {
      symbols: { to: "body.symbols", text: 'Tickers or ISINs, e.g. ["AAPL","VOD.L"].', required: true },
      require: { to: "body.require", text: "Refuse quotes that are worse than this." },
    },
    readOnly: true,
    idempotent: true,
    openWorld: true,
  },
  {
    name: "find_stock_symbol",
    title: "Find a ticker",
    route: "stock.symbols",
    description: "Search securities by company name, ticker or ISIN.",
    arguments: { name: { to: "query.q", text: "Company, ticker or ISIN.", required: true } },
    readOnly: true,
    idempotent: true,
  },
  {
    name: "get_market_hours",
    title: "Is a market open",
    route: "stock.market",
    description: "Whether a stock exchange is open, now or at a time, its trading hours and holidays.",
    arguments: {
      market: {
        to: "params.mic",
        text: "MIC: XNYS New York, XNAS Nasdaq, XLON London, XETR Frankfurt, XPAR Paris, XTKS Tokyo, XHKG Hong Kong.",
        required: true,
      },
      at: { to: "query.at", text: "ISO 8601 time; now unless given." },
      from: { to: "query.from", text: "First day of sessions to list." },
      to: { to: "query.to", text: "Last day." },
    },
    readOnly: true,
    idempotent: true,
  },
  {
    name: "create_price_level",
    title: "Watch a share's price",
    route: "stock.levels.create",
    description:
      "Raise an event when a share, currency or coin crosses a price. For products in shops use track_product.",
    arguments: {
      symbol: { to: "body.symbol", text: "Ticker or ISIN.", required: true },
      above: { to: "body.above", text: 'Rises to this, e.g. "250.00".' },
      below: { to: "body.below", text: "Falls to this." },
      percent: { to: "body.percent", text: "Moves by this many percent." },
      tags: TAGS,
    },
    readOnly: false,
    idempotent: true,
  },
  {
    name: "create_alert",
    title: "Be notified of a topic",
    route: "alerts.create",
    description:
      "Notify by mail, chat or webhook when a word, hashtag or query appears in feeds, pushed content or events. Try preview_alert first if the query is complex.",
    arguments: {
      query: { to: "body.query", text: 'Words with AND, OR, NOT, "phrases", tag:, price<30.', required: true },
      name: { to: "body.name", text: "What to call it." },
      sources: { to: "body.sources", text: 'Feeds to read: ["https://example.com/feed.xml"].' },
      channels: { to: "body.channels", text: 'Whom to notify: ["mailto:ada@example.com"].' },
    },
    show: ALERT_FACTS,
    resource: { kind: "alerts", id: "id" },
    readOnly: false,
    idempotent: true,
    openWorld: true,
  },
  {
    name: "preview_alert",
    title: "Try a query",
    route: "alerts.preview",
    description: "What would a query match? Creates nothing and notifies nobody.",
    arguments: {
      query: { to: "body.query", text: "As in create_alert.", required: true },
      content: { to: "body.content", text: 'Texts to try it on: [{"text":"…"}].' },
    },
    readOnly: true,
    idempotent: true,
  },
  {
    name: "list_alerts",
    title: "List alerts",
    route: "alerts.list",
    description: "Alerts and whether they are active, paused or degraded.",
    arguments: {
      status: { to: "query.status", text: "Only these." },
      limit: { to: "query.limit", text: "At most this many." },
      cursor: { to: "query.cursor", text: "next_cursor of the page before." },
    },
    show: ["id", "name", "status", "query", "stats"],
    readOnly: true,
    idempotent: true,
  },
  {
    name: "get_alert_matches",
    title: "What an alert found",
    route: "alerts.matches",
    description: "Items that matched an alert, newest first.",
    arguments: {
      alert_id: ID("alert (alt_…)"),
      limit: { to: "query.limit", text: "At most this many." },
      cursor: { to: "query.cursor", text: "next_cursor of the page before." },
    },
    outside: ["*"],
    readOnly: true,
    idempotent: true,
  },
  {
    name: "pause_alert",
    title: "Pause an alert",
    route: "alerts.pause",
    description: "Stop an alert's messages until it is resumed (alerts.resume through call_action).",
    arguments: { alert_id: ID("alert (alt_…)") },
    show: ["id", "name", "status"],
    readOnly: false,
    idempotent: true,
  },
  {
    name: "check_ai_content",
    title: "Was this written by AI",
    route: "detector.analyze",
    description:
      "Judge whether a text, web page or image shows signs of AI generation, with the measured error rate. Abstains on code and short texts.",
    arguments: {
      content: { to: "body.content", text: "The text; or give url." },
      url: { to: "body.url", text: "A page to read instead." },
      detail: { to: "body.detail", text: "How much to explain." },
    },
    show: [
      "verdict",
      "score",
      "confidence",
      "interval",
      "abstained_because",
      "operating_point",
      "signals",
      "language",
      "words",
    ],
    readOnly: true,
    idempotent: true,
    openWorld: true,
    slow: true,
  },
  {
    name: "list_events",
    title: "What happened lately",
    route: "events.list",
    description: "The log of everything that happened: price falls, deliveries, crossed levels, alert matches.",
    arguments: {
      type: { to: "query.type", text: "e.g. shopping.price_changed." },
      limit: { to: "query.limit", text: "At most this many." },
      cursor: { to: "query.cursor", text: "next_cursor of the page before." },
    },
    outside: ["data"],
    readOnly: true,
    idempotent: true,
  },
  {
    name: "get_account",
    title: "Account and quota",
    route: "user.profile",
    description: "Whose key this is, its plan, what it may do, and what is left of the quota.",
    arguments: {},
    readOnly: true,
    idempotent: true,
  },
];
