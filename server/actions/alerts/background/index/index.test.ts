// The index of alerts over threads: the same answers as one thread, through deaths, restarts and lost notifications.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import pino from "pino";
import { testDatabase, type TestDatabase } from "../../../../../tests/database.ts";
import { type Harness, startHarness } from "../../../../../tests/harness.ts";
import { ManualClock, systemClock } from "../../../../lib/clock.ts";
import { contents, queries } from "../../engine/query/fixtures/arbitrary.ts";
import { EVENTS } from "../../spec/rules.ts";
import { parseWatch } from "../../spec/query.ts";
import { deleteAlert } from "../../store/alerts.ts";
import { createShardedIndex } from "./sharded-index.ts";
import { createLocalIndex } from "./index-port.ts";
import { createLiveIndex } from "./live-index.ts";
import { readEntry } from "../../store/index-rows.ts";

const log = pino({ level: "silent" });
let database: TestDatabase;
let tenantId: number;
beforeAll(async () => {
  database = await testDatabase({ pool: 8 });
  const { sql } = database.db;
  await sql`insert into accounts (id, name, plan, created_at) values ('acc_1', 'a', 'max', now())`;
  [{ id: tenantId }] = await sql`insert into tenants (account_id, mode) values ('acc_1', 'live') returning id`;
});
afterAll(() => database.drop());

let made = 0;
async function store(query: string, sources = 3): Promise<number> {
  const { term, canonical } = parseWatch({ query, match: {} });
  const [{ number }] = await database.db.sql`
    insert into alerts (id, tenant_id, status, term, query, sources, spec, pace, conditions, stats, created_at, updated_at)
    values (${`alt_${made++}`}, ${tenantId}, 'active', ${term}, ${canonical}, ${sources},
      ${JSON.stringify({ query, match: {} })}::text::jsonb, '{}', '{}', '{}', now(), now()) returning number`;
  return number;
}
const inOrder = (found: number[][]) => found.map((numbers) => numbers.toSorted((a, b) => a - b));
const ask = (list: object[]) => ({ tenants: list.map(() => tenantId), kind: 1, contents: list });

/** A sharded index whose threads can be killed. */
function shardedIndexOf(threads: number) {
  const workers: Worker[] = [];
  const spawn = () => {
    const worker = new Worker(new URL("./worker.ts", import.meta.url).href);
    workers.push(worker);
    return worker;
  };
  return {
    workers,
    index: createShardedIndex({ databaseUrl: database.url, threads, clock: systemClock, log, spawn }),
  };
}

describe("threads", () => {
  test("answer what one thread answers", async () => {
    for (const query of fc.sample(queries, { numRuns: 300, seed: 6 })) {
      try {
        await store(query, 1 + (made % 3));
      } catch {
        // Some of them would match nearly everything and are refused.
      }
    }
    const own = createLocalIndex(database.db);
    const { index } = shardedIndexOf(3);
    await Promise.all([own.load(), index.load()]);
    expect([index.size, index.countOf(tenantId)]).toEqual([own.size, own.countOf(tenantId)]);
    const list = fc.sample(contents, { numRuns: 200, seed: 7 });
    const { numbers: expected } = await own.match(ask(list));
    expect(expected.flat().length).toBeGreaterThan(100);
    expect(inOrder((await index.match(ask(list))).numbers)).toEqual(inOrder(expected));
    const events = { ...ask(list), kind: 2 };
    expect(inOrder((await index.match(events)).numbers)).toEqual(inOrder((await own.match(events)).numbers));
    index.stop();
  });

  test("know a new alert at the next question, and a deleted one no more", async () => {
    const { index } = shardedIndexOf(2);
    await index.load();
    const numbers = await Promise.all([store("freshly"), store("freshly"), store("freshly made")]);
    const putting = numbers.map(async (number) => index.put((await readEntry(database.db, number))!));
    await Promise.all(putting);
    const found = async () =>
      inOrder((await index.match(ask([{ text: "freshly made" }]))).numbers)[0].filter((n) => numbers.includes(n));
    expect(await found()).toEqual(numbers.toSorted((a, b) => a - b));
    const before = index.countOf(tenantId);
    await index.remove(numbers[1]);
    expect(await found()).toEqual([numbers[0], numbers[2]].toSorted((a, b) => a - b));
    expect(index.countOf(tenantId)).toBe(before - 1);
    index.stop();
  });

  test("that die are replaced, and every question is answered as if they had not", async () => {
    const { index, workers } = shardedIndexOf(2);
    await index.load();
    const [a, b] = await Promise.all([store("undying"), store("undying")]);
    await index.put((await readEntry(database.db, a))!);
    for (let deaths = 0; deaths < 3; deaths++) {
      const asked = Array.from({ length: 20 }, () => index.match(ask([{ text: "undying" }])));
      workers.at(-1)!.terminate();
      workers.at(-2)!.terminate();
      // Stored while no thread lives: the new ones read it.
      const putting = deaths === 1 ? index.put((await readEntry(database.db, b))!) : Promise.resolve();
      for (const answer of await Promise.all(asked)) expect(answer.numbers[0]).toContain(a);
      await putting;
      expect((await index.match(ask([{ text: "undying" }]))).numbers[0]).toContain(a);
    }
    expect(inOrder((await index.match(ask([{ text: "undying" }]))).numbers)[0]).toEqual(
      [a, b].toSorted((x, y) => x - y),
    );
    expect(workers.length).toBeGreaterThanOrEqual(6);
    index.stop();
    await expect(index.match(ask([{ text: "undying" }]))).rejects.toThrow("stopping");
  });
});

test("a question that kills every thread is refused, and the next one is answered", async () => {
  const deadly = `onmessage = ({ data: { id, request } }) => {
    if (request.type === "load") postMessage({ id, counts: [], size: 0 });
    else if (request.request.contents[0].text === "deadly") process.exit(1);
    else postMessage({ id, numbers: [[7]] });
  }`;
  let started = 0;
  const spawn = () => {
    started++;
    return new Worker(URL.createObjectURL(new Blob([deadly], { type: "text/javascript" })));
  };
  const index = createShardedIndex({ databaseUrl: "", threads: 1, clock: systemClock, log, spawn });
  await index.load();
  await expect(index.match(ask([{ text: "deadly" }]))).rejects.toThrow("3 threads died");
  expect((await index.match(ask([{ text: "harmless" }]))).numbers).toEqual([[7]]);
  expect(started).toBe(4);
  index.stop();
});

describe("a replica that hears no notification", () => {
  test("knows within half a minute what was made, changed and deleted", async () => {
    const clock = new ManualClock("2026-11-01T12:00:00Z");
    const { sql } = database.db;
    const silent = { ...database.db, sql: Object.assign(sql.bind(null), sql, { listen: async () => deaf }) } as never;
    const index = createLiveIndex({ db: silent, clock, log });
    const number = await store("reconciled");
    await sql`update alerts set updated_at = '2026-11-01T11:00:00Z'`;
    await index.start();
    const size = index.size;
    const found = async () => (await index.matchForTenants([tenantId], 1, [{ text: "reconciled changed" }])).numbers[0];
    expect(await found()).toEqual([number]);

    const at = new Date(clock.now()).toISOString();
    await sql`update alerts set term = 'w:changed', updated_at = ${at} where number = ${number}`;
    const late = await store("changed");
    await sql`update alerts set updated_at = ${at} where number = ${late}`;
    expect(await found()).toEqual([number]);
    await clock.advance(30_000);
    await settled(async () => (await found()).length === 2);

    await sql.begin((tx) => deleteAlert(tx, number, clock.now()));
    await sql.begin((tx) => deleteAlert(tx, late, clock.now()));
    expect(index.size).toBe(size + 1);
    await clock.advance(30_000);
    await settled(async () => index.size === size - 1);
    expect(await found()).toEqual([]);
    await index.stop();
  });
});
const deaf = { unlisten: async () => {} };

/** Waits for work that a timer of the owned clock has begun: bounded turns of the event loop with the store, no time. */
async function settled(holds: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 500; turn++) {
    if (await holds()) return;
    await database.db.sql`select 1`;
  }
  expect(await holds()).toBe(true);
}

describe("a service with threads", () => {
  let app: Harness;
  beforeAll(async () => {
    app = await startHarness({ config: { ALERTS_SHARDS: 2 } });
  });
  afterAll(() => app.stop());

  test("matches content and feeds, new alerts at once, deleted ones no more", async () => {
    const make = async (body: object) => (await app.call("POST", "/alerts/create", { body })).body.data.id;
    const push = async (text: string) =>
      (await app.call("POST", "/alerts/content", { body: { text } })).body.data.results[0].alerts.toSorted();
    const [one, two, three] = [
      await make({ tag: "shared" }),
      await make({ query: "shared OR x" }),
      await make({ tag: "y" }),
    ];
    expect(await push("shared words")).toEqual([one, two].toSorted());
    await app.call("DELETE", `/alerts/${one}`);
    expect(await push("shared and y")).toEqual([two, three].toSorted());
    const feed = await make({ tag: "kettle", sources: [{ type: "feed", url: "https://feeds.demo.test/news.xml" }] });
    await app.service.settle();
    expect((await app.call("GET", `/alerts/${feed}`)).body.data.sources[0].format).toBe("rss20");
  });
});

test("a feed and events past the bound of steps: the log says that phrases were not looked for", async () => {
  const words = ["north", "south", "east", "west", "left", "right", "above", "below"];
  for (let n = 0; n < 300; n++) {
    const [a, b, c] = [words[n % 8], words[(n >> 3) % 8], words[(n >> 6) % 8]];
    await store(`"${a} ${b} ${a} ${c} ${a} kettle"`);
  }
  const lines: { source: string; contents: number }[] = [];
  const heard = pino({ level: "warn" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const index = createLiveIndex({ db: database.db, clock: new ManualClock("2026-11-01T12:00:00Z"), log: heard });
  await index.start();
  const text = `${Array.from({ length: 60_000 }, (_, n) => words[(n * 7 + (n >> 3)) % 8]).join(" ")} kettle`;
  await index.matchForTenants([tenantId], EVENTS, [{ text }]);
  await index.matchForTenants([tenantId], EVENTS, [{ text: "north south" }]);
  expect(lines.map(({ source, contents }) => [source, contents])).toEqual([["events", 1]]);
  await index.stop();
});
