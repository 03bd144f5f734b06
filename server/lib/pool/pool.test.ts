// The pool with tasks made here: bounds, turns and refusals, on an owned clock.
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ManualClock } from "../clock.ts";
import { createPool, PoolFull, type Task, TaskEnded } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "pool-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const module = join(folder, "tasks.ts");
writeFileSync(
  module,
  `export const echo = (input) => input;
   export const fails = () => { throw new Error("no"); };
   export const never = () => new Promise(() => {});
   export const spins = () => { for (;;); };
   export const exits = () => process.exit(3);`,
);

function task(name: string, bounds: Partial<Task<any, any>> = {}): Task<any, any> {
  return { module, name, run: (input) => `inline ${input}`, inlineSize: 0, maxSize: 1_000, maxMs: 1_000, ...bounds };
}
const of = (account: string, size = 1) => ({ account, size });
const MEGABYTE = 1_048_576;

describe("a task", () => {
  test("runs in a thread, one small enough on the calling thread, one too large not at all", async () => {
    const pool = createPool({ clock: new ManualClock(), threads: 2 });
    const echo = task("echo", { inlineSize: 10 });
    expect(await pool.run(echo, "a", of("x", 10))).toBe("inline a");
    expect(pool.standing().threads).toBe(0);
    expect(await pool.run(echo, "a", of("x", 11))).toBe("a");
    expect(pool.standing().threads).toBe(1);
    await expect(pool.run(echo, "a", of("x", 1_001))).rejects.toThrow(TaskEnded);
    pool.stop();
  });

  test("that throws fails for its caller alone", async () => {
    const pool = createPool({ clock: new ManualClock(), threads: 1 });
    await expect(pool.run(task("fails"), 0, of("x"))).rejects.toThrow("no");
    expect(await pool.run(task("echo"), 1, of("x"))).toBe(1);
    pool.stop();
  });

  test.each(["never", "spins"])(
    "that does not end (%s) is ended at its deadline; the next one is served",
    async (name) => {
      const clock = new ManualClock();
      const pool = createPool({ clock, threads: 1 });
      const stuck = pool.run(task(name), 0, of("x")).catch((error) => error);
      const behind = pool.run(task("echo"), "behind", of("x"));
      await clock.advance(1_000);
      expect(await stuck).toMatchObject({ reason: "time" });
      expect(await behind).toBe("behind");
      expect(pool.standing()).toMatchObject({ ended: 1, running: 0, waiting: 0 });
      pool.stop();
    },
  );

  test("that needs too much memory is ended, the longest running first", async () => {
    const clock = new ManualClock();
    let bytes = 100 * MEGABYTE;
    const pool = createPool({ clock, threads: 2, readMemory: () => bytes });
    const greedy = pool.run(task("never"), 0, of("x")).catch((error) => error);
    await clock.advance(50);
    const other = pool.run(task("never"), 0, of("y")).catch((error) => error);
    bytes = 600 * MEGABYTE;
    await clock.advance(50);
    expect(await greedy).toMatchObject({ reason: "memory" });
    expect(pool.standing().running).toBe(1);
    pool.stop();
    expect(await other).toBeInstanceOf(PoolFull);
  });

  test("whose thread exits is ended; the next one gets a new thread", async () => {
    const pool = createPool({ clock: new ManualClock(), threads: 1 });
    await expect(pool.run(task("exits"), 0, of("x"))).rejects.toMatchObject({ reason: "thread" });
    expect(await pool.run(task("echo"), 2, of("x"))).toBe(2);
    pool.stop();
  });
});

describe("between accounts", () => {
  test("turns go round: one with many tasks does not keep another waiting behind them", async () => {
    const clock = new ManualClock();
    const pool = createPool({ clock, threads: 1 });
    const order: string[] = [];
    const run = (account: string, n: number) =>
      pool.run(task("echo"), `${account}${n}`, of(account)).then((name) => order.push(name));
    await Promise.all([run("a", 1), run("a", 2), run("a", 3), run("b", 1), run("b", 2), run("c", 1)]);
    expect(order).toEqual(["a1", "a2", "b1", "c1", "a3", "b2"]);
    pool.stop();
  });

  test("one account never holds every thread", async () => {
    const pool = createPool({ clock: new ManualClock(), threads: 2 });
    const held = Array.from({ length: 3 }, () => pool.run(task("never"), 0, of("bad")).catch((error) => error));
    expect(await pool.run(task("echo"), "served", of("good"))).toBe("served");
    expect(pool.standing()).toMatchObject({ running: 1, waiting: 2 });
    pool.stop();
    for (const error of await Promise.all(held)) expect(error).toBeInstanceOf(PoolFull);
  });

  test("what finds no room is refused at once: per account, and in all", async () => {
    const pool = createPool({ clock: new ManualClock(), threads: 1, maxWaitingPerAccount: 2, maxWaiting: 3 });
    const run = (account: string) => pool.run(task("never"), 0, of(account));
    const held = ["bad", "bad", "bad"].map((account) => run(account).catch((error) => error));
    await expect(run("bad")).rejects.toThrow(PoolFull);
    held.push(run("good").catch((error) => error));
    await expect(run("third")).rejects.toThrow(PoolFull);
    expect(pool.standing()).toMatchObject({ running: 1, waiting: 3, refused: 2 });
    pool.stop();
    await Promise.all(held);
    await expect(run("late")).rejects.toThrow("stopping");
  });

  test("what waited too long is refused rather than done for nobody", async () => {
    const clock = new ManualClock();
    const pool = createPool({ clock, threads: 1 });
    const stuck = pool.run(task("never", { maxMs: 20_000 }), 0, of("a")).catch((error) => error);
    const late = pool.run(task("echo"), 0, of("b")).catch((error) => error);
    await clock.advance(20_000);
    expect(await stuck).toMatchObject({ reason: "time" });
    expect(await late).toBeInstanceOf(PoolFull);
    pool.stop();
  });
});
