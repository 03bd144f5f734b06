// What an account stores is corrected by counting it, whatever is being written meanwhile.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { type Harness, startHarness } from "../../../tests/harness.ts";
import { recountJob } from "./recount.ts";
import { readStored } from "./store/stored.ts";

setDefaultTimeout(120_000);

let app: Harness;
beforeAll(async () => {
  app = await startHarness();
});
afterAll(() => app.stop());

/** What the job says that it corrected, by kind. */
async function recount(): Promise<string[]> {
  const corrected: string[] = [];
  const log = { info: ({ kind }: { kind: string }) => corrected.push(kind) };
  const { signal } = new AbortController();
  await recountJob(app.service.platform).run({}, { log, signal } as never);
  return corrected;
}

async function storedOf(kind: string) {
  const { sql } = app.service.platform.db;
  const [{ id }] = await sql`select id from tenants where account_id = ${app.account.id} and mode = 'test'`;
  return (await readStored(app.service.platform.db, [id])).get(id)!.get(kind);
}

const ORDER = { pickup: { address: "New York, NY 10118", time: "asap" }, dropoff: { address: "Brooklyn, NY 11201" } };

test("every kind can be counted, and nothing is off as long as rows are only added and removed", async () => {
  await app.call("POST", "/delivery/schedule", { body: ORDER });
  await app.call("POST", "/webhooks", { body: { url: "https://example.com/hook" } });
  const corrected = await recount();
  for (const kind of ["deliveries", "events", "webhooks"]) expect(corrected).not.toContain(kind);
});

test("rows that grew are counted as they are, and nothing is left when they are gone", async () => {
  const { id } = (await app.call("POST", "/alerts/create", { body: { tag: "kettle" } })).body.data;
  const before = (await storedOf("alerts"))!;
  await app.call("PATCH", `/alerts/${id}`, { body: { name: "k".repeat(100), query: "kettle OR teapot OR urn" } });
  expect(await recount()).toContain("alerts");
  const after = (await storedOf("alerts"))!;
  expect([after.rows, after.bytes > before.bytes]).toEqual([1, true]);
  await app.call("DELETE", `/alerts/${id}`);
  await recount();
  expect(await storedOf("alerts")).toEqual({ rows: 0, bytes: 0 });
});

test("while orders are being written nothing is counted twice or lost", async () => {
  const order = () => app.call("POST", "/delivery/schedule", { body: ORDER });
  const [, ...replies] = await Promise.all([recount(), ...Array.from({ length: 60 }, order), recount(), recount()]);
  expect(replies.slice(0, 60).every((reply) => (reply as { status: number }).status === 200)).toBe(true);
  await recount();
  const { sql } = app.service.platform.db;
  for (const [kind, table, size] of [
    ["deliveries", "deliveries", "octet_length(view::text) + 700"],
    ["events", "events", "octet_length(data::text) + 200"],
  ]) {
    const [truth] = await sql.unsafe(
      `select count(*)::int as rows, sum(${size})::float8 as bytes from ${table} x join tenants t on t.id = x.tenant_id where t.mode = 'test'`,
    );
    expect(await storedOf(kind)).toEqual({ rows: truth.rows, bytes: truth.bytes });
  }
});
