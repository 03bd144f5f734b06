import { describe, expect, test } from "bun:test";
import { seededRandom } from "./random.ts";
import { createSeal, SealError } from "./seal.ts";

const key = (fill: number) => new Uint8Array(32).fill(fill);
const random = seededRandom("seal");
const seal = createSeal({ current: "k1", keys: { k1: key(1) } }, random);

describe("a sealed secret", () => {
  test("opens to the same text, and never looks the same twice", () => {
    for (const text of ["", "whsec_abc", "zwölf Ü € 😀", "x".repeat(5000)]) {
      const [a, b] = [seal.seal(text, "whk_1"), seal.seal(text, "whk_1")];
      expect(a).not.toBe(b);
      if (text) expect(a).not.toContain(text);
      expect([seal.open(a, "whk_1"), seal.open(b, "whk_1")]).toEqual([text, text]);
    }
  });

  test("does not open for another owner, nor with any character changed", () => {
    const sealed = seal.seal("secret", "whk_1");
    expect(() => seal.open(sealed, "whk_2")).toThrow(SealError);
    for (let i = 0; i < sealed.length; i++) {
      const other = sealed[i] === "A" ? "B" : "A";
      const changed = sealed.slice(0, i) + other + sealed.slice(i + 1);
      // The last base64 character may carry unused bits; the text it decodes to must then be the same.
      if (Buffer.from(changed.slice(6), "base64url").equals(Buffer.from(sealed.slice(6), "base64url")) && i > 6)
        continue;
      expect(() => seal.open(changed, "whk_1")).toThrow(SealError);
    }
    for (const junk of [
      "",
      "s1",
      "s1.k1.",
      "s1.k1.AAAA",
      `${sealed}.x`,
      "s1.__proto__.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    ]) {
      expect(() => seal.open(junk, "whk_1")).toThrow(SealError);
    }
  });

  test("still opens after the key was changed, and is known to be stale", () => {
    const sealed = seal.seal("secret", "whk_1");
    const both = createSeal({ current: "k2", keys: { k1: key(1), k2: key(2) } }, random);
    expect([both.open(sealed, "whk_1"), both.isStale(sealed), both.isStale(both.seal("x", "y"))]).toEqual([
      "secret",
      true,
      false,
    ]);
    const without = createSeal({ current: "k2", keys: { k2: key(2) } }, random);
    expect(() => without.open(sealed, "whk_1")).toThrow('The sealing key "k1" is not configured.');
  });

  test("keys must be 32 bytes and the current one must exist", () => {
    expect(() => createSeal({ current: "k", keys: { k: new Uint8Array(16) } }, random)).toThrow(SealError);
    expect(() => createSeal({ current: "z", keys: { k: key(1) } }, random)).toThrow(SealError);
  });
});
