import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type Harness, startHarness } from "../../../../tests/harness.ts";

setDefaultTimeout(120_000);

let app: Harness;
beforeAll(async () => {
  app = await startHarness();
});
afterAll(() => app.stop());

const DAY_MS = 86_400_000;
const make = (to: string, key = app.key, name = "Win at http://evil.example") =>
  app.call("POST", "/alerts/create", { key, body: { tag: "kettle", name, channels: [{ type: "email", to }] } });
const inbox = async (key = app.key) =>
  (await app.call("GET", "/sandbox/inbox?channel=email&limit=100", { key })).body.data.items;
const statusOf = async (id: string) => (await app.call("GET", `/alerts/${id}`)).body.data.status;

describe("mail to somebody who has not agreed", () => {
  test("carries no text of the caller, and comes once a day over all tenants", async () => {
    const other = await app.openAccount();
    await make("ada@example.com");
    await make("ADA@example.com");
    await make("ada@example.com", other.testKey);
    await app.service.settle();
    const mails = await inbox();
    expect([mails.length, (await inbox(other.testKey)).length]).toEqual([1, 0]);
    expect(JSON.stringify(mails[0].content)).not.toContain("evil");
    await app.clock.advance(DAY_MS);
    await app.service.settle();
    expect((await inbox()).length + (await inbox(other.testKey)).length).toBeLessThanOrEqual(3);
  });

  test("one confirmation counts for every alert of the tenant, those made later too", async () => {
    const first = (await make("bob@example.com")).body.data;
    const second = (await make("bob@example.com")).body.data;
    expect([first.status, second.status]).toEqual(["pending_verification", "pending_verification"]);
    await app.service.settle();
    const mail = (await inbox()).find((m: any) => m.recipient === "bob@example.com");
    const link = /\/alerts\/confirm\/[\w-]+/.exec(mail.content.text)![0];
    expect((await app.call("POST", `/${link}`, { key: null })).status).toBe(200);
    expect([await statusOf(first.id), await statusOf(second.id)]).toEqual(["active", "active"]);
    expect((await make("bob@example.com")).body.data.status).toBe("active");
  });

  test("until then the alert matches nothing, and whoever pushes content is warned", async () => {
    const { testKey: key } = await app.openAccount();
    const push = async () => (await app.call("POST", "/alerts/content", { key, body: { text: "a kettle" } })).body.data;
    expect((await push()).warnings).toEqual([]);
    await make("carol@example.com", key);
    expect(await push()).toMatchObject({
      matched: 0,
      warnings: [{ code: "not_confirmed", detail: expect.stringContaining("One alert waits") }],
    });
  });

  test("403 beyond what the plan may ask in a day", async () => {
    const free = await app.openAccount("free");
    const channels = (n: number) =>
      Array.from({ length: 10 }, (_, i) => ({ type: "email", to: `p${n}x${i}@example.com` }));
    const ask = (n: number) =>
      app.call("POST", "/alerts/create", { key: free.testKey, body: { tag: "kettle", channels: channels(n) } });
    expect([(await ask(1)).status, (await ask(2)).status]).toEqual([201, 201]);
    const refused = await ask(3);
    expect([refused.status, refused.body.error.code]).toEqual([403, "plan_limit_reached"]);
  });
});
