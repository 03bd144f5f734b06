// What is slow for one account keeps nobody else waiting.
import { expect, test } from "bun:test";
import { ManualClock } from "./clock.ts";
import { accountsWithShare, workFairly } from "./fair-work.ts";

interface Thing {
  account: number;
  run(): Promise<void>;
}

/** Works off a list; says what was under way at most, by account, and what failed. */
function start(things: Thing[], concurrency: number) {
  const queue = [...things];
  const counts = new Map<number, number>();
  const most = new Map<number, number>();
  const errors: unknown[] = [];
  const ended = workFairly<Thing>(
    {
      clock: new ManualClock("2026-11-01T12:00:00Z"),
      concurrency,
      async claim(limit, without) {
        const chosen = queue.filter(({ account }) => !without.includes(account)).slice(0, limit);
        for (const thing of chosen) queue.splice(queue.indexOf(thing), 1);
        return chosen;
      },
      accountOf: ({ account }) => account,
      async work({ account, run }) {
        counts.set(account, (counts.get(account) ?? 0) + 1);
        most.set(account, Math.max(most.get(account) ?? 0, counts.get(account)!));
        try {
          await run();
        } finally {
          counts.set(account, counts.get(account)! - 1);
        }
      },
      onError: (error) => errors.push(error),
    },
    new AbortController().signal,
  );
  return { ended, most, errors };
}

test("all of another account is done while everything of one hangs", async () => {
  const { promise: letGo, resolve: release } = Promise.withResolvers<void>();
  const { promise: othersDone, resolve: onOthers } = Promise.withResolvers<void>();
  let done = 0;
  const slow = Array.from({ length: 100 }, () => ({ account: 1, run: () => letGo }));
  const quick = Array.from({ length: 30 }, () => ({
    account: 2,
    run: async () => {
      if (++done === 30) onOthers();
    },
  }));
  const { ended, most } = start([...slow, ...quick], 8);
  await othersDone;
  expect(most.get(1)).toBeLessThan(8);
  release();
  await ended;
  expect(done).toBe(30);
});

test("a thing that fails stops no other, and all are done", async () => {
  let done = 0;
  const things = Array.from({ length: 50 }, (_, i) => ({
    account: i % 3,
    async run() {
      done++;
      if (i % 5 === 0) throw new Error(`thing ${i}`);
    },
  }));
  const { ended, errors } = start(things, 4);
  await ended;
  expect(done).toBe(50);
  expect(errors).toHaveLength(10);
});

test("a share leaves room for one more account", () => {
  expect(accountsWithShare([], 8)).toEqual([]);
  expect(accountsWithShare([1, 1, 1], 8)).toEqual([]);
  expect(accountsWithShare([1, 1, 1, 1], 8)).toEqual([1]);
  expect(accountsWithShare([1, 1, 1, 2], 8)).toEqual([1]);
  expect(accountsWithShare([1, 2, 3, 4, 5, 6, 7, 8], 8)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});
