// A week of tracking on an owned clock: a local server with many hosts, two workers on one database. SHOPPING_WEEK_PAGES=1000
// runs the full size; the suite runs a small one.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Harness, startHarness } from "../../../../tests/harness.ts";
import { ManualClock } from "../../../lib/clock.ts";
import { seededRandom } from "../../../lib/random.ts";
import { HOUR_MS } from "../../../lib/time.ts";
import type { Platform } from "../../../platform/platform.ts";
import { createShopping } from "../index.ts";
import { type PageReader, ReadError } from "../providers/port.ts";
import { INTERVAL_MIN_MS } from "../engine/schedule/interval.ts";
import { track } from "./fixtures/track.ts";

const PAGES = Number(process.env.SHOPPING_WEEK_PAGES ?? 20);
const DAYS = PAGES > 100 ? 7 : 2;
const HOSTS = Math.max(4, Math.floor(PAGES / 20));

let app: Harness;
/** The trackers' own clock: advancing the app's would run every timer of the whole service for a week. */
const clock = new ManualClock("2026-11-01T12:00:00Z");
const platformWithClock = (): Platform => ({ ...app.service.platform, clock });
let server: ReturnType<typeof Bun.serve>;
const visits: { host: string; path: string; at: number }[] = [];
const served = new Map<string, string[]>();

/** Page i changes its price every (i % 40 + 5) hours; every seventh never. One host forbids /private, one asks for a delay. */
function priceOf(i: number, now: number): string {
  const turn = i % 7 === 0 ? 0 : Math.floor(now / (((i % 40) + 5) * HOUR_MS));
  return `${100 + ((turn * 7 + i) % 30)}.00`;
}

function answer(host: string, path: string, now: number): Response {
  if (path === "/robots.txt") {
    if (host.startsWith("h0.")) return new Response("User-agent: *\nDisallow: /private\nCrawl-delay: 10\n");
    return host.startsWith("h1.") ? new Response("", { status: 404 }) : new Response("User-agent: *\nAllow: /\n");
  }
  const i = Number(path.slice(path.lastIndexOf("/") + 1));
  const price = priceOf(i, now);
  const key = host + path;
  served.set(key, [...(served.get(key) ?? []), price]);
  return new Response(
    `<html><head><title>Thing ${i}</title><script type="application/ld+json">{"@type":"Product","name":"Thing ${i}","sku":"T-${i}","offers":{"@type":"Offer","price":"${price}","priceCurrency":"EUR","availability":"InStock"}}</script></head><body><h1>Thing ${i}</h1><p class="price">${price} €</p></body></html>`,
    { headers: { "content-type": "text/html" } },
  );
}

beforeAll(async () => {
  app = await startHarness();
  server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const host = request.headers.get("x-host")!,
        path = new URL(request.url).pathname,
        at = Number(request.headers.get("x-now"));
      visits.push({ host, path, at });
      return answer(host, path, at);
    },
  });
});
afterAll(async () => {
  await server.stop(true);
  await app.stop();
});

/** Every host name leads to the one local server. */
const localWeb = (platform: Platform, before?: (url: string) => void): PageReader => ({
  simulated: false,
  check: async () => {},
  async read(url) {
    before?.(url);
    const target = new URL(url);
    const reply = await fetch(`http://127.0.0.1:${server.port}${target.pathname}`, {
      headers: { "x-host": target.host, "x-now": String(platform.clock.now()) },
    });
    return {
      status: reply.status,
      body: new Uint8Array(await reply.arrayBuffer()),
      contentType: reply.headers.get("content-type"),
      finalUrl: url,
      notModified: false,
      etag: null,
      lastModified: null,
      retryAfterMs: null,
    };
  },
});

/** Each test begins with nothing tracked. */
const deleteTrackers = async (platform: Platform): Promise<void> => {
  await platform.db.sql`delete from shopping_trackers`;
  await platform.db.sql`delete from shopping_pages`;
};

/**
 * To the next moment at which some page is due and its host free; past the first rush (when gaps matter most) at least two
 * minutes on, so that a week takes thousands of steps and not tens of thousands.
 */
async function toNext(platform: Platform, end: number, leastMs: number): Promise<boolean> {
  const [row] = await platform.db
    .sql`select min(greatest(p.due_at, h.free_at)) as at from shopping_pages p join shopping_hosts h using (host) where not p.simulated`;
  const now = platform.clock.now();
  const next = row.at === null ? end : Math.max((row.at as Date).getTime(), now + leastMs);
  if (next >= end) return false;
  await clock.advance(next - platform.clock.now());
  return true;
}

describe("a week of tracking", () => {
  test("gaps, robots and intervals are kept; one event and one point for every real change", async () => {
    const platform = platformWithClock();
    const workers = [1, 2].map((n) =>
      createShopping(
        { ...platform, random: seededRandom(`worker ${n}`) },
        { web: localWeb(platform), concurrency: 16 },
      ),
    );
    const [{ id: tenant }] = await platform.db.sql`select min(id) as id from tenants where mode = 'live'`;
    for (let i = 0; i < PAGES; i++)
      await track(
        platform,
        `https://h${i % HOSTS}.example/${i % 9 === 0 && i % HOSTS === 0 ? "private/" : "p/"}${i}`,
        tenant,
      );
    // A second caller of the same page costs no second fetch.
    const other = await app.openAccount("max");
    const [{ id: second }] = await platform.db
      .sql`select id from tenants where account_id = ${other.id} and mode = 'live'`;
    for (let i = 1; i < 6; i++) await track(platform, `https://h${i % HOSTS}.example/p/${i}?utm_source=x`, second);
    const end = clock.now() + DAYS * 24 * HOUR_MS;
    const rush = clock.now() + HOUR_MS;
    while (await toNext(platform, end, clock.now() < rush ? 0 : 120_000))
      await Promise.all(workers.map((w) => w.loop.settle()));

    const byHost = Map.groupBy(visits, (v) => v.host);
    for (const [host, list] of byHost) {
      const least = host.startsWith("h0.") ? 10_000 : 2_000;
      // Before its robots.txt is read, a host's wish cannot be known: that gap is the plain one.
      list.slice(2).forEach((v, i) => expect(v.at - list[i + 1]!.at).toBeGreaterThanOrEqual(least));
      expect(list.slice(1).every((v) => !v.path.startsWith("/private"))).toBe(true);
      expect(list[0]!.path).toBe("/robots.txt");
    }
    for (const [, list] of Map.groupBy(
      visits.filter((v) => v.path !== "/robots.txt"),
      (v) => v.host + v.path,
    )) {
      list
        .slice(1)
        .forEach((v, i) =>
          expect(v.at - list[i]!.at).toBeGreaterThanOrEqual(Math.min(INTERVAL_MIN_MS, 6 * HOUR_MS * 0.5 * 0.85)),
        );
    }
    const changes = (list: string[]) => list.filter((p, i) => i > 0 && p !== list[i - 1]).length;
    const expected = [...served.values()].reduce((sum, list) => sum + changes(list), 0);
    const [{ n: events }] = await platform.db
      .sql`select count(*)::int as n from events where type = 'shopping.price_changed' and tenant_id = ${tenant}`;
    expect(events).toBe(expected);
    const [{ n: points }] = await platform.db
      .sql`select count(*)::int as n from shopping_points p join shopping_trackers t on t.id = p.tracker_id where t.tenant_id = ${tenant}`;
    expect(points).toBe(expected + served.size);
    const [{ n: refused }] = await platform.db
      .sql`select count(*)::int as n from shopping_trackers where status = 'robots_disallowed'`;
    expect(refused).toBeGreaterThan(0);
    console.log(
      `${PAGES} pages, ${HOSTS} hosts, ${DAYS} days: ${visits.length} requests, ${expected} changes, ${events} events, ${points} points`,
    );
  }, 1_200_000);
});

describe("a worker that dies", () => {
  test("leaves its page to the next one, and no point is lost or doubled", async () => {
    const platform = platformWithClock();
    await deleteTrackers(platform);
    const steady = createShopping(platform, { web: localWeb(platform) });
    const dying = createShopping(platform, {
      web: localWeb(platform, (url) => {
        if (!url.endsWith("robots.txt")) throw new Error("killed in the middle");
      }),
    });
    const [{ id: tenant }] = await platform.db.sql`select min(id) as id from tenants where mode = 'live'`;
    const made = await track(platform, "https://fragile.example/p/1", tenant);
    // The first visit reads robots.txt alone.
    await steady.loop.settle();
    await clock.advance(5_000);
    await dying.loop.settle();
    const pointsOf = async () =>
      (await platform.db.sql`select count(*)::int as n from shopping_points where tracker_id = ${made}`)[0].n;
    expect(await pointsOf()).toBe(0);
    await clock.advance(30_000);
    await steady.loop.settle();
    expect(await pointsOf()).toBe(0);
    await clock.advance(120_000);
    await steady.loop.settle();
    expect(await pointsOf()).toBe(1);
  }, 120_000);

  test("a host that cannot be reached is left alone, and its pages keep their price", async () => {
    const platform = platformWithClock();
    await deleteTrackers(platform);
    let down = false;
    const shopping = createShopping(platform, {
      web: localWeb(platform, () => {
        if (down) throw new ReadError("unreachable", "The host does not answer.");
      }),
    });
    const [{ id: tenant }] = await platform.db.sql`select min(id) as id from tenants where mode = 'live'`;
    const made = await track(platform, "https://shaky.example/p/2", tenant);
    for (let i = 0; i < 3; i++) {
      await clock.advance(130_000);
      await shopping.loop.settle();
    }
    down = true;
    const before = visits.length;
    for (let i = 0; i < 40; i++) {
      await clock.advance(HOUR_MS);
      await shopping.loop.settle();
    }
    const [row] = await platform.db.sql`select status, state from shopping_trackers where id = ${made}`;
    expect(row.status).toBe("stale");
    expect(row.state.machine.amount).not.toBeNull();
    expect(visits.length - before).toBeLessThan(45);
    const events = await platform.db
      .sql`select data from events where type = 'shopping.check_failed' and data ->> 'tracker_id' = ${made}`;
    expect(events).toHaveLength(1);
  }, 120_000);
});

describe("a page of a known platform that shows no price", () => {
  test("is asked for as JSON, after the host's gap", async () => {
    const platform = platformWithClock();
    await deleteTrackers(platform);
    const asked: { path: string; at: number }[] = [];
    const web: PageReader = {
      simulated: false,
      check: async () => {},
      async read(url) {
        const path = new URL(url).pathname;
        asked.push({ path, at: platform.clock.now() });
        const body = path.endsWith(".js")
          ? '{"title":"Coat","price":12900,"available":false,"variants":[]}'
          : path === "/robots.txt"
            ? ""
            : '<script src="//cdn.shopify.com/x.js"></script><h1>Coat</h1>';
        return {
          status: 200,
          body: Buffer.from(body),
          contentType: "text/html",
          finalUrl: url,
          notModified: false,
          etag: null,
          lastModified: null,
          retryAfterMs: null,
        };
      },
    };
    const shopping = createShopping(platform, { web });
    const [{ id: tenant }] = await platform.db.sql`select min(id) as id from tenants where mode = 'live'`;
    const made = await track(platform, "https://coats.example/products/coat?currency=EUR", tenant);
    await shopping.loop.settle();
    await clock.advance(3_000);
    const { promise: gapBegins, resolve: onGap } = Promise.withResolvers<void>();
    const after = clock.after.bind(clock);
    clock.after = (delayMs, callback) => {
      if (asked.length === 2 && delayMs >= 2_000) onGap();
      return after(delayMs, callback);
    };
    const look = shopping.loop.settle();
    await gapBegins;
    await clock.advance(10_000);
    await look;
    clock.after = after;
    const [row] = await platform.db.sql`select state from shopping_trackers where id = ${made}`;
    expect(row.state.machine).toMatchObject({ amount: "129.00", availability: "out_of_stock", status: "ok" });
    expect(asked.map((a) => a.path)).toEqual(["/robots.txt", "/products/coat", "/products/coat.js"]);
    expect(asked[2]!.at - asked[1]!.at).toBeGreaterThanOrEqual(2_000);
  }, 120_000);
});

describe("events of the demo shop", () => {
  test("a price drop, a sold-out spell and a target within a minute or two, each with the tracker's tags", async () => {
    await deleteTrackers(app.service.platform);
    const demo = (name: string) => encodeURIComponent(`${app.url}/demo-shop/${name}`);
    const shopping = createShopping(app.service.platform);
    await app.call(
      "GET",
      `/shopping/track?url=${demo("kettle")}&tags=kitchen&target_price=40&alert_on=price_drop,new_low`,
    );
    await app.call("GET", `/shopping/track?url=${demo("teapot")}&tags=tea&alert_on=back_in_stock,out_of_stock`);
    for (let i = 0; i < 14; i++) {
      await app.clock.advance(10_000);
      await shopping.loop.settle();
    }
    const { body } = await app.call("GET", "/events?limit=100");
    const items: any[] = body.data.items.filter((e: any) => e.type.startsWith("shopping."));
    expect(items.every((e) => e.data.simulated === true)).toBe(true);
    const drop = items.find(
      (e) => e.type === "shopping.price_changed" && e.data.direction === "down" && e.tags.includes("kitchen"),
    );
    expect(drop.data).toMatchObject({ name: "Copper kettle", currency: "EUR" });
    expect(items.some((e) => e.type === "shopping.target_reached" && e.data.target === "40")).toBe(true);
    expect(
      items.some(
        (e) =>
          e.type === "shopping.availability_changed" && e.data.availability === "out_of_stock" && e.tags[0] === "tea",
      ),
    ).toBe(true);
    expect(
      items.some((e) => e.type === "shopping.availability_changed" && e.data.triggers.includes("back_in_stock")),
    ).toBe(true);
  }, 120_000);
});
