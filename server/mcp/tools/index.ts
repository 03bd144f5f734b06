// The tools an agent sees: a curated table over the contract. Types come from the contract; names, texts and the choice of
// arguments are written for a model.
import { ALERTS_TOOLS } from "./alerts.ts";
import { DELIVERY_TOOLS } from "./delivery.ts";
import { DETECTOR_TOOLS } from "./detector.ts";
import { PLATFORM_TOOLS } from "./platform.ts";
import { SHOPPING_TOOLS } from "./shopping.ts";
import { STOCK_TOOLS } from "./stock.ts";
import type { ToolSpec } from "./spec.ts";

export const TOOLS: ToolSpec[] = [
  ...DELIVERY_TOOLS,
  ...SHOPPING_TOOLS,
  ...STOCK_TOOLS,
  ...ALERTS_TOOLS,
  ...DETECTOR_TOOLS,
  ...PLATFORM_TOOLS,
];
