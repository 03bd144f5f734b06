// Shopping, as the rest of the service may see it.
import type { Module, Platform } from "../../platform/platform.ts";
import { createChecker } from "./work/check.ts";
import { createSweeper } from "./work/sweep.ts";
import { createBrowser, withBrowser } from "./providers/browser.ts";
import { createDemoShop } from "./providers/demo-shop.ts";
import type { PageReader } from "./providers/port.ts";
import { createWebReader } from "./providers/web.ts";
import { createService } from "./service.ts";
import { createStore } from "./store.ts";

export interface ShoppingOptions {
  /** How many hosts one process visits at a time. */
  concurrency?: number;
  /** Reads pages of the web instead of plain fetching: a browser, or a test. */
  web?: PageReader;
  /** A Chromium that renders pages which show no price without scripts. */
  browser?: { executable: string; userAgent: string } | null;
}

/** `tick` does by hand what the loop does every second; for tests, which own the clock. */
export function createShopping(
  platform: Platform,
  options: ShoppingOptions = {},
): Module & { tick(): Promise<number> } {
  const store = createStore(platform.db);
  const plain = options.web ?? createWebReader(platform.guard);
  const { guard, clock } = platform;
  const web = options.browser ? withBrowser(plain, createBrowser({ ...options.browser, guard, clock })) : plain;
  const demo = createDemoShop(platform.clock, () => platform.publicUrl());
  const checker = createChecker(platform, store, { web, demo });
  const sweeper = createSweeper({
    clock: platform.clock,
    log: platform.log,
    store,
    checker,
    concurrency: options.concurrency ?? 8,
  });
  return { ...createService(platform, store, checker, { web, demo }), loop: sweeper.loop, tick: sweeper.tick };
}
