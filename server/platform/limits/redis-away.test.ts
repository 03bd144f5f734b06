// Redis that is not there, or refuses us: one line for the loss and one for the return, however many requests there were.
import { expect, test } from "bun:test";
import { createServer } from "node:net";
import { createRedisLimits } from "./index.ts";

function recorder(url: string, without: "closed" | "open") {
  const said: string[] = [];
  let undecided = 0;
  const limits = createRedisLimits({
    url,
    windowMs: 60_000,
    without,
    onUndecided: () => void undecided++,
    onLost: (reason) => void said.push(`lost: ${reason}`),
    onBack: (count) => void said.push(`back after ${count}`),
  });
  return { limits, said, undecided: () => undecided };
}

/** A port that nobody listens on. */
async function freePort(): Promise<number> {
  const server = createServer();
  const port = await new Promise<number>((done) =>
    server.listen(0, "127.0.0.1", () => done((server.address() as { port: number }).port)),
  );
  await new Promise((closed) => server.close(closed));
  return port;
}

test("closed: every request is 503 and readiness names redis; it is said once", async () => {
  const { limits: opening, said, undecided } = recorder(`redis://127.0.0.1:${await freePort()}`, "closed");
  const limits = await opening;
  const results = await Promise.allSettled(Array.from({ length: 50 }, () => limits.admit("t1", 10)));
  expect(results.every((r) => r.status === "rejected" && r.reason.code === "overloaded")).toBe(true);
  expect([said.length, undecided(), await limits.trouble()]).toEqual([1, 50, "redis"]);
  await limits.close();
});

test("open: requests pass uncounted, and an absent Redis keeps nobody out", async () => {
  const { limits: opening, said, undecided } = recorder(`redis://127.0.0.1:${await freePort()}`, "open");
  const limits = await opening;
  for (let i = 0; i < 20; i++) expect((await limits.admit("t1", 10)).admitted).toBe(true);
  expect([said.length, undecided(), await limits.trouble()]).toEqual([1, 20, null]);
  await limits.close();
});
