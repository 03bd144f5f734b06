import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type Harness, startHarness } from "../../../../tests/harness.ts";

setDefaultTimeout(120_000);

let app: Harness;
beforeAll(async () => {
  app = await startHarness();
});
afterAll(() => app.stop());

const make = async (body: object) => (await app.call("POST", "/alerts/create", { body })).body.data;
const pushLines = (lines: string) =>
  app.call("POST", "/alerts/content", { body: lines, headers: { "Content-Type": "application/x-ndjson" } });

describe("POST /alerts/content of hostile content", () => {
  test("200 while the service goes on answering others", async () => {
    for (let i = 1; i <= 20; i++) await make({ query: `中 OR b${i}`, match: { whole_word: false } });
    const line = JSON.stringify({ title: "z", text: "中".repeat(200_000) });
    const lines = Array.from({ length: 8 }, (_, i) => line.replace('"z"', `"z${i}"`)).join("\n");
    let done = false;
    const pushed = pushLines(lines).finally(() => {
      done = true;
    });
    let answered = 0;
    while (!done) {
      expect((await app.call("GET", "//health/live")).status).toBe(200);
      answered++;
    }
    const reply = await pushed;
    expect([reply.status, reply.body.data.matched]).toEqual([200, 160]);
    // Blocked from the first match to the last, it would answer once or twice.
    expect(answered).toBeGreaterThan(10);
  });

  test("413 when contents times alerts are too many, and nothing of it is stored", async () => {
    for (let i = 0; i < 11; i++) await make({ tag: "crowd", name: `crowd ${i}` });
    const lines = Array.from({ length: 1000 }, (_, i) => JSON.stringify({ id: `c${i}`, text: `crowd ${i}` })).join(
      "\n",
    );
    const refused = await pushLines(lines);
    expect([refused.status, refused.body.error.code]).toEqual([413, "payload_too_large"]);
    expect(refused.body.error.detail).toContain("11000");
    const fewer = lines.split("\n").slice(0, 5).join("\n");
    expect((await pushLines(fewer)).body.data.matched).toBe(55);
  });
});
