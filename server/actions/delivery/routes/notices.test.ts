import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Account, type Harness, startHarness } from "../../../../tests/harness.ts";
import type { OutgoingMail } from "../../../lib/mail.ts";
import { noticeJob } from "../background/notices.ts";
import { NOTICE_EVENTS, NOTICE_LANGUAGES } from "../contract/notices.ts";
import { noticeText } from "../engine/notices/texts.ts";
import { createStore } from "../store/index.ts";
import { LANGUAGES } from "./pages/languages.ts";

let app: Harness;
beforeAll(async () => {
  app = await startHarness();
});
afterAll(() => app.stop());

const minute = 60_000;
const mails: OutgoingMail[] = [];
let answer = { ok: true, status: null as number | null, error: null as string | null, gone: false };

const mailer = {
  send: async (mail: OutgoingMail) => {
    mails.push(mail);
    return answer;
  },
  close: () => {},
};
const job = () => {
  const { platform } = app.service;
  return noticeJob({ platform, store: createStore(platform), mailer });
};
const order = async (account: Account, notify: object, key = account.testKey) => {
  const time = new Date(app.clock.now() + 10 * minute).toISOString();
  const body = { pickup: { address: "New York, NY 10118", time }, dropoff: { address: "Brooklyn, NY 11201", notify } };
  return app.call("POST", "/delivery/schedule", { body, key });
};
const read = async (account: Account, id: string) =>
  (await app.call("GET", `/delivery/${id}`, { key: account.testKey })).body.data;

describe("messages to recipients", () => {
  test("are written in every language of the tracking page", () => {
    expect([...NOTICE_LANGUAGES].sort()).toEqual([...LANGUAGES].sort());
    for (const language of NOTICE_LANGUAGES)
      for (const event of NOTICE_EVENTS) {
        const text = noticeText(language, event, { sender: "Ada", time: "10:00" });
        expect([language, event, text.includes("Ada"), /[{}]/.test(text)]).toEqual([language, event, true, false]);
      }
  });

  test("200 a test key's are simulated, once each, on the way to the door", async () => {
    const account = await app.openAccount();
    const made = await order(account, { email: "ada@example.com", language: "de" });
    expect(made.body.data.dropoff.notify).toEqual({
      email: "ada@example.com",
      phone: null,
      language: "de",
      events: ["on_its_way", "near", "delivered", "failed"],
      sent: [],
    });
    const id = made.body.data.delivery_id;
    const tenant = (await app.service.platform.db.sql`select tenant_id from deliveries where id = ${id}`)[0].tenant_id;
    for (const event of ["on_its_way", "near", "delivered", "delivered"] as const)
      await job().run({ id, tenantId: tenant, event }, { attempt: 1 } as never);
    const { sent } = (await read(account, id)).dropoff.notify;
    expect(sent.map((s: any) => [s.event, s.status])).toEqual([
      ["on_its_way", "simulated"],
      ["near", "simulated"],
      ["delivered", "simulated"],
    ]);
    expect(mails).toEqual([]);
  });

  test("a live key's go out by mail with a way to stop them; 303 stops them for good", async () => {
    const account = await app.openAccount();
    const made = await order(account, { email: "ada@example.com", language: "fr" });
    const { delivery_id: id, tracking_url } = made.body.data;
    const { sql } = app.service.platform.db;
    const [{ tenant_id: tenantId }] = await sql`select tenant_id from deliveries where id = ${id}`;
    const store = createStore(app.service.platform);
    const asLive = noticeJob({
      platform: app.service.platform,
      store: {
        ...store,
        find: async (t: number, i: string) => ({ ...(await store.find(t, i))!, mode: "live" as const }),
      },
      mailer,
    });
    answer = { ok: false, status: 451, error: "later", gone: false };
    await expect(asLive.run({ id, tenantId, event: "near" }, { attempt: 1 } as never)).rejects.toThrow("tried again");
    answer = { ok: true, status: null, error: null, gone: false };
    await asLive.run({ id, tenantId, event: "near" }, { attempt: 2 } as never);
    expect(mails.at(-1)).toMatchObject({ to: "ada@example.com", headers: { "List-Unsubscribe": `<${tracking_url}>` } });
    expect(mails.at(-1)!.text).toContain("presque");
    const before = mails.length;
    const page = await app.call("GET", `/${new URL(tracking_url).pathname}?lang=fr`, { key: null });
    expect(page.text).toContain('id="messages"');
    const stopped = await app.call("POST", `/${new URL(tracking_url).pathname}`, {
      key: null,
      body: "List-Unsubscribe=One-Click",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
    });
    expect(stopped.status).toBe(303);
    await asLive.run({ id, tenantId, event: "delivered" }, { attempt: 1 } as never);
    expect(mails.length).toBe(before);
    expect((await read(account, id)).dropoff.notify.sent.map((s: any) => s.status)).toEqual(["sent", "stopped"]);
  });

  test("400 for a phone without a gateway, and for a wrong address", async () => {
    const account = await app.openAccount();
    const phone = await order(account, { phone: "+4915112345678" });
    expect([phone.status, phone.body.error.errors[0].pointer]).toEqual([400, "/dropoff/notify/phone"]);
    expect((await order(account, { email: "not an address" })).status).toBe(400);
    await app.call("PATCH", "/delivery/settings", {
      key: account.testKey,
      body: { sms_url: "https://sms.example.com/x" },
    });
    expect((await order(account, { phone: "+4915112345678" })).status).toBe(200);
  });
});
