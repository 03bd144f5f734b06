// The worker queue with a thread made here: a task that never ends is given up, and the tasks behind it are still served.
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ManualClock } from "../../../lib/clock.ts";
import { createWorkerQueue, TaskTimeout } from "./worker-queue.ts";
import type { Task } from "./tasks.ts";

const folder = mkdtempSync(join(tmpdir(), "worker-queue-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Answers with the text it was sent; the text "stuck" it never answers, and nothing behind it either. */
const script = join(folder, "thread.ts");
writeFileSync(
  script,
  `let stuck = false;
   self.onmessage = ({ data: { task } }) => {
     stuck ||= task.base64 === "stuck";
     if (task.base64 === "fails") self.postMessage({ failed: "no" });
     else if (!stuck) self.postMessage({ outcome: { ok: false, detail: task.base64 } });
   };`,
);

const task = (base64: string): Task => ({ kind: "image", base64 });

test("a task that never ends is given up, those behind it go to a new thread", async () => {
  const clock = new ManualClock();
  const queue = createWorkerQueue({ clock, script });
  expect(await queue.run(task("first"))).toEqual({ ok: false, detail: "first" });
  const stuck = queue.run(task("stuck")).catch((error) => error);
  const behind = [queue.run(task("second")), queue.run(task("third"))];
  await clock.advance(30_000);
  expect(await stuck).toBeInstanceOf(TaskTimeout);
  expect(await Promise.all(behind)).toEqual([
    { ok: false, detail: "second" },
    { ok: false, detail: "third" },
  ]);
  queue.stop();
});

test("every task has the whole time for itself", async () => {
  const clock = new ManualClock();
  const queue = createWorkerQueue({ clock, script });
  await queue.run(task("first"));
  await clock.advance(29_000);
  const stuck = queue.run(task("stuck")).catch((error) => error);
  await clock.advance(29_000);
  const behind = queue.run(task("second"));
  await clock.advance(1_000);
  expect(await stuck).toBeInstanceOf(TaskTimeout);
  expect(await behind).toEqual({ ok: false, detail: "second" });
  queue.stop();
});

test("a failure reaches its caller, and a stop reaches every caller", async () => {
  const queue = createWorkerQueue({ clock: new ManualClock(), script });
  await expect(queue.run(task("fails"))).rejects.toThrow("no");
  const waiting = queue.run(task("stuck"));
  queue.stop();
  await expect(waiting).rejects.toThrow("stopping");
});
