// The tracking page: in the reader's language, live without a reload, and what a recipient says on it.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Account, type Harness, startHarness } from "../../../../tests/harness.ts";
import { chooseLanguage, LANGUAGES, wordsOf } from "./pages/languages.ts";

let app: Harness;
let account: Account;
beforeAll(async () => {
  app = await startHarness();
  account = await app.openAccount();
});
afterAll(() => app.stop());

const call = (method: string, path: string, body?: unknown) => app.call(method, path, { body, key: account.liveKey });
const schedule = async (more: object = {}) =>
  (
    await call("POST", "/delivery/schedule", {
      pickup: { address: "New York, NY 10118", time: "asap" },
      dropoff: { address: "Brooklyn, NY 11201" },
      ...more,
    })
  ).body.data;
const pathOf = (url: string) => `/${new URL(url).pathname}`;
const open = (url: string, headers: Record<string, string> = {}, query = "") =>
  app.call("GET", pathOf(url) + query, { key: null, headers });
const submit = (url: string, fields: Record<string, string>) =>
  app.call("POST", pathOf(url), {
    key: null,
    body: new URLSearchParams(fields).toString(),
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
  });

describe("languages", () => {
  test("twelve, each with every word", () => {
    expect(LANGUAGES).toHaveLength(12);
    for (const language of LANGUAGES)
      for (const [key, word] of Object.entries(wordsOf(language)))
        expect([language, key, word]).not.toContain(undefined);
  });

  test("the browser's, by its own order of preference", () => {
    expect(chooseLanguage("fr;q=0.5, de-AT, en;q=0.9")).toBe("de");
    expect([chooseLanguage("xx"), chooseLanguage(null)]).toEqual(["en", "en"]);
  });

  test("200 in the reader's language, with local times and no zone names; right to left where it is read so", async () => {
    const { tracking_url } = await schedule();
    const german = await open(tracking_url, { "Accept-Language": "de-DE,de;q=0.9" });
    expect([german.status, german.text.includes("Geplant"), german.text.includes("GMT")]).toEqual([200, true, false]);
    const arabic = await open(tracking_url, {}, "?lang=ar");
    expect(arabic.text).toContain('lang="ar" dir="rtl"');
  });

  test("404 as a page for a browser, as an error for a program", async () => {
    const dead = `${app.url}/track/AAAAAAAAAAAAAAAAAAAAAAAA`;
    const page = await open(dead, { Accept: "text/html", "Accept-Language": "es" });
    expect([page.status, page.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
    expect(page.text).toContain("Esta entrega no está aquí");
    expect((await open(dead)).body.error.code).toBe("not_found");
  });
});

describe("while the page is open", () => {
  test("a change arrives without a reload", async () => {
    const { tracking_url, delivery_id } = await schedule();
    const stream = await fetch(`${tracking_url}/live?lang=en`);
    const reader = stream.body!.getReader();
    let text = "";
    const until = async (what: string) => {
      while (!text.includes(what)) text += new TextDecoder().decode((await reader.read()).value);
    };
    await until("event: ready");
    await call("PATCH", `/delivery/${delivery_id}`, { tags: ["x"], dropoff: { lat: 40.7, lon: -73.99 } });
    await app.service.settle();
    await until("event: update");
    await call("POST", `/delivery/${delivery_id}/cancel`);
    await app.service.settle();
    await until("event: state");
    await reader.cancel();
  });
});

describe("what a recipient says", () => {
  test("303 instructions, and a pin that is moved and remembered; 409 for one that is far away", async () => {
    const { tracking_url, delivery_id } = await schedule();
    const read = async () => (await call("GET", `/delivery/${delivery_id}`)).body.data;
    expect((await submit(tracking_url, { do: "instructions", instructions: "Second bell" })).status).toBe(303);
    expect((await read()).dropoff.instructions).toBe("Second bell");
    expect((await submit(tracking_url, { do: "pin", lat: "40.6950", lon: "-73.9900" })).status).toBe(303);
    expect((await read()).locations.dropoff).toMatchObject({ lat: 40.695, lon: -73.99, precision: "rooftop" });
    expect((await submit(tracking_url, { do: "pin", lat: "48.1", lon: "11.5" })).status).toBe(409);
    expect((await submit(tracking_url, { do: "pin", lat: "", lon: "" })).status).toBe(409);
    expect((await submit(tracking_url, { do: "rating", stars: "5" })).status).toBe(409);
    expect((await schedule()).locations.dropoff).toMatchObject({ lat: 40.695, lon: -73.99 });
  });

  test("303 a rating once it has arrived, once; it is an event and counts in the statistics", async () => {
    const courier = (await call("POST", "/delivery/couriers", { name: "Bo" })).body.data;
    const { tracking_url, delivery_id } = await schedule();
    for (const to of ["assigned", "picked_up", "delivered"])
      await call("POST", `/delivery/${delivery_id}/advance`, { to, courier_id: courier.id });
    expect((await open(tracking_url)).text).toContain("How was it?");
    expect((await submit(tracking_url, { do: "rating", stars: "4", comment: "Quick" })).status).toBe(303);
    expect((await submit(tracking_url, { do: "rating", stars: "1" })).status).toBe(409);
    const [event] = (await call("GET", "/events?type=delivery.rated")).body.data.items;
    expect(event.data.rating).toMatchObject({ stars: 4, comment: "Quick" });
    await app.clock.advance(1000);
    expect((await call("GET", "/delivery/stats")).body.data.rating).toEqual({ average: 4, count: 1 });
  });
});

describe("brand", () => {
  test("200 name and colour of the account", async () => {
    await call("PATCH", "/delivery/settings", { brand: { name: "Ada’s Kitchen", colour: "#aa3366" } });
    const { text } = await open((await schedule()).tracking_url);
    expect([text.includes("Ada’s Kitchen"), text.includes("--go:#aa3366")]).toEqual([true, true]);
    expect((await call("PATCH", "/delivery/settings", { brand: { colour: "red;}" } })).status).toBe(400);
  });
});
