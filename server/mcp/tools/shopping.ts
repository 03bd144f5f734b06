// Tools of watched products.
import { idOf, PAGE, type ToolSpec } from "./spec.ts";

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

export const SHOPPING_TOOLS: ToolSpec[] = [
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
      ...PAGE,
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
    arguments: { tracker_id: idOf("tracker (trk_…)"), days: { to: "query.days", text: "How far back." } },
    readOnly: true,
    idempotent: true,
  },
  {
    name: "stop_tracking_product",
    title: "Stop watching a product",
    route: "shopping.delete",
    description: "End the watch on a product and delete its history.",
    arguments: { tracker_id: idOf("tracker (trk_…)") },
    readOnly: false,
    destructive: true,
    idempotent: true,
  },
];
