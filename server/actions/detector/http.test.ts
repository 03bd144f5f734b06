// The detector over HTTP: what it answers, what it refuses, what it keeps and which events it writes.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Harness, startHarness } from "../../../tests/harness.ts";
import { makeDocx, makePdf, makeRtf, wrap } from "./engine/fixtures/documents.ts";
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
  test("200 with verdict, calibrated score, operating point and segments; nothing is kept, no event is written", async () => {
    const { status, body } = await ask({ content: MACHINE });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ verdict: "likely_ai", type: "text", language: "en", abstained_because: null });
    expect(body.data.analysis_id).toStartWith("ana_");
    expect(body.data.operating_point).toMatchObject({ sensitivity: "0.01" });
    expect(body.data.segments.length).toBeGreaterThan(0);
    expect(await kept()).toBe(0);
    expect(await eventsOf()).toEqual([]);
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
    const both = await ask({ items: [{ content: "x" }, { content: "x", url: "https://example.org" }] });
    expect(both.body.error.errors).toMatchObject([{ pointer: "/items/1", code: "one_of" }]);
    expect((await ask({ items: [{ content: "x", type: "image" }] })).body.error.errors[0].pointer).toBe(
      "/items/0/type",
    );
  });

  test("200 for a PDF, a DOCX and an RTF file: their text is judged, in a thread of its own", async () => {
    const text = MACHINE.replace(/[^\x20-\x7e]/g, "'");
    for (const file of [makePdf([wrap(text)]), makeDocx([text]), makeRtf([text])]) {
      const { status, body } = await ask({ file: Buffer.from(file).toString("base64") });
      expect([status, body.data.verdict, body.data.words]).toEqual([200, "likely_ai", 175]);
    }
  });

  test("422 media_not_readable for a file that is no document, with the reason", async () => {
    const { status, body } = await ask({ file: Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 3]).toString("base64") });
    expect([status, body.error.code]).toEqual([422, "media_not_readable"]);
    expect(body.error.detail).toContain("PDF, DOCX, RTF, HTML");
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
    const replies = await Promise.all(Array.from({ length: 90 }, () => ask({ content: MACHINE.repeat(100) })));
    const statuses = replies.map((r) => r.status);
    expect(statuses.filter((s) => s === 200).length).toBeGreaterThanOrEqual(33);
    const refused = replies.find((r) => r.status === 503)!;
    expect(refused.body.error.code).toBe("overloaded");
    expect(refused.headers.get("Retry-After")).toBe("2");
  });
});

describe("what users ask about an analysis", () => {
  test("sentences cover the text with a score each, and the shares add up", async () => {
    const { data } = (await ask({ content: `${HUMAN}\n\n${MACHINE}` })).body;
    expect(data.sentences.length).toBeGreaterThan(10);
    const ends = data.sentences.map((s: any) => [s.start, s.end]);
    expect(ends.flat()).toEqual([...ends.flat()].sort((a, b) => a - b));
    expect(data.shares.human + data.shares.mixed + data.shares.ai).toBeCloseTo(1, 3);
    expect(data.shares.ai).toBeGreaterThan(0.25);
  });

  test("the phrases that moved the score are quoted from the text", async () => {
    const { data } = (await ask({ content: MACHINE })).body;
    const phrases = data.signals.find((s: any) => s.name === "ai_phrases");
    expect(phrases.evidence.length).toBeGreaterThan(1);
    for (const phrase of phrases.evidence) expect(MACHINE).toContain(phrase);
  });

  test("the bound of false positives lies above the measured rate", async () => {
    const { operating_point: point } = (await ask({ content: MACHINE, detail: "basic" })).body.data;
    expect(point.false_positive_bound).toBeGreaterThan(point.measured_false_positive_rate);
  });
});

describe("kept analyses", () => {
  test("200 GET /detector/analyses lists them newest first, by verdict, page by page", async () => {
    await ask({
      items: [
        { id: "one", content: HUMAN },
        { id: "two", content: MACHINE },
      ],
      store: true,
    });
    const ids = async (query: string) =>
      (await app.call("GET", `/detector/analyses${query}`)).body.data.items.map((i: any) => i.id);
    expect(await ids("")).toEqual(["two", "one"]);
    expect(await ids("?verdict=likely_human")).toEqual(["one"]);
    const first = (await app.call("GET", "/detector/analyses?limit=1")).body.data;
    expect(first.items[0]).toMatchObject({ verdict: "likely_ai", excerpt: MACHINE.slice(0, 120) });
    expect(await ids(`?limit=1&cursor=${first.next_cursor}`)).toEqual(["one"]);
    expect((await app.call("GET", "/detector/analyses?cursor=x")).status).toBe(400);
    expect((await app.call("GET", "/detector/analyses", { key: app.account.liveKey })).body.data.items).toEqual([]);
  });

  test("200 GET /detector/analyses/{id}/report is a page that cannot run scripts; 404 for an unknown one", async () => {
    const content = `<script>alert(1)</script> ${HUMAN}`;
    const { analysis_id } = (await ask({ content, store: true })).body.data;
    const page = await app.call("GET", `/detector/analyses/${analysis_id}/report`);
    expect(page.status).toBe(200);
    expect(page.headers.get("content-type")).toContain("text/html");
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(page.text).toContain("Likely human");
    expect(page.text).toContain("alert(1)&lt;/script&gt;");
    expect(page.text).not.toContain("<script");
    expect((await app.call("GET", "/detector/analyses/ana_01KB2M3N4P5Q6R7S8T9V0W1X2Y/report")).status).toBe(404);
  });

  test("what is older than the retention is deleted, what is younger stays", async () => {
    const { sql } = app.service.platform.db;
    const ageOf = (days: number) => new Date(app.clock.now() - days * 86_400_000);
    const [old, young] = (await ask({ items: [{ content: HUMAN }, { content: MACHINE }], store: true })).body.data
      .results;
    await sql`update detector_analyses set created_at = ${ageOf(91)} where id = ${old.analysis_id}`;
    await sql`update detector_analyses set created_at = ${ageOf(89)} where id = ${young.analysis_id}`;
    await app.service.settle();
    expect((await app.call("GET", `/detector/analyses/${old.analysis_id}`)).status).toBe(404);
    expect((await app.call("GET", `/detector/analyses/${young.analysis_id}`)).status).toBe(200);
    await app.service.platform.db.sql`delete from detector_analyses`;
  });

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

describe("batches", () => {
  const wait = () => app.service.settle();

  test("202, judged in the background in order, one bad item spoils nothing, one event at the end", async () => {
    const items = [
      { id: "a", content: HUMAN },
      { id: "b", media: "R0lGODlhAQABAAAAACw=" },
      { id: "c", content: MACHINE },
    ];
    const made = await app.call("POST", "/detector/batches", { body: { items, detail: "basic", tags: ["term"] } });
    expect(made.status).toBe(202);
    expect(made.body.data).toMatchObject({ status: "running", total: 3, done: 0 });
    const path = `/detector/batches/${made.body.data.batch_id}`;
    await wait();
    const done = await app.call("GET", path);
    expect(done.body.data).toMatchObject({ status: "completed", total: 3, done: 3, flagged: 1, failed: 1 });
    const results = (await app.call("GET", `${path}/results?limit=2`)).body.data;
    expect(results.items.map((r: any) => r.result.id)).toEqual(["a", "b"]);
    const rest = (await app.call("GET", `${path}/results?cursor=${results.next_cursor}`)).body.data;
    expect(rest.items.map((r: any) => r.result.verdict)).toEqual(["likely_ai"]);
    await wait();
    const events = (await app.call("GET", "/events?type=detector.batch_completed")).body.data.items;
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({ tags: ["term"], data: done.body.data });
  });

  test("nothing of the content stays once an item is judged", async () => {
    await app.call("POST", "/detector/batches", { body: { items: [{ content: HUMAN }] } });
    await wait();
    const [{ n }] = await app.service.platform.db.sql`
      select count(*)::int as n from detector_batch_items where item is not null or result::text like '%best of times%'`;
    expect(n).toBe(0);
  });

  test("400 for an item that names nothing or two things, with its place", async () => {
    const { status, body } = await app.call("POST", "/detector/batches", { body: { items: [{ content: "x" }, {}] } });
    expect([status, body.error.errors[0].pointer]).toEqual([400, "/items/1"]);
  });

  test("403 plan_limit_reached when too many batches of an account still run", async () => {
    const { testKey: key } = await app.openAccount("free");
    const make = () => app.call("POST", "/detector/batches", { key, body: { items: [{ content: "x" }] } });
    const statuses = [await make(), await make(), await make(), await make()].map((reply) => reply.status);
    expect(statuses).toEqual([202, 202, 202, 403]);
    await wait();
    expect((await make()).status).toBe(202);
  });

  test("400 for a cursor of another list, 404 for an unknown batch and for another tenant's", async () => {
    const { batch_id } = (await app.call("POST", "/detector/batches", { body: { items: [{ content: "x" }] } })).body
      .data;
    expect((await app.call("GET", `/detector/batches/${batch_id}/results?cursor=x`)).status).toBe(400);
    for (const path of [`/detector/batches/${batch_id}`, `/detector/batches/${batch_id}/results`])
      expect((await app.call("GET", path, { key: app.account.liveKey })).status).toBe(404);
  });
});
