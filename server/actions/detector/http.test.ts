// The detector over HTTP: what it answers, what it refuses, what it keeps and what it tells.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Harness, startHarness } from "../../../tests/harness.ts";
import { HUMAN, MACHINE } from "./engine/fixtures/samples.ts";

let app: Harness;
let silentAsked = () => {};
const page = Bun.serve({
  port: 0,
  idleTimeout: 255,
  hostname: "127.0.0.1",
  fetch(request) {
    const path = new URL(request.url).pathname;
    if (path === "/gone") return new Response("no", { status: 410 });
    if (path === "/silent") {
      silentAsked();
      return new Promise<Response>(() => {});
    }
    const menu = `<nav>${"<a href='/'>Home and more of it</a>".repeat(30)}</nav>`;
    return new Response(
      `<html><head><title>x</title></head><body>${menu}<article><p>${MACHINE}</p></article><footer>All rights</footer></body></html>`,
      { headers: { "content-type": "text/html" } },
    );
  },
});

beforeAll(async () => {
  app = await startHarness({ config: { ALLOW_LOOPBACK: [`127.0.0.1:${page.port}`] } as never });
});
afterAll(async () => {
  await app.stop();
  await page.stop(true);
});

const ask = (body: unknown, more: { key?: string; headers?: Record<string, string> } = {}) =>
  app.call("POST", "/detector/analyze", { body, ...more });
const eventsOf = async (key?: string) =>
  (await app.call("GET", "/events?type=detector.flagged", key ? { key } : {})).body.data.items;
const kept = async () => Number((await app.service.platform.db.sql`select count(*) as n from detector_analyses`)[0].n);

describe("POST /detector/analyze", () => {
  test("200 with verdict, calibrated score, operating point and segments; nothing is kept or told", async () => {
    const { status, body } = await ask({ content: MACHINE });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ verdict: "likely_ai", type: "text", language: "en", abstained_because: null });
    expect(body.data.analysis_id).toStartWith("ana_");
    expect(body.data.operating_point).toMatchObject({ sensitivity: "0.01" });
    expect(body.data.segments.length).toBeGreaterThan(0);
    expect(await kept()).toBe(0);
    expect(await eventsOf()).toEqual([]);
  });

  test("200 with the deep tier, off the event loop, and the same answer twice", async () => {
    const [first, second] = await Promise.all([
      ask({ content: MACHINE, detail: "deep" }),
      ask({ content: MACHINE, detail: "deep" }),
    ]);
    expect(first.body.data.model.name).toBe("light+deep");
    expect(first.body.data.signals.map((s: any) => s.name)).toContain("neural_reading");
    expect(first.body.data.score).toBe(second.body.data.score);
  });

  test("200 without segments when only the basics are asked", async () => {
    expect((await ask({ content: HUMAN, detail: "basic" })).body.data).toMatchObject({
      verdict: "likely_human",
      segments: [],
    });
  });

  test("200 and abstains on a short text and on another language", async () => {
    expect((await ask({ content: "Only a few words." })).body.data).toMatchObject({
      verdict: "too_short",
      score: null,
    });
    expect((await ask({ content: HUMAN, language: "fr" })).body.data).toMatchObject({
      verdict: "unsupported_language",
      score: null,
    });
  });

  test("200 for a long text, judged in the worker", async () => {
    const { body } = await ask({ content: `${MACHINE}\n\n`.repeat(12) });
    expect(body.data.verdict).toBe("likely_ai");
    expect(body.data.words).toBeGreaterThan(2_000);
  });

  test("200 for many items: order kept, one bad item spoils nothing", async () => {
    const items = [
      { id: "a", content: HUMAN },
      { id: "b", media: "R0lGODlhAQABAAAAACw=" },
      { id: "c", content: MACHINE },
    ];
    const { status, body } = await ask({ items });
    expect(status).toBe(200);
    expect(body.data.results.map((r: any) => r.verdict ?? r.error.code)).toEqual([
      "likely_human",
      "media_not_readable",
      "likely_ai",
    ]);
    expect(body.data.results.map((r: any) => r.id)).toEqual(["a", "b", "c"]);
  });

  test("200 with one detector.flagged event per item above the threshold, tagged", async () => {
    const { body } = await ask({
      items: [{ content: HUMAN }, { id: "essay", content: MACHINE }],
      threshold: 0.9,
      tags: ["essays"],
    });
    const events = await eventsOf();
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      tags: ["essays"],
      data: { id: "essay", verdict: "likely_ai", threshold: 0.9, analysis_id: body.data.results[1].analysis_id },
    });
    expect(JSON.stringify(events)).not.toContain("rapidly evolving");
  });

  test("200 twice with one Idempotency-Key is one event", async () => {
    const before = (await eventsOf()).length;
    const headers = { "Idempotency-Key": "judge-once" };
    const first = await ask({ content: MACHINE, threshold: 0.5 }, { headers });
    const again = await ask({ content: MACHINE, threshold: 0.5 }, { headers });
    expect(again.text).toBe(first.text);
    expect((await eventsOf()).length).toBe(before + 1);
  });

  test("200 for a page with a live key: only its main text is judged", async () => {
    const { status, body } = await ask({ url: `http://127.0.0.1:${page.port}/a` }, { key: app.account.liveKey });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      verdict: "likely_ai",
      words: 175,
      source_url: `http://127.0.0.1:${page.port}/a`,
    });
  });

  test("400 when nothing, or two things, are sent", async () => {
    expect((await ask({})).body.error).toMatchObject({ code: "validation_failed", errors: [{ code: "one_of" }] });
    expect((await ask({ content: "x", url: "https://example.org" })).status).toBe(400);
    expect((await ask({ content: "x", items: [{ content: "y" }] })).body.error.errors[0].code).toBe("one_of");
    expect((await ask({ items: [{ content: "x", type: "image" }] })).body.error.errors[0].pointer).toBe(
      "/items/0/type",
    );
  });

  test("422 media_not_readable for what is no image", async () => {
    const { status, body } = await ask({ media: Buffer.from("not an image at all").toString("base64") });
    expect(status).toBe(422);
    expect(body.error).toMatchObject({ code: "media_not_readable", detail: "This is not a PNG, JPEG or WebP file." });
  });

  test("422 target_not_allowed for a test key and for an inner address", async () => {
    expect((await ask({ url: "https://example.org/" })).body.error).toMatchObject({
      code: "target_not_allowed",
      hint: expect.stringContaining("live key"),
    });
    expect((await ask({ url: "http://127.0.0.1:1/" }, { key: app.account.liveKey })).status).toBe(422);
  });

  test("502 when the page does not answer well", async () => {
    const { status, body } = await ask({ url: `http://127.0.0.1:${page.port}/gone` }, { key: app.account.liveKey });
    expect([status, body.error.code]).toEqual([502, "upstream_error"]);
  });
});

describe("a page that says nothing", () => {
  test("504 upstream_timeout", async () => {
    const asked = new Promise<void>((resolve) => (silentAsked = resolve));
    const reply = ask({ url: `http://127.0.0.1:${page.port}/silent` }, { key: app.account.liveKey });
    await asked;
    await app.clock.advance(20_000);
    const { status, body } = await reply;
    expect([status, body.error.code, body.error.retryable]).toEqual([504, "upstream_timeout", true]);
  });
});

describe("too much at once", () => {
  test("503 overloaded with Retry-After, and what was taken is answered", async () => {
    const replies = await Promise.all(Array.from({ length: 90 }, () => ask({ content: MACHINE, detail: "deep" })));
    const statuses = replies.map((r) => r.status);
    expect(statuses.filter((s) => s === 200).length).toBeGreaterThanOrEqual(64);
    const refused = replies.find((r) => r.status === 503)!;
    expect(refused.body.error.code).toBe("overloaded");
    expect(refused.headers.get("Retry-After")).toBe("2");
  });
});

describe("kept analyses", () => {
  test("200 GET and DELETE /detector/analyses/{id} for what was sent with store:true, 404 after", async () => {
    const { body } = await ask({ content: HUMAN, store: true });
    const path = `/detector/analyses/${body.data.analysis_id}`;
    const read = await app.call("GET", path);
    expect(read.status).toBe(200);
    expect(read.body.data).toMatchObject({ content: HUMAN, verdict: "likely_human" });
    expect((await app.call("GET", path, { key: app.account.liveKey })).status).toBe(404);
    expect((await app.call("DELETE", path)).body.data).toEqual({ analysis_id: body.data.analysis_id, deleted: true });
    expect((await app.call("GET", path)).status).toBe(404);
    expect((await app.call("DELETE", path)).status).toBe(404);
    expect(await kept()).toBe(0);
  });
});
