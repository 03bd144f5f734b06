// Hostile bytes: requests made from the schemas and then spoiled. Nothing may crash, hang, or answer 500.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { routes } from "../../server/contracts.ts";
import { seededRandom } from "../../server/lib/random.ts";
import { type Harness, startHarness } from "../harness.ts";
import { sampleOf, samplePath, sampleQuery } from "../sample.ts";

let app: Harness;
const keys: string[] = [];
beforeAll(async () => {
  app = await startHarness({ config: { LOG: "silent" } });
  for (let i = 0; i < 8; i++) keys.push((await app.openAccount("max")).testKey);
});
afterAll(() => app.stop());

const seed = Number(process.env.CONNECTOR_TEST_SEED ?? 20_261_115);
const random = seededRandom(seed);
const pick = <T>(from: T[]): T => from[Math.floor(random.unit() * from.length)];

const odd: unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1e308,
  -0.5,
  2 ** 53,
  "",
  " ",
  "a",
  "\u0000",
  "\ud800",
  "\udc00x",
  "\u202e",
  "💥",
  "ﷺ",
  "'; drop table keys; --",
  "../../etc/passwd",
  "%00",
  "{{7*7}}",
  "<script>",
  [],
  {},
  [[]],
  [null],
  { __proto__: null },
  "x".repeat(10_000),
  "2026-13-45T99:99:99Z",
  "NaN",
];
const rawBodies = [
  "",
  "{",
  "}",
  "null",
  "[]",
  '"',
  "nul",
  "{]",
  '{"a":1,"a":2}',
  '{"pickup":{"address":"a","address":"b"}}',
  "[".repeat(50_000),
  `{"a":${"[".repeat(40)}${"]".repeat(40)}}`,
  '{"a":1e999}',
  '{"a":-0}',
  '{"\\u0000":1}',
  '{"a":"\\ud800"}',
  "\ufeff{}",
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{}}}',
  `{"a":"${"b".repeat(1_000_000)}"}`,
];

/** One to three spots of the value replaced, removed, doubled or renamed. */
function spoil(value: unknown): unknown {
  let spoiled = structuredClone(value);
  for (let n = 1 + Math.floor(random.unit() * 3); n > 0; n--) spoiled = spoilOnce(spoiled);
  return spoiled;
}

function spoilOnce(value: any): unknown {
  if (value === null || typeof value !== "object" || random.unit() < 0.15) return pick(odd);
  const names = Object.keys(value);
  if (names.length === 0 || random.unit() < 0.15)
    return { ...value, [String(pick(["zzz", "__proto__", "", "a.b", "a/b~c"]))]: pick(odd) };
  const name = pick(names);
  if (random.unit() < 0.2) {
    const { [name]: _, ...rest } = value;
    return rest;
  }
  const inside = spoilOnce(value[name]);
  if (Array.isArray(value)) return value.map((item, i) => (String(i) === name ? inside : item));
  return { ...value, [name]: inside };
}

const targets = routes.filter(
  (route) => route.mount !== "root" && route.scope !== null && route.produces !== "text/event-stream",
);

async function attack(i: number): Promise<void> {
  const route = pick(targets);
  const roll = random.unit();
  const hasBody = route.method !== "GET";
  const body = !hasBody ? undefined : roll < 0.1 ? pick(rawBodies) : JSON.stringify(spoil(sampleOf(route.body) ?? {}));
  const path = samplePath(route.path, route.params);
  const query =
    roll > 0.8
      ? `?${encodeURIComponent(String(pick(["limit", "cursor", "zzz", "url", "from"])))}=${encodeURIComponent(String(pick(odd.filter((o) => typeof o === "string" && (o as string).isWellFormed() && (o as string).length < 100))))}`
      : sampleQuery(route.query);
  const headers: Record<string, string> =
    roll > 0.9 ? { "Idempotency-Key": pick(["a", '""', '"', "x".repeat(256), "k"]) } : {};
  const reply = await app.call(route.method, path + query, { key: keys[i % keys.length], body, headers });
  if (reply.status === 500 || reply.status === 0)
    throw new Error(
      `${reply.status} for ${route.method} ${path}${query} ${String(body).slice(0, 300)} (seed ${seed}, request ${i})`,
    );
}

test(`10,000 spoiled requests: no 500, no crash, memory flat (seed ${seed})`, async () => {
  const round = async (from: number, count: number) => {
    for (let i = from; i < from + count; i += 20) {
      await Promise.all(Array.from({ length: Math.min(20, from + count - i) }, (_, k) => attack(i + k)));
      await app.clock.advance(1_000);
    }
  };
  await round(0, 3_000);
  Bun.gc(true);
  const before = process.memoryUsage().heapUsed;
  await round(3_000, 7_000);
  Bun.gc(true);
  const grown = (process.memoryUsage().heapUsed - before) / 2 ** 20;
  expect(grown).toBeLessThan(64);
  expect(({} as any).polluted).toBeUndefined();
  expect((await app.call("GET", "/user/profile")).status).toBe(200);
}, 280_000);
