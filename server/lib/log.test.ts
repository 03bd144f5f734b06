import { expect, test } from "bun:test";
import { ManualClock } from "./clock.ts";
import { createLog } from "./log.ts";

test("a line that cannot be written is dropped and counted, and breaks nothing", () => {
  const full = () => {
    throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
  };
  const { log, dropped } = createLog({ level: "info", write: full });
  for (let i = 0; i < 3; i++) log.error({ i }, `line ${i}`);
  expect(dropped()).toBe(3);
});

test("a message that comes again and again is written five times in ten seconds, then with how many were left out", async () => {
  const clock = new ManualClock();
  const lines: any[] = [];
  const { log } = createLog({ level: "info", clock, write: (line) => void lines.push(JSON.parse(line)) });
  for (let i = 0; i < 100; i++) log.error({ i }, "the store is away");
  log.error({}, "another");
  expect(lines.map((line) => line.msg)).toEqual([...Array(5).fill("the store is away"), "another"]);
  await clock.advance(10_000);
  log.error({ i: 100 }, "the store is away");
  expect(lines.at(-1)).toMatchObject({ i: 100, suppressed: 95 });
});

test("lines of a child and lines without fields pass", () => {
  const lines: any[] = [];
  const { log } = createLog({ level: "info", write: (line) => void lines.push(JSON.parse(line)) });
  log.child({ job: 1 }).warn("a job");
  log.info({ only: "fields" });
  log.debug("not at this level");
  expect(lines).toMatchObject([{ job: 1, msg: "a job" }, { only: "fields" }]);
});
