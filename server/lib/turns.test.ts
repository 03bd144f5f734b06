import { expect, test } from "bun:test";
import { createTurns } from "./turns.ts";

test("other work runs whenever so many units are done, and not before", async () => {
  const order: string[] = [];
  const turn = createTurns(100);
  setImmediate(() => order.push("other"));
  for (let i = 0; i < 4; i++) {
    order.push(`work ${i}`);
    await turn(30);
  }
  expect(order).toEqual(["work 0", "work 1", "work 2", "work 3", "other"]);
  expect(turn(99)).toBeUndefined();
  expect(turn(1)).toBeInstanceOf(Promise);
});
