import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Harness, startHarness } from "../../../../tests/harness.ts";

let app: Harness;
beforeAll(async () => {
  app = await startHarness();
});
afterAll(() => app.stop());

const pathOf = (url: string) => `/${new URL(url).pathname}`;
const schedule = async (more: object = {}) => {
  const body = {
    pickup: { address: "New York, NY 10118", time: "2026-11-01T15:00:00Z" },
    dropoff: { address: "Brooklyn <script>alert(1)</script>, NY 11201" },
    ...more,
  };
  return (await app.call("POST", "/delivery/schedule", { body })).body.data;
};

/** Whether the policy allows the very bytes the page holds between the tags. */
function allowsItself(page: { text: string; headers: Headers }): boolean {
  const policy = page.headers.get("content-security-policy")!;
  const blocks = [...page.text.matchAll(/<(style|script)>([\s\S]*?)<\/\1>/g)].map((m) => m[2]);
  const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  return blocks.length > 0 && blocks.every((text) => policy.includes(hash(text)));
}

describe("GET /track/{token}", () => {
  test("200 shows state, window and a map, escapes what people wrote and lets nothing in from outside", async () => {
    const delivery = await schedule({ proof: ["pin"] });
    const page = await app.call("GET", pathOf(delivery.tracking_url), { key: null });
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(page.text).toContain("Scheduled");
    expect(page.text).toContain(delivery.proof.pin);
    expect(page.text).toContain("<svg");
    expect(page.text).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(page.text.match(/<script/g)).toHaveLength(1);
    expect(page.text).not.toMatch(/(src|href)="https?:/);
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(allowsItself(page)).toBe(true);
  });

  test("200 without a map where nothing could be placed", async () => {
    const delivery = await schedule({
      pickup: { address: "zzzz qqqq", time: "2026-11-01T15:00:00Z" },
      dropoff: { address: "xxxx yyyy" },
    });
    expect((await app.call("GET", pathOf(delivery.tracking_url), { key: null })).text).toContain("No map");
  });

  test("404 for a token nobody has", async () => {
    expect((await app.call("GET", "//track/AAAAAAAAAAAAAAAAAAAAAAAA", { key: null })).status).toBe(404);
  });
});

describe("/courier/{token}", () => {
  const post = (url: string, fields: Record<string, string>) =>
    app.call("POST", pathOf(url), {
      key: null,
      body: new URLSearchParams(fields).toString(),
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
    });

  test("200 shows what is in hand; 303 after every button, from pickup to proof", async () => {
    const courier = (await app.call("POST", "/delivery/couriers", { body: { name: "Bo" } })).body.data;
    const delivery = await schedule({
      proof: ["signature"],
      dropoff: { address: "Brooklyn, NY 11201", contact: { name: "Ada", phone: "+1 212 555 0100" } },
    });
    const id = delivery.delivery_id;
    await app.call("POST", `/delivery/${id}/advance`, { body: { to: "assigned", courier_id: courier.id } });
    const page = await app.call("GET", pathOf(courier.courier_url), { key: null });
    expect(page.text).toContain("Set out for the pickup");
    expect(allowsItself(page)).toBe(true);
    expect(page.text).toContain('href="tel:+12125550100"');
    for (const step of ["en_route_to_pickup", "at_pickup", "picked_up", "at_dropoff"])
      expect((await post(courier.courier_url, { do: step, delivery: id })).status).toBe(303);
    const unsigned = await post(courier.courier_url, { do: "delivered", delivery: id });
    expect([unsigned.status, unsigned.text.includes("proof is missing: signature")]).toEqual([409, true]);
    expect((await post(courier.courier_url, { do: "delivered", delivery: id, signature: "Ada" })).status).toBe(303);
    expect((await app.call("GET", `/delivery/${id}`)).body.data).toMatchObject({
      status: "delivered",
      proof: { given: { signature: "Ada" } },
    });
  });

  test("200 says in words what comes next, what is carried, and how to get there", async () => {
    const courier = (await app.call("POST", "/delivery/couriers", { body: { name: "Di" } })).body.data;
    const { delivery_id: id } = await schedule({ items: [{ name: "Lamp", quantity: 2 }], notes: "Fragile" });
    await app.call("POST", `/delivery/${id}/advance`, { body: { to: "assigned", courier_id: courier.id } });
    const { text } = await app.call("GET", pathOf(courier.courier_url), { key: null });
    for (const shown of ["<h2>Next: the pickup</h2>", "2 × Lamp", "Fragile", ">Navigate</a>"])
      expect(text).toContain(shown);
    for (const raw of ["<h2>assigned</h2>", "0.0 km", "straight line"]) expect(text).not.toContain(raw);
    expect(text).toMatch(/href="geo:-?\d+\.\d+,-?\d+\.\d+/);
  });

  test("303 on and off duty, and a position; 409 for what is not a position or not theirs", async () => {
    const courier = (await app.call("POST", "/delivery/couriers", { body: { name: "Cy" } })).body.data;
    expect((await post(courier.courier_url, { do: "off_duty" })).status).toBe(303);
    expect((await app.call("GET", pathOf(courier.courier_url), { key: null })).text).toContain("Off duty");
    expect((await post(courier.courier_url, { do: "position", lat: "40.7", lon: "-73.9" })).status).toBe(303);
    expect((await post(courier.courier_url, { do: "position", lat: "x", lon: "1" })).status).toBe(409);
    const { delivery_id } = await schedule();
    expect((await post(courier.courier_url, { do: "accept", delivery: delivery_id })).status).toBe(409);
  });

  test("404 for a token nobody has", async () => {
    expect((await app.call("GET", "//courier/AAAAAAAAAAAAAAAAAAAAAAAA", { key: null })).status).toBe(404);
    expect((await post("http://x/courier/AAAAAAAAAAAAAAAAAAAAAAAA", { do: "on_duty" })).status).toBe(404);
  });
});
