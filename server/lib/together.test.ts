import { expect, test } from "bun:test";
import { readTogether } from "./together.ts";

test("all who ask in one turn are answered by one question, the next turn asks anew", async () => {
  const questions: number[][] = [];
  const read = readTogether(async (ids) => {
    questions.push(ids);
    return new Map(ids.map((id) => [id, id * 10]));
  });
  expect(await Promise.all([read(1), read(2), read(3)])).toEqual([10, 20, 30]);
  expect(await read(4)).toBe(40);
  expect(questions).toEqual([[1, 2, 3], [4]]);
});

test("a failed question fails those who asked it, and nobody after them", async () => {
  let fails = true;
  const read = readTogether(async (ids) => {
    if (fails) throw new Error("away");
    return new Map(ids.map((id) => [id, id]));
  });
  expect((await Promise.allSettled([read(1), read(2)])).map((r) => r.status)).toEqual(["rejected", "rejected"]);
  fails = false;
  expect(await read(1)).toBe(1);
});
