// A fault says what is wrong and how to correct it; naming the type that was sent anyway is no hint.
import { expect, test } from "bun:test";
import { Type } from "typebox";
import { findFaults } from "./faults.ts";

const hintOf = (schema: object, value: unknown) => {
  const [{ detail, hint }] = findFaults(Type.Object({ name: schema as never }), { name: value }, "body");
  return [detail, hint];
};

test("a string of the wrong length or look is told the length or the look", () => {
  expect(hintOf(Type.String({ minLength: 1 }), "")).toEqual(["name must not be empty", "Send at least one character"]);
  expect(hintOf(Type.String({ minLength: 8 }), "AAAA")).toEqual([
    "name must have at least 8 characters",
    "Send at least 8 characters",
  ]);
  expect(hintOf(Type.String({ pattern: "^a+$" }), "b")).toEqual([
    "name must match ^a+$",
    "Send text that matches ^a+$",
  ]);
});

test("an example is the better hint", () => {
  expect(hintOf(Type.String({ minLength: 3, examples: ["USD"] }), "u")[1]).toBe("Send e.g. USD");
  expect(hintOf(Type.String({ pattern: "^[A-Z]+$", examples: ["USD"] }), "u")).toEqual([
    "name must look like USD",
    "Send e.g. USD",
  ]);
});
