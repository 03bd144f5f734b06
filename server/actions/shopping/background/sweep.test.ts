// One account's pages, however slow their hosts, leave room for those of another.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Harness, startHarness } from "../../../../tests/harness.ts";
import { ManualClock } from "../../../lib/clock.ts";
import type { Platform } from "../../../platform/platform.ts";
import { createShopping } from "../index.ts";
import type { PageAnswer, PageReader } from "../providers/port.ts";
import { track } from "./fixtures/track.ts";

const CONCURRENCY = 8;
const SLOW_HOSTS = 40;

let app: Harness;
beforeAll(async () => {
  app = await startHarness();
});
afterAll(() => app.stop());

const PAGE =
  '<script type="application/ld+json">{"@type":"Product","name":"Cup","offers":{"price":"9.00","priceCurrency":"EUR"}}</script>';

function answerOf(url: string): PageAnswer {
  return {
    status: 200,
    body: Buffer.from(url.endsWith("/robots.txt") ? "" : PAGE),
    contentType: "text/html",
    finalUrl: url,
    notModified: false,
    etag: null,
    lastModified: null,
    retryAfterMs: null,
  };
}

/** Reads every page but those of slow hosts, which answer when they are let go. */
function slowWeb() {
  const { promise: letGo, resolve: release } = Promise.withResolvers<void>();
  const { promise: quickWasRead, resolve: onQuick } = Promise.withResolvers<void>();
  let hanging = 0;
  let maxHanging = 0;
  const web: PageReader = {
    simulated: false,
    check: async () => {},
    async read(url) {
      if (new URL(url).host.startsWith("slow")) {
        maxHanging = Math.max(maxHanging, ++hanging);
        await letGo;
        hanging--;
      } else if (!url.endsWith("/robots.txt")) onQuick();
      return answerOf(url);
    },
  };
  return { web, release, quickWasRead, maxHanging: () => maxHanging };
}

test("pages of one account that hang keep no page of another waiting", async () => {
  const clock = new ManualClock("2026-11-01T12:00:00Z");
  const platform: Platform = { ...app.service.platform, clock };
  const { web, release, quickWasRead, maxHanging } = slowWeb();
  const shopping = createShopping(platform, { web, concurrency: CONCURRENCY });
  const tenants = await platform.db.sql`select id from tenants order by id limit 2`;
  for (let i = 0; i < SLOW_HOSTS; i++) await track(platform, `https://slow${i}.example/p`, tenants[0].id);
  // Due last, and of a host that was free last.
  await clock.advance(1_000);
  const quick = await track(platform, "https://quick.example/p", tenants[1].id);
  // The slow ones hang with their robots.txt; the quick one reads its own, and its page after the gap.
  const swept = shopping.loop.settle();
  let isRead = false;
  void quickWasRead.then(() => (isRead = true));
  while (!isRead) {
    await clock.advance(1_000);
    await new Promise(setImmediate);
  }
  expect(maxHanging()).toBeLessThan(CONCURRENCY);
  release();
  await swept;
  const [row] = await platform.db.sql`select status from shopping_trackers where id = ${quick}`;
  expect(row.status).toBe("ok");
}, 60_000);
