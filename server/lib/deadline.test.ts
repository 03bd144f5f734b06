import { expect, test } from "bun:test";
import { DeadlineError, within } from "./deadline.ts";

test("what ends in time passes through, success or failure; what never ends is given up", async () => {
  expect(await within(1000, "a", Promise.resolve(1))).toBe(1);
  expect(within(1000, "b", Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(within(1, "c", new Promise(() => {}))).rejects.toThrow(DeadlineError);
  expect(within(1, "the query", new Promise(() => {}))).rejects.toThrow("the query did not end within 1 ms");
});
