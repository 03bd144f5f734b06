// Wires shopping: store, readers, routes, the loop.
import type { Loop } from "../../lib/loop.ts";
import type { Module, Platform } from "../../platform/platform.ts";
import { parsePage } from "./background/parse.ts";
import { createSweep } from "./background/sweep.ts";
import type { PageInput } from "./engine/page/extract.ts";
import { createBrowser, withBrowser } from "./providers/browser.ts";
import { createDemoShop } from "./providers/demo-shop.ts";
import type { PageReader } from "./providers/port.ts";
import { createWebReader } from "./providers/web.ts";
import { demoShopRoutes } from "./routes/demo-shop.ts";
import { trackerRoutes } from "./routes/trackers.ts";
import { createStore } from "./store/index.ts";

const DEFAULT_CONCURRENCY = 16;

export interface ShoppingOptions {
  /** How many hosts one process visits at a time. */
  concurrency?: number;
  /** Reads pages of the web instead of plain fetching: a browser, or a test. */
  web?: PageReader;
  /** A Chromium that renders pages which show no price without scripts. */
  browser?: { executable: string; userAgent: string } | null;
}

export function createShopping(platform: Platform, options: ShoppingOptions = {}): Module & { loop: Loop } {
  const { guard, clock } = platform;
  const plain = options.web ?? createWebReader(guard);
  const parse = (input: PageInput) => parsePage(platform.pool, input, `host ${new URL(input.url).host}`);
  const web = options.browser ? withBrowser(plain, createBrowser({ ...options.browser, guard, clock }), parse) : plain;
  const demo = createDemoShop(clock, () => platform.publicUrl());
  const deps = { platform, store: createStore(platform.db), readers: { web, demo } };
  const loop = createSweep(deps, options.concurrency ?? DEFAULT_CONCURRENCY);
  return {
    handlers: [...trackerRoutes(deps), ...demoShopRoutes({ clock, demo })],
    loop,
    settle: loop.settle,
  };
}
