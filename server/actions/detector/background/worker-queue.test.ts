// The crew with a thread made here: what never ends is given up, and those behind it are still served.
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ManualClock } from "../../../lib/clock.ts";
import { createCrew, CrewStuck } from "./worker-queue.ts";
import type { Task } from "./tasks.ts";

const folder = mkdtempSync(join(tmpdir(), "crew-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Answers with the text it was sent; the text "stuck" it never answers, and nothing behind it either. */
const script = join(folder, "thread.ts");
writeFileSync(
  script,
  `let stuck = false;
   self.onmessage = ({ data: { n, task } }) => {
     stuck ||= task.base64 === "stuck";
     if (task.base64 === "fails") self.postMessage({ n, failed: "no" });
     else if (!stuck) self.postMessage({ n, outcome: { ok: false, detail: task.base64 } });
   };`,
);

const task = (base64: string): Task => ({ kind: "image", base64 });

test("a task that never ends is given up, those behind it go to a new thread", async () => {
  const clock = new ManualClock();
  const crew = createCrew({ kernel: "auto", clock, script });
  expect(await crew.perform(task("first"))).toEqual({ ok: false, detail: "first" });
  const stuck = crew.perform(task("stuck")).catch((error) => error);
  const behind = [crew.perform(task("second")), crew.perform(task("third"))];
  await clock.advance(30_000);
  expect(await stuck).toBeInstanceOf(CrewStuck);
  expect(await Promise.all(behind)).toEqual([
    { ok: false, detail: "second" },
    { ok: false, detail: "third" },
  ]);
  crew.stop();
});

test("every task has the whole time for itself", async () => {
  const clock = new ManualClock();
  const crew = createCrew({ kernel: "auto", clock, script });
  await crew.perform(task("first"));
  await clock.advance(29_000);
  const stuck = crew.perform(task("stuck")).catch((error) => error);
  await clock.advance(29_000);
  const behind = crew.perform(task("second"));
  await clock.advance(1_000);
  expect(await stuck).toBeInstanceOf(CrewStuck);
  expect(await behind).toEqual({ ok: false, detail: "second" });
  crew.stop();
});

test("a failure is told to who asked, and a stop to all", async () => {
  const crew = createCrew({ kernel: "auto", clock: new ManualClock(), script });
  await expect(crew.perform(task("fails"))).rejects.toThrow("no");
  const waiting = crew.perform(task("stuck"));
  crew.stop();
  await expect(waiting).rejects.toThrow("stopping");
});
