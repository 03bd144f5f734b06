// The small exact things: ids, times, keys, cursors, JSON, "did you mean".
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { hashKey, isKey, makeKey } from "./checksum-key.ts";
import { ManualClock } from "./clock.ts";
import { createCursors } from "./cursor.ts";
import { createIdMaker, idPattern } from "./id.ts";
import { parseJson } from "./json.ts";
import { nearest } from "./nearest.ts";
import { createNetworkList } from "./network.ts";
import { seededRandom } from "./random.ts";
import { formatTime, parseTime } from "./time.ts";

describe("ids", () => {
  test("sort in the order they were made, even when the clock stands still or goes back", () => {
    const clock = new ManualClock();
    const makeId = createIdMaker(clock, seededRandom(1));
    const ids = Array.from({ length: 5_000 }, (_, i) => {
      if (i === 2_000) clock.jump(clock.now() - 60_000);
      return makeId("dlv");
    });
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => new RegExp(idPattern("dlv")).test(id))).toBe(true);
  });
});

describe("times", () => {
  test("the same text comes back when the fraction is zero", () => {
    expect(formatTime(parseTime("2026-12-01T15:00:00Z")!)).toBe("2026-12-01T15:00:00Z");
    expect(formatTime(parseTime("2026-12-01T15:00:00.000Z")!)).toBe("2026-12-01T15:00:00Z");
    expect(formatTime(parseTime("2026-12-01T15:00:00.250+05:30")!)).toBe("2026-12-01T09:30:00.250Z");
  });

  test.each([
    "2026-12-01T15:00:00",
    "2026-12-01",
    "2026-02-29T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-12-01T24:00:00Z",
    "2026-12-01 15:00:00Z",
    "",
    "now",
    "2026-12-01T15:00Z",
  ])("%p is refused", (text) => expect(parseTime(text)).toBeNull());

  test("any instant survives", () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 4e12 }), (ms) => expect(parseTime(formatTime(ms))).toBe(ms)));
  });

  test("any number is written as the platform writes it", () => {
    const near = fc.double({ min: -3000, max: 3000, noNaN: true });
    const any = fc.double({ min: -8.64e15, max: 8.64e15, noNaN: true });
    fc.assert(
      fc.property(fc.oneof(near, any), (ms) =>
        expect(formatTime(ms)).toBe(new Date(ms).toISOString().replace(".000Z", "Z")),
      ),
    );
    expect(() => formatTime(Number.NaN)).toThrow();
  });
});

describe("keys", () => {
  test("the published vector holds", () => expect(isKey("acn_test_0000000000000000000000000000000hmXx1")).toBe(true));

  test("every made key checks, and no single changed character does", () => {
    const random = seededRandom(3);
    for (let i = 0; i < 200; i++) {
      const key = makeKey(i % 2 ? "live" : "test", random);
      expect(isKey(key)).toBe(true);
      const at = 9 + (i % 36);
      const other = key[at] === "0" ? "1" : "0";
      expect(isKey(key.slice(0, at) + other + key.slice(at + 1))).toBe(false);
    }
    expect(isKey("acn_test_")).toBe(false);
  });

  test("what is stored depends on the pepper", () => expect(hashKey("a", "k")).not.toBe(hashKey("b", "k")));
});

describe("cursors", () => {
  test("open only for the list they were made for", () => {
    const cursors = createCursors("secret");
    const cursor = cursors.encode("keys 1", "key_9");
    expect(cursors.decode("keys 1", cursor)).toBe("key_9");
    expect(cursors.decode("keys 2", cursor)).toBeNull();
    expect(createCursors("other").decode("keys 1", cursor)).toBeNull();
    for (const odd of ["", "a", `${cursor}A`, cursor.slice(1), "💥"]) expect(cursors.decode("keys 1", odd)).toBeNull();
  });
});

describe("JSON", () => {
  const parse = (text: string) => parseJson(new TextEncoder().encode(text));

  test.each([
    ['{"a":1,"a":2}', "duplicate"],
    ['[{"b":{"c":1,"c":1}}]', "duplicate"],
    ['{"a":"\\u0000"}', "unicode"],
    ['{"a":["\\udc00"]}', "unicode"],
    ["[".repeat(40), "depth"],
    ["{", "syntax"],
    ["", "syntax"],
    ["{} {}", "syntax"],
  ])("%p is refused for its %s", (text, code) => expect(parse(text)).toMatchObject({ ok: false, fault: { code } }));

  test("bytes that are not UTF-8 are refused", () =>
    expect(parseJson(new Uint8Array([0x22, 0xff, 0x22]))).toMatchObject({ ok: false, fault: { code: "unicode" } }));

  test("reads whatever JSON.stringify writes", () => {
    const value = fc
      .jsonValue({ maxDepth: 6 })
      .filter(
        (v) =>
          !JSON.stringify(v).includes("\\u0000") &&
          JSON.stringify(v).isWellFormed() &&
          !/\\ud[89a-f]/i.test(JSON.stringify(v)),
      );
    fc.assert(
      fc.property(value, (v) =>
        expect(parse(JSON.stringify(v))).toEqual({ ok: true, value: JSON.parse(JSON.stringify(v)) }),
      ),
    );
  });

  test("a name like __proto__ stays data", () => {
    const parsed = parse('{"__proto__":{"polluted":true}}');
    expect(parsed.ok).toBe(true);
    expect(({} as any).polluted).toBeUndefined();
  });
});

describe("did you mean", () => {
  test.each([
    ["adress", "address"],
    ["dropof", "dropoff"],
    ["tiem", "time"],
    ["Pickup", "pickup"],
  ])("%s → %s", (typed, meant) => expect(nearest(typed, ["address", "dropoff", "time", "pickup"])).toBe(meant));
  test("nothing near is nothing", () => expect(nearest("zzzzzz", ["address", "time"])).toBeNull());
});

describe("networks", () => {
  test("addresses and networks of both families, mapped ones too", () => {
    const inside = createNetworkList(["203.0.113.0/24", "2001:db8::/32", "198.51.100.7"]);
    expect(["203.0.113.9", "::ffff:203.0.113.9", "2001:db8::1", "198.51.100.7"].map(inside)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(["203.0.114.1", "2001:db9::1", "198.51.100.8", "nonsense", ""].map(inside)).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});
