// Shopping over HTTP: what each route answers, and what else happened.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Harness, startHarness } from "../../../tests/harness.ts";
import { createShopping } from "./index.ts";

let app: Harness;
beforeAll(async () => {
  app = await startHarness();
});
afterAll(() => app.stop());

const demo = (name: string) => encodeURIComponent(`${app.url}/demo-shop/${name}`);
const trackDemo = (name: string, more = "", key?: string) =>
  app.call("GET", `/shopping/track?url=${demo(name)}${more}`, key ? { key } : {});

describe("GET /shopping/track", () => {
  test("200 with product, price, stock, history and the next look", async () => {
    const { status, body } = await trackDemo("kettle", "&tags=kitchen&include=candidates,offers,variants");
    expect(status).toBe(200);
    const { data } = body;
    expect(data.status).toBe("ok");
    expect(data.product).toMatchObject({ name: "Copper kettle", sku: "KET-100", gtin_valid: true, brand: "Demo" });
    expect(data.price).toMatchObject({ currency: "EUR", exponent: 2, currency_source: "markup" });
    expect(data.availability).toMatchObject({ status: "in_stock", purchasable: true, schema_org: "InStock" });
    expect(data.history).toHaveLength(1);
    expect(data.stats).toMatchObject({ checks: 1, changes: 0, is_all_time_low: null, deal: null, good_deal: false });
    expect(data.simulated).toBe(true);
    expect(data.tags).toEqual(["kitchen"]);
  });

  test("200 and the same tracker for the same page, whatever advertisers hung on the address", async () => {
    const first = await trackDemo("kettle");
    const second = await app.call(
      "GET",
      `/shopping/track?url=${encodeURIComponent(`${app.url}/demo-shop/kettle#x`)}&max_age=1h`,
    );
    expect(second.body.data.id).toBe(first.body.data.id);
  });

  test("200 reads the page again when what is asked of it changes, and not when it is asked again", async () => {
    const account = await app.openAccount();
    const track = async (more = "") => (await trackDemo("lamp", more, account.testKey)).body.data;
    expect((await track()).warnings).toEqual([]);
    const first = await track("&selector=.nothing");
    expect(first.warnings.map((w: any) => w.code)).toContain("selector_found_nothing");
    expect([first.stats.checks, (await track("&selector=.nothing")).stats.checks]).toEqual([2, 2]);
  });

  test("200 for each platform of the demo shop, read rightly", async () => {
    const lamp = await trackDemo("lamp");
    expect(lamp.body.data.price).toMatchObject({ currency: "GBP" });
    expect(lamp.body.data.product.sku).toBe("LMP-7");
    const teapot = await trackDemo("teapot");
    expect(teapot.body.data.price).toMatchObject({ amount: "8800", currency: "JPY", exponent: 0, minor: 8800 });
    const rug = await trackDemo("rug");
    expect(rug.body.data.price.currency).toBe("SEK");
    expect(rug.body.data.price.amount).toMatch(/^(1299|999|1199)\.50$/);
    const shirt = await trackDemo("shirt", "&variant=SHIRT-L");
    expect(shirt.body.data.price).toMatchObject({ amount: "64.00", currency: "USD" });
    expect(shirt.body.data.product.variant).toMatchObject({ id: "SHIRT-L", selected_by: "request" });
  });

  test("200 with status blocked for a page that blocks, and no price", async () => {
    const { body } = await trackDemo("guarded");
    expect(body.data).toMatchObject({ status: "blocked", price: null });
  });

  test("200 for one look that keeps nothing", async () => {
    const before = await app.call("GET", "/shopping/tracked?limit=100");
    const { status, body } = await trackDemo("lamp", "&track=false");
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ id: null, status: "ok", history: [], stats: null });
    expect((await app.call("GET", "/shopping/tracked?limit=100")).body.data.items).toHaveLength(
      before.body.data.items.length,
    );
  });

  test("200 from a conditional request: an unchanged page is a look without a reading", async () => {
    const first = (await trackDemo("lamp")).body.data;
    const again = (await trackDemo("lamp", "&max_age=0s")).body.data;
    expect(again.check).toMatchObject({ not_modified: true, http_status: 304, bytes: 0 });
    expect([again.id, again.price.amount, again.history.length]).toEqual([first.id, first.price.amount, 1]);
    const pointed = (await trackDemo("lamp", "&max_age=0s&selector=h1")).body.data;
    expect(pointed.check.not_modified).toBe(false);
    await app.call("PATCH", `/shopping/tracked/${first.id}`, { body: { selector: null } });
  });

  test("200 by id, and 404 for an unknown or foreign one", async () => {
    const mine = await trackDemo("kettle");
    const again = await app.call("GET", `/shopping/track?id=${mine.body.data.id}`);
    expect(again.body.data.id).toBe(mine.body.data.id);
    const stranger = await app.openAccount("free");
    expect((await app.call("GET", `/shopping/track?id=${mine.body.data.id}`, { key: stranger.testKey })).status).toBe(
      404,
    );
  });

  test("400 without url and id, with a bad interval, with a bad selector", async () => {
    expect((await app.call("GET", "/shopping/track")).body.error.errors[0].code).toBe("one_of");
    expect((await trackDemo("kettle", "&interval=5m")).body.error.errors[0].pointer).toBe("/interval");
    expect((await trackDemo("kettle", "&selector=a:hover")).body.error.errors[0].pointer).toBe("/selector");
    expect((await trackDemo("kettle", "&intervall=6h")).body.error.errors[0].hint).toContain("interval");
  });

  test("422 when a test key asks for the web, a live key for the demo shop, or anyone for a private address", async () => {
    const web = await app.call("GET", "/shopping/track?url=https%3A%2F%2Fshop.example%2Fp");
    expect([web.status, web.body.error.code]).toEqual([422, "target_not_allowed"]);
    expect(web.body.error.hint).toContain("live key");
    expect((await trackDemo("kettle", "", app.account.liveKey)).status).toBe(422);
    const inside = await app.call("GET", "/shopping/track?url=http%3A%2F%2F169.254.169.254%2Flatest", {
      key: app.account.liveKey,
    });
    expect([inside.status, inside.body.error.code]).toEqual([422, "target_not_allowed"]);
  });

  test("403 past what the plan tracks", async () => {
    const small = await app.openAccount("free");
    const [tenant] = await app.service.platform.db
      .sql`select t.id from tenants t where t.account_id = ${small.id} and t.mode = 'test'`;
    const [page] = await app.service.platform.db.sql`select id from shopping_pages limit 1`;
    await app.service.platform.db.sql`
      insert into shopping_trackers (id, tenant_id, page_id, variant, settings, state, status, created_at)
      select 'trk_filler' || n, ${tenant.id}, ${page.id}, 'v' || n, '{}', '{}', 'pending', now() from generate_series(1, 50) n`;
    const { status, body } = await trackDemo("kettle", "", small.testKey);
    expect([status, body.error.code]).toEqual([403, "plan_limit_reached"]);
    await app.service.platform.db.sql`delete from shopping_trackers where id like 'trk_filler%'`;
  });
});

describe("what was asked for", () => {
  test("can be read back, and what is on by default is said", async () => {
    const asked =
      "&selector=.price&condition=new&currency=eur&locale=de-AT&unit_quantity=2&extra_cost=4.90&interval=90m";
    const { data } = (await trackDemo("rug", `&variant=RUG-42${asked}`)).body;
    expect(data.settings).toEqual({
      variant: "RUG-42",
      interval: "90m",
      selector: ".price",
      condition: "new",
      seller: null,
      currency: "EUR",
      locale: "de-AT",
      unit_quantity: "2",
      extra_cost: "4.90",
    });
    await app.call("DELETE", `/shopping/tracked/${data.id}`);
  });

  test("and does not work as asked is warned of", async () => {
    const { data } = (await trackDemo("kettle", "&track=false&selector=.nothing")).body;
    expect(data.warnings).toEqual([
      {
        code: "selector_found_nothing",
        detail: expect.stringContaining(".nothing"),
        hint: expect.stringContaining("selector"),
      },
    ]);
  });

  test("400 for bounds between which no price lies, in one request or in two", async () => {
    const { status, body } = await trackDemo("kettle", "&min_price=50&max_price=20");
    expect([status, body.error.errors[0].pointer]).toEqual([400, "/min_price"]);
    const made = (await trackDemo("kettle", "&max_price=20")).body.data;
    const changed = await app.call("PATCH", `/shopping/tracked/${made.id}`, { body: { min_price: "50" } });
    expect(changed.body.error.errors[0].hint).toBe('Send min_price "20" and max_price "50"');
    await app.call("PATCH", `/shopping/tracked/${made.id}`, { body: { max_price: null } });
  });

  test("200 for a price that is a number; 400 for a currency that does not exist", async () => {
    const made = (await trackDemo("kettle")).body.data;
    const { body } = await app.call("PATCH", `/shopping/tracked/${made.id}`, { body: { target_price: 45 } });
    expect(body.data.alerts.target_price).toBe("45");
    expect((await trackDemo("kettle", "&currency=XYQ")).body.error.errors[0].pointer).toBe("/currency");
  });
});

describe("a variant", () => {
  test("that does not exist is variant_not_found, with the list and a reason", async () => {
    const { data } = (await trackDemo("shirt", "&variant=XXL")).body;
    expect(data).toMatchObject({ status: "variant_not_found", price: null });
    expect(data.variants.map((v: { id: string }) => v.id)).toEqual(["SHIRT-S", "SHIRT-M", "SHIRT-L"]);
    expect(data.check.error).toBe("The page has no variant XXL. It has: SHIRT-S, SHIRT-M, SHIRT-L.");
    expect((await trackDemo("shirt", "&variant=XXL&track=false")).body.data.status).toBe("variant_not_found");
  });
});

describe("the answer", () => {
  test("spells availability the same in offers, variants and history; money with its currency's decimals", async () => {
    const { data } = (await trackDemo("shirt", "&include=offers,variants")).body;
    expect(new Set(data.offers.map((o: { availability: string }) => o.availability))).toEqual(
      new Set(["in_stock", "out_of_stock"]),
    );
    expect(data.price).toMatchObject({ kind: "from", low: data.price.amount, high: "64.00" });
    for (const amount of [data.stats.avg, data.stats.median, data.stats.min.amount])
      expect(amount).toMatch(/^\d+\.\d\d$/);
  });

  test("says how often a demo page is really checked", async () => {
    const { data } = (await trackDemo("lamp")).body;
    expect([data.check.interval_s, data.settings.interval]).toEqual([10, "6h"]);
  });

  test("says why there is no price", async () => {
    expect((await trackDemo("guarded")).body.data.check.error).toContain("bot check");
  });
});

describe("events", () => {
  test("shopping.alert comes only when the tracker's rules are met; every fall of the demo shirt is one", async () => {
    const account = await app.openAccount("max");
    const shopping = createShopping(app.service.platform);
    const { id } = (await trackDemo("shirt", "&variant=SHIRT-M", account.testKey)).body.data;
    for (let i = 0; i < 24; i++) {
      await app.clock.advance(10_000);
      await shopping.loop.settle();
    }
    const { items } = (await app.call("GET", "/events?limit=100", { key: account.testKey })).body.data;
    const own = items.filter((e: any) => e.data.tracker_id === id);
    const falls = own.filter((e: any) => e.type === "shopping.price_changed" && e.data.direction === "down");
    const rises = own.filter((e: any) => e.type === "shopping.price_changed" && e.data.direction === "up");
    const alerts = own.filter((e: any) => e.type === "shopping.alert");
    expect(falls.length).toBeGreaterThan(2);
    expect(rises.length).toBeGreaterThan(1);
    expect(alerts).toHaveLength(falls.length);
    expect(alerts[0].data).toMatchObject({
      triggers: ["price_drop"],
      previous: "59.00",
      amount: "49.00",
      percent: -16.9,
    });
    expect(rises.every((e: any) => e.data.triggers.length === 0)).toBe(true);
  });
});

describe("GET /shopping/tracked", () => {
  test("200 with pages, filtered by tag and status", async () => {
    await trackDemo("kettle", "&tags=kitchen");
    const all = await app.call("GET", "/shopping/tracked?limit=2");
    expect(all.body.data.items).toHaveLength(2);
    expect(all.body.data.has_more).toBe(true);
    const next = await app.call("GET", `/shopping/tracked?limit=2&cursor=${all.body.data.next_cursor}`);
    expect(next.body.data.items[0].id).not.toBe(all.body.data.items[0].id);
    const tagged = await app.call("GET", "/shopping/tracked?tag=kitchen");
    expect(tagged.body.data.items.map((t: any) => t.product.name)).toEqual(["Copper kettle"]);
    expect((await app.call("GET", "/shopping/tracked?status=blocked")).body.data.items).toHaveLength(1);
  });
});

describe("GET|PATCH|DELETE /shopping/tracked/{id}", () => {
  test("200: read, change, forget; then 404", async () => {
    const made = (await trackDemo("lamp")).body.data;
    expect((await app.call("GET", `/shopping/tracked/${made.id}`)).body.data.id).toBe(made.id);
    const changed = await app.call("PATCH", `/shopping/tracked/${made.id}`, {
      body: { target_price: "28.00", interval: "1h", tags: ["desk"], alert_on: ["any_change"] },
    });
    expect(changed.status).toBe(200);
    expect(changed.body.data.alerts).toMatchObject({ target_price: "28.00", on: ["any_change"] });
    expect(changed.body.data.settings.interval).toBe("1h");
    expect(
      (await app.call("PATCH", `/shopping/tracked/${made.id}`, { body: { target_price: null } })).body.data.alerts
        .target_price,
    ).toBeNull();
    expect((await app.call("DELETE", `/shopping/tracked/${made.id}`)).body.data).toEqual({
      id: made.id,
      deleted: true,
    });
    expect((await app.call("GET", `/shopping/tracked/${made.id}`)).status).toBe(404);
    expect((await app.call("PATCH", `/shopping/tracked/${made.id}`, { body: { tags: [] } })).status).toBe(404);
    expect((await app.call("DELETE", `/shopping/tracked/${made.id}`)).status).toBe(404);
  });
});

describe("GET /shopping/tracked/{id}/history", () => {
  test("200 as JSON and as CSV, changes and days", async () => {
    const made = (await trackDemo("teapot")).body.data;
    const json = await app.call("GET", `/shopping/tracked/${made.id}/history`);
    expect(json.body.data.items[0]).toMatchObject({ amount: "8800", currency: "JPY" });
    const csv = await app.call("GET", `/shopping/tracked/${made.id}/history?format=csv`);
    expect(csv.headers.get("content-type")).toContain("text/csv");
    expect(csv.text.split("\r\n")[0]).toBe("at,amount,list_amount,currency,availability");
    expect(
      (await app.call("GET", `/shopping/tracked/${made.id}/history?resolution=daily`)).body.data.items,
    ).toHaveLength(1);
    expect((await app.call("GET", "/shopping/tracked/trk_01KB2M3N4P5Q6R7S8T9V0W1X2Y/history")).status).toBe(404);
  });
});

describe("GET /demo-shop", () => {
  test("200 with a list and pages; 404 for what it does not have", async () => {
    const index = await app.call("GET", "//demo-shop", { key: null, headers: { accept: "text/html" } });
    expect(index.status).toBe(200);
    expect(index.text).toContain("Copper kettle");
    expect(
      (await app.call("GET", "//demo-shop/kettle", { key: null, headers: { accept: "text/html" } })).text,
    ).toContain("ld+json");
    expect((await app.call("GET", "//demo-shop/nothing", { key: null })).status).toBe(404);
  });
});
