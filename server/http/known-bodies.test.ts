// A body that comes again is read once; other bytes, refused bodies and long ones never get another's answer.
import { expect, test } from "bun:test";
import { createKnownBodies } from "./known-bodies.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

test("equal bytes are read once, other bytes never get the same", () => {
  const known = createKnownBodies();
  const first = known.find(bytesOf('{"a":"é"}'), () => ({ read: 1 }));
  expect(known.find(bytesOf('{"a":"é"}'), () => ({ read: 2 }))).toBe(first);
  expect(known.find(bytesOf('{"a":"è"}'), () => ({ read: 3 }))).toEqual({ read: 3 });
  expect(known.find(new Uint8Array([0xc3]), () => ({ read: 4 }))).toEqual({ read: 4 });
  expect(known.find(bytesOf("Ã"), () => ({ read: 5 }))).toEqual({ read: 5 });
});

test("what is refused, read elsewhere or long is read again", async () => {
  const known = createKnownBodies();
  const refuse = () => {
    throw new Error("refused");
  };
  expect(() => known.find(bytesOf("{}"), refuse)).toThrow("refused");
  expect(await known.find(bytesOf("{}"), async () => 1)).toBe(1);
  expect(known.find(bytesOf("{}"), () => 2)).toBe(2);
  const long = bytesOf(" ".repeat(5_000));
  expect([known.find(long, () => 3), known.find(long, () => 4)]).toEqual([3, 4]);
});
