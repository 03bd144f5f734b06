// Checks of real pages over HTTP with a live key: what is kept, what is not, and that many callers of one page never stand in
// each other's way.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Harness, startHarness } from "../../../../tests/harness.ts";
import { createShopping } from "../index.ts";

interface Page {
  status?: number;
  html?: string;
  lastModified?: string;
}

let app: Harness;
let shop: ReturnType<typeof Bun.serve>;
let shopping: ReturnType<typeof createShopping>;
const pages = new Map<string, Page>();

beforeAll(async () => {
  shop = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const page = pages.get(new URL(request.url).pathname);
      if (!page) return new Response("", { status: 404 });
      const headers = {
        "content-type": "text/html",
        ...(page.lastModified ? { "last-modified": page.lastModified } : {}),
      };
      if (page.lastModified && request.headers.get("if-modified-since") === page.lastModified)
        return new Response(null, { status: 304, headers });
      return new Response(page.html ?? "", { status: page.status ?? 200, headers });
    },
  });
  app = await startHarness({ config: { ALLOW_LOOPBACK: [`127.0.0.1:${shop.port}`] } });
  shopping = createShopping(app.service.platform);
});
afterAll(async () => {
  await shop.stop(true);
  await app.stop();
});

const product = (price: string) =>
  `<script type="application/ld+json">{"@type":"Product","name":"Cup","sku":"C-1","offers":{"price":"${price}","priceCurrency":"EUR","availability":"InStock"}}</script><h1>Cup</h1><p class="price">${price} €</p>`;
const addressOf = (path: string) => `http://127.0.0.1:${shop.port}${path}`;
const track = (path: string, more = "&wait=0", key = app.account.liveKey) =>
  app.call("GET", `/shopping/track?url=${encodeURIComponent(addressOf(path))}${more}`, { key });
const read = async (id: string) =>
  (await app.call("GET", `/shopping/tracked/${id}`, { key: app.account.liveKey })).body.data;

/** The host may be visited at once, without waiting for the gap. */
const freeHost = () => app.service.platform.db.sql`update shopping_hosts set free_at = '2000-01-01'`;

/** Checks one tracker's page now. */
async function check(id: string): Promise<void> {
  const { sql } = app.service.platform.db;
  const checks = async () =>
    (
      await sql`select p.checks from shopping_pages p join shopping_trackers t on t.page_id = p.id where t.id = ${id}`
    )[0].checks as number;
  const before = await checks();
  // The very first visit to a host reads robots.txt alone.
  for (let visit = 0; visit < 2 && (await checks()) === before; visit++) {
    await freeHost();
    await sql`update shopping_pages p set due_at = case when t.id = ${id} then timestamptz '2000-01-01' else '2100-01-01' end
      from shopping_trackers t where t.page_id = p.id`;
    await shopping.loop.settle();
  }
  expect(await checks()).toBe(before + 1);
}

describe("a page that shows no price", () => {
  test("stays no_price when the shop answers 304, with a reason that helps", async () => {
    pages.set("/script-only", {
      html: "<title>Cup</title><h1>Cup</h1><div id=app></div>",
      lastModified: "Sun, 01 Nov 2026 10:00:00 GMT",
    });
    const { id } = (await track("/script-only")).body.data;
    for (let i = 0; i < 2; i++) {
      await check(id);
      const shown = await read(id);
      expect(shown).toMatchObject({ status: "no_price", check: { http_status: 200, not_modified: false } });
      expect(shown.check.error).toContain("CONNECTOR_SHOPPING_BROWSER");
    }
  });

  test("is read as soon as it shows one", async () => {
    pages.set("/later", { html: "<h1>Cup</h1>", lastModified: "Sun, 01 Nov 2026 10:00:00 GMT" });
    const { id } = (await track("/later")).body.data;
    await check(id);
    expect((await read(id)).status).toBe("no_price");
    pages.set("/later", { html: product("5.00") });
    await check(id);
    expect(await read(id)).toMatchObject({ status: "ok", price: { amount: "5.00" }, check: { error: null } });
  });
});

describe("a page that is not there", () => {
  test("at its first check is not tracked and does not count", async () => {
    pages.set("/warm-up", { html: product("5.00") });
    await check((await track("/warm-up")).body.data.id);
    await freeHost();
    const { status, body } = await track("/typo");
    expect([status, body.data.id, body.data.status]).toEqual([200, null, "gone"]);
    expect(body.data.warnings[0]).toMatchObject({ code: "page_not_found" });
    expect(body.data.check.error).toContain("404");
    const { items } = (await app.call("GET", "/shopping/tracked?limit=100", { key: app.account.liveKey })).body.data;
    expect(items.filter((item: { url: string }) => item.url.endsWith("/typo"))).toEqual([]);
  });

  test("after it was read keeps its price, and is gone at the third 404", async () => {
    pages.set("/leaving", { html: product("7.00") });
    const { id } = (await track("/leaving")).body.data;
    await check(id);
    pages.delete("/leaving");
    const seen: string[] = [];
    for (let i = 0; i < 3; i++) {
      await check(id);
      seen.push((await read(id)).status);
    }
    expect(seen).toEqual(["stale", "stale", "gone"]);
    expect((await read(id)).price.amount).toBe("7.00");
  });
});

describe("what a page may hold", () => {
  test("NUL and half surrogates in its markup are kept out of the store, not the page", async () => {
    pages.set("/odd", {
      html: '<script type="application/ld+json">{"@type":"Product","name":"Cup \\u0000\\ud800","offers":{"price":"5","priceCurrency":"EUR"}}</script><h1>Cup</h1>',
    });
    const { id } = (await track("/odd")).body.data;
    await check(id);
    expect(await read(id)).toMatchObject({ status: "ok", price: { amount: "5.00" } });
  });
});

describe("many callers of one page", () => {
  test("track, change, delete and check it at the same time: no deadlock", async () => {
    pages.set("/busy", { html: product("9.00") });
    const accounts = await Promise.all(Array.from({ length: 6 }, () => app.openAccount("max")));
    const made = await Promise.all(accounts.map((a) => track("/busy", "&wait=0", a.liveKey)));
    for (let round = 0; round < 8; round++) {
      pages.set("/busy", { html: product(`${10 + round}.00`) });
      await freeHost();
      await app.service.platform.db.sql`update shopping_pages set due_at = '2000-01-01'`;
      const replies = await Promise.all([
        shopping.loop.settle(),
        ...accounts.flatMap((a, i) => [
          track("/busy", "&wait=0&max_age=0s", a.liveKey),
          app.call("PATCH", `/shopping/tracked/${made[i]!.body.data.id}`, {
            key: a.liveKey,
            body: { tags: [`round-${round}`] },
          }),
        ]),
      ]);
      for (const reply of replies.slice(1)) expect((reply as { status: number }).status).toBe(200);
    }
    const deleted = await Promise.all([
      shopping.loop.settle(),
      ...accounts.map((a, i) => app.call("DELETE", `/shopping/tracked/${made[i]!.body.data.id}`, { key: a.liveKey })),
    ]);
    expect(deleted.slice(1).map((reply) => (reply as { status: number }).status)).toEqual(accounts.map(() => 200));
  });

  test("40 trackers made at once next to the plan's limit: never one too many", async () => {
    const small = await app.openAccount("free");
    const { db } = app.service.platform;
    const [tenant] = await db.sql`select id from tenants where account_id = ${small.id} and mode = 'live'`;
    pages.set("/limit", { html: product("9.00") });
    await track("/limit", "&wait=0", app.account.liveKey);
    await db.sql`
      insert into shopping_trackers (id, tenant_id, page_id, variant, settings, state, status, created_at)
      select 'trk_limit' || n, ${tenant.id}, (select max(id) from shopping_pages), 'v' || n, '{}', '{}', 'pending', now()
      from generate_series(1, 45) n`;
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, i) => track("/limit", `&wait=0&variant=new-${i}`, small.liveKey)),
    );
    const made = replies.filter((reply) => reply.status === 200).length;
    expect([made, replies.filter((reply) => reply.body.error?.code === "plan_limit_reached").length]).toEqual([5, 35]);
    const [{ n }] = await db.sql`select count(*)::int as n from shopping_trackers where tenant_id = ${tenant.id}`;
    expect(n).toBe(50);
  });
});

describe("an address that is not public", () => {
  test("422 names the settings that would open it", async () => {
    const { status, body } = await app.call("GET", "/shopping/track?url=http%3A%2F%2F10.0.0.1%2Fp", {
      key: app.account.liveKey,
    });
    expect([status, body.error.code]).toEqual([422, "target_not_allowed"]);
    expect(body.error.hint).toContain("CONNECTOR_ALLOW_NETWORKS");
  });
});
