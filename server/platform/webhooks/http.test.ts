import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Webhook as Reference } from "standardwebhooks";
import { startHarness } from "../../../tests/harness.ts";
import type { Harness } from "../../../tests/harness.ts";

let app: Harness;
beforeAll(async () => {
  app = await startHarness();
}, 120_000);
afterAll(() => app.stop(), 120_000);

const url = "https://example.com/hooks";
const make = async (body: unknown = { url }, key = app.key) => app.call("POST", "/webhooks", { body, key });

describe("POST /webhooks", () => {
  test("201 shows the secret once, of 32 bytes, and keeps it sealed", async () => {
    const reply = await make({ url, types: ["delivery.*", "key.rolled"], description: "Ours" });
    expect(reply.status).toBe(201);
    const { id, secret, ...rest } = reply.body.data;
    expect(Buffer.from(secret.slice(6), "base64").length).toBe(32);
    expect(rest).toMatchObject({
      url,
      types: ["delivery.*", "key.rolled"],
      description: "Ours",
      status: "enabled",
    });
    const read = await app.call("GET", `/webhooks/${id}`);
    expect(read.status).toBe(200);
    expect(read.text).not.toContain(secret);
    const [row] = await app.service.platform.db.sql`select secret from webhooks where id = ${id}`;
    expect(row.secret).toStartWith("s1.");
    expect(row.secret).not.toContain(secret.slice(6, 20));
  });

  test("400 names an unknown event type and the nearest known one", async () => {
    const reply = await make({ url, types: ["delivery.schedulled"] });
    expect([reply.status, reply.body.error.code]).toEqual([400, "validation_failed"]);
    expect(reply.body.error.errors[0]).toMatchObject({
      pointer: "/types/0",
      hint: 'Did you mean "delivery.scheduled"?',
    });
  });

  test("422 target_not_allowed for what points inward, with test and live keys", async () => {
    for (const bad of [
      "http://127.0.0.1/",
      "http://localhost:8080/x",
      "http://169.254.169.254/",
      "https://a:b@example.com/",
      "ftp://example.com",
      "http://example.com:22/",
      "http://2130706433/",
      "http://0x7f.1/",
      "http://[::ffff:127.0.0.1]/",
      "http://[::1]:9000/",
    ]) {
      for (const key of [app.account.testKey, app.account.liveKey]) {
        const reply = await make({ url: bad }, key);
        expect([bad, reply.status, reply.body.error.code]).toEqual([bad, 422, "target_not_allowed"]);
      }
    }
  });

  test("422 names the settings with which an operator opens an address", async () => {
    const { error } = (await make({ url: "http://localhost:9999/h" }, app.account.liveKey)).body;
    expect(error.hint).toContain("CONNECTOR_ALLOW_LOOPBACK");
    expect(error.hint).toContain("CONNECTOR_ALLOW_NETWORKS");
  });

  test("403 plan_limit_reached when the plan is full", async () => {
    const account = await app.openAccount("free");
    for (let i = 0; i < 5; i++) expect((await make({ url }, account.testKey)).status).toBe(201);
    const reply = await make({ url }, account.testKey);
    expect([reply.status, reply.body.error.code]).toEqual([403, "plan_limit_reached"]);
    expect((await make({ url }, account.liveKey)).status).toBe(201);
  });

  test("201 replayed with the same idempotency key makes one webhook with one secret", async () => {
    const account = await app.openAccount("plus");
    const headers = { "Idempotency-Key": "once" };
    const [a, b] = [
      await app.call("POST", "/webhooks", { body: { url }, key: account.testKey, headers }),
      await app.call("POST", "/webhooks", { body: { url }, key: account.testKey, headers }),
    ];
    expect(b.text).toBe(a.text);
    expect((await app.call("GET", "/webhooks", { key: account.testKey })).body.data.items.length).toBe(1);
  });
});

describe("GET /webhooks", () => {
  test("200 in pages, newest first, never the other world's; a foreign one is 404", async () => {
    const account = await app.openAccount("max");
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) ids.unshift((await make({ url }, account.testKey)).body.data.id);
    const first = await app.call("GET", "/webhooks?limit=2", { key: account.testKey });
    const next = await app.call("GET", `/webhooks?limit=2&cursor=${first.body.data.next_cursor}`, {
      key: account.testKey,
    });
    expect([...first.body.data.items, ...next.body.data.items].map((w: any) => w.id)).toEqual(ids);
    expect((await app.call("GET", "/webhooks", { key: account.liveKey })).body.data.items).toEqual([]);
    for (const [method, path] of [
      ["GET", ""],
      ["PATCH", ""],
      ["DELETE", ""],
      ["POST", "/test"],
      ["POST", "/roll"],
      ["GET", "/attempts"],
      ["POST", "/replay"],
    ]) {
      const body =
        method === "PATCH" ? { description: "x" } : path === "/replay" ? { since: "2026-11-01T00:00:00Z" } : undefined;
      const reply = await app.call(method, `/webhooks/${ids[0]}${path}`, { body });
      expect([method, path, reply.status]).toEqual([method, path, 404]);
    }
  });
});

describe("PATCH and DELETE /webhooks/{id}", () => {
  test("200 changes what is given; 422 for a new address that points inward; 200 deletes", async () => {
    const { id } = (await make()).body.data;
    const changed = await app.call("PATCH", `/webhooks/${id}`, {
      body: { types: ["key.rolled"], description: null, status: "disabled" },
    });
    expect(changed.status).toBe(200);
    expect(changed.body.data).toMatchObject({
      types: ["key.rolled"],
      status: "disabled",
      disabled_reason: "Disabled by you.",
    });
    expect((await app.call("PATCH", `/webhooks/${id}`, { body: { url: "http://10.0.0.1/" } })).status).toBe(422);
    expect((await app.call("PATCH", `/webhooks/${id}`, { body: { status: "enabled" } })).body.data).toMatchObject({
      status: "enabled",
      disabled_reason: null,
    });
    expect((await app.call("DELETE", `/webhooks/${id}`)).status).toBe(200);
    expect((await app.call("GET", `/webhooks/${id}`)).status).toBe(404);
  });
});

describe("with a test key", () => {
  test("200 POST /webhooks/{id}/test keeps a signed message in the inbox, and says so in the attempt", async () => {
    const account = await app.openAccount("max");
    const key = account.testKey;
    const { id, secret } = (await make({ url }, key)).body.data;
    const sent = await app.call("POST", `/webhooks/${id}/test`, { key });
    expect([sent.status, sent.body.data.outcome, sent.body.data.status]).toEqual([200, "kept_in_inbox", null]);
    const inbox = await app.call("GET", "/sandbox/inbox?channel=webhook", { key });
    expect(inbox.status).toBe(200);
    const [message] = inbox.body.data.items;
    expect(message).toMatchObject({
      channel: "webhook",
      recipient: url,
      content: { simulated: true },
    });
    const at = new Date(Number(message.content.headers["webhook-timestamp"]) * 1000);
    const signature = new Reference(secret).sign(message.content.headers["webhook-id"], at, message.content.body);
    expect(message.content.headers["webhook-signature"]).toBe(signature);
    expect(JSON.parse(message.content.body)).toMatchObject({ type: "webhook.test", data: { webhook_id: id } });
    const log = await app.call("GET", `/webhooks/${id}/attempts?outcome=kept_in_inbox`, { key });
    expect([log.status, log.body.data.items.length]).toEqual([200, 1]);
    expect(log.body.data.items[0].request_body).toBe(message.content.body);
    const cleared = await app.call("DELETE", "/sandbox/inbox", { key });
    expect([cleared.status, cleared.body.data.removed]).toEqual([200, 1]);
    expect((await app.call("GET", "/sandbox/inbox", { key })).body.data.items).toEqual([]);
  });

  test("200 POST /webhooks/{id}/test sends a sample of the type asked for; 400 for an unknown one or a family", async () => {
    const { testKey: key } = await app.openAccount("max");
    const { id } = (await make({ url }, key)).body.data;
    const send = (type: string) => app.call("POST", `/webhooks/${id}/test`, { key, body: { type } });
    const sent = await send("delivery.scheduled");
    expect([sent.status, sent.body.data.event_type]).toEqual([200, "delivery.scheduled"]);
    expect(JSON.parse(sent.body.data.request_body).data).toHaveProperty("delivery_id");
    for (const type of ["delivery.schedule", "delivery.*"]) {
      const refused = await send(type);
      expect([refused.status, refused.body.error.errors[0].pointer]).toEqual([400, "/type"]);
    }
  });

  test("a real event goes to the inbox, and never out", async () => {
    const account = await app.openAccount("max");
    const key = account.testKey;
    const { id } = (await make({ url, types: ["key.*"] }, key)).body.data;
    const keys = (await app.call("GET", "/keys", { key })).body.data.items;
    await app.call("POST", `/keys/${keys[0].id}/roll`, { key, body: { grace_seconds: 60 } });
    await app.service.settle();
    const [message] = (await app.call("GET", "/sandbox/inbox", { key })).body.data.items;
    expect(JSON.parse(message.content.body)).toMatchObject({ type: "key.rolled", mode: "test" });
    expect((await app.call("GET", `/webhooks/${id}/attempts`, { key })).body.data.items[0]).toMatchObject({
      outcome: "kept_in_inbox",
    });
  });
});

describe("POST /webhooks/{id}/roll", () => {
  test("201 shows the new secret; the old one signs for 24 hours more", async () => {
    const { id, secret } = (await make()).body.data;
    const reply = await app.call("POST", `/webhooks/${id}/roll`);
    expect(reply.status).toBe(201);
    expect(reply.body.data.secret).not.toBe(secret);
    const until = Date.parse(reply.body.data.old_secret_expires_at);
    expect(until - app.clock.now()).toBe(86_400_000);
  });
});

describe("POST /webhooks/{id}/replay", () => {
  test("202 with a range; 409 while disabled; 404 for an unknown event", async () => {
    const { id } = (await make()).body.data;
    const replay = (body: unknown) => app.call("POST", `/webhooks/${id}/replay`, { body });
    expect((await replay({ since: "2026-10-01T00:00:00Z", until: "2026-10-02T00:00:00Z" })).body.data).toEqual({
      queued: 0,
    });
    expect((await replay({ event_id: app.service.platform.makeId("evt") })).status).toBe(404);
    await app.call("PATCH", `/webhooks/${id}`, { body: { status: "disabled" } });
    expect((await replay({ since: "2026-10-01T00:00:00Z" })).body.error.code).toBe("wrong_state");
  });
});
