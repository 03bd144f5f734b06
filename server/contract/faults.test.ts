// A fault says what is wrong, and its hint ends with an example that can be pasted as it stands.
import { describe, expect, test } from "bun:test";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { Labels } from "../actions/alerts/contract/requests.ts";
import { findFaults } from "./faults.ts";

const hintOf = (schema: object, value: unknown) => {
  const [{ detail, hint }] = findFaults(Type.Object({ name: schema as never }), { name: value }, "body");
  return [detail, hint];
};

test("a string of the wrong length or look", () => {
  expect(hintOf(Type.String({ minLength: 1 }), "")).toEqual(["name must not be empty", 'Send e.g. "sample"']);
  expect(hintOf(Type.String({ minLength: 8 }), "AAAA")).toEqual([
    "name must have at least 8 characters",
    'Send e.g. "samplexx"',
  ]);
  expect(hintOf(Type.String({ pattern: "^[A-Z]+$", examples: ["USD"] }), "u")).toEqual([
    "name must look like USD",
    'Send e.g. "USD"',
  ]);
});

test("a missing field is shown as the member to add", () => {
  const schema = Type.Object({ pickup: Type.Object({ time: Type.String({ format: "date-time" }) }) });
  const [{ pointer, hint }] = findFaults(schema, {}, "body");
  expect([pointer, hint]).toEqual(["/pickup", 'Add "pickup":{"time":"2026-12-01T15:00:00Z"}']);
});

describe("an unknown field is answered with the one that is meant", () => {
  const Fields = (...names: string[]) =>
    Type.Object(
      Object.fromEntries(names.map((name) => [name, Type.Optional(Type.String({ examples: [`a ${name}`] }))])),
      {
        additionalProperties: false,
      },
    );
  test.each<[string, string[], string | null]>([
    ["ticker", ["symbol", "symbols"], "symbol"],
    ["email", ["name", "channels"], "channels"],
    ["text", ["content", "url"], "content"],
    ["keyword", ["tag", "query"], "tag"],
    ["Ticker", ["symbol"], "symbol"],
    ["pickupTime", ["pickup_time"], "pickup_time"],
    ["pick-up", ["pickup"], "pickup"],
    ["adress", ["address"], "address"],
    ["zzqqxx", ["address"], null],
  ])("%s among %s", (given, known, meant) => {
    const [{ code, hint }] = findFaults(Fields(...known), { [given]: "x" }, "body");
    expect(code).toBe("unknown");
    if (meant) expect(hint).toBe(`Did you mean "${meant}"? Send e.g. "${meant}":"a ${meant}"`);
    else expect(hint).toBe("Remove it; known here: address");
  });

  test.each(["__proto__", "constructor", "toString"])("%s is a name like any other", (name) => {
    const [fault] = findFaults(Fields("address"), JSON.parse(`{"${name}":1}`), "body");
    expect([fault!.code, fault!.pointer]).toEqual(["unknown", `/${name}`]);
  });

  test("in a query the example is written as a query", () => {
    const [{ hint }] = findFaults(Fields("url"), { link: "x" }, "query");
    expect(hint).toBe('Did you mean "url"? Send e.g. url=a%20url');
  });

  test("a field that belongs below another is shown in its place", () => {
    const pickup = Type.Optional(Type.Object({ window: Type.String({ examples: ["now"] }) }));
    const [{ hint }] = findFaults(Type.Object({ pickup }, { additionalProperties: false }), { window: 1 }, "body");
    expect(hint).toBe('Did you mean "pickup"? Send e.g. "pickup":{"window":"now"}');
  });
});

test("of rival fields exactly one is asked for", () => {
  const schema = Type.Object(
    { symbol: Type.Optional(Type.String({ examples: ["AAPL"] })), symbols: Type.Optional(Type.Array(Type.String())) },
    { exactlyOne: ["symbol", "symbols"] },
  );
  const seen = (value: unknown) =>
    findFaults(schema, value, "body").map(({ code, detail, hint }) => [code, detail, hint]);
  const detail = "The body must have exactly one of symbol and symbols";
  expect(seen({})).toEqual([["one_of", detail, 'Send e.g. {"symbol":"AAPL"}']]);
  expect(seen({ symbol: "A", symbols: ["B"] })).toEqual([["one_of", detail, 'Send e.g. {"symbol":"AAPL"}']]);
});

test("names of a map are held to their pattern", () => {
  const labels = Compile(Labels);
  expect([labels.Check({ team: "a" }), labels.Check({ "": "a" }), labels.Check({ "a b": "c" })]).toEqual([
    true,
    false,
    false,
  ]);
});
