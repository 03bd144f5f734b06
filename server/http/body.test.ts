// Large bodies are parsed in the pool: what they say arrives whole, and what is wrong with them is still said in words.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Harness, startHarness } from "../../tests/harness.ts";

let app: Harness;
beforeAll(async () => {
  app = await startHarness();
});
afterAll(() => app.stop());

const LONG = "A sentence about the road by the river. ".repeat(1_000);

test("a body larger than the bound of the calling thread arrives whole, odd letters included", async () => {
  const content = `${LONG}\u{1f525} "quoted" \\ 中 `;
  const kept = await app.call("POST", "/detector/analyze", { body: { content, store: true } });
  expect(kept.status).toBe(200);
  const read = await app.call("GET", `/detector/analyses/${kept.body.data.analysis_id}`);
  expect(read.body.data.content).toBe(content);
});

test("400 for a large body that is no JSON, with the reason", async () => {
  const raw = `{"content":"${LONG}"`;
  const headers = { "Content-Type": "application/json" };
  const { status, body } = await app.call("POST", "/detector/analyze", { body: raw, headers });
  expect([status, body.error.code]).toEqual([400, "invalid_json"]);
});

test.each(["", "{bad", `{"content":"${LONG}"`])(
  "the hint for a body that is no JSON is a body that is accepted",
  async (raw) => {
    const headers = { "Content-Type": "application/json" };
    const { error } = (await app.call("POST", "/detector/analyze", { body: raw, headers })).body;
    expect(error.hint).toStartWith("Send e.g. {");
    const pasted = await app.call("POST", "/detector/analyze", { body: JSON.parse(error.hint.slice(10)) });
    expect([error.code, pasted.status]).toEqual(["invalid_json", 200]);
  },
);

test("400 for 2,000 unknown fields: the first faults are named, each with a hint", async () => {
  const fields = Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`name${n}`, 1]));
  const { status, body } = await app.call("POST", "/detector/analyze", { body: fields });
  expect([status, body.error.code, body.error.errors.length]).toEqual([400, "validation_failed", 50]);
});

test("413 for more values than any request needs", async () => {
  const items = Array(120_000).fill(0);
  const { status, body } = await app.call("POST", "/detector/analyze", { body: { items } });
  expect([status, body.error.code]).toEqual([413, "payload_too_large"]);
  expect(body.error.detail).toContain("100000 values");
});

test("413 for an object of 60,000 members, wherever it stands", async () => {
  const fields = Object.fromEntries(Array.from({ length: 60_000 }, (_, n) => [`name${n}`, 1]));
  for (const body of [fields, { items: [{ content: "a", more: [fields] }] }]) {
    const reply = await app.call("POST", "/detector/analyze", { body });
    expect([reply.status, reply.body.error.code]).toEqual([413, "payload_too_large"]);
  }
});
