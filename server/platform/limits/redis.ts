// The ring of ring.ts as a script inside Redis or Valkey, so that any number of replicas count as one.
// Time is the server's own, and never goes back within a subject even when that server's clock is set.
import { RedisClient } from "bun";
import { createHash } from "node:crypto";
import { Failure } from "../../contract/errors.ts";
import { systemClock } from "../../lib/clock.ts";
import type { Limits } from "./index.ts";
import type { Verdict } from "./ring.ts";

/** KEYS[1] the subject's list of times in microseconds; ARGV limit, window in ms, 1 to count or 0 to ask. */
const script = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local limit, window = tonumber(ARGV[1]), tonumber(ARGV[2]) * 1000
local last = redis.call('LINDEX', KEYS[1], -1)
if last and tonumber(last) > now then now = tonumber(last) end
local first = redis.call('LINDEX', KEYS[1], 0)
while first and tonumber(first) <= now - window do
  redis.call('LPOP', KEYS[1])
  first = redis.call('LINDEX', KEYS[1], 0)
end
local count = redis.call('LLEN', KEYS[1])
local admitted = 0
if count < limit then
  admitted = 1
  if ARGV[3] == '1' then
    redis.call('RPUSH', KEYS[1], string.format('%.0f', now))
    redis.call('PEXPIRE', KEYS[1], window / 1000 + 1000)
    count = count + 1
    first = first or now
  end
end
local reset = 0
if first then reset = tonumber(first) + window - now end
return {admitted, math.max(0, limit - count), reset}
`;
const scriptHash = createHash("sha1").update(script).digest("hex");

const patienceMs = 1_000;

/** A server that hangs must not hang our callers. */
function within<T>(answer: Promise<T>): Promise<T> {
  answer.catch(() => {});
  return new Promise((done, fail) => {
    const cancel = systemClock.after(patienceMs, () => fail(new Error(`Redis did not answer within ${patienceMs} ms`)));
    answer.then(done, fail).finally(cancel);
  });
}

export interface RedisLimitsOptions {
  url: string;
  windowMs: number;
  /** `closed` answers 503 while Redis is away; `open` lets requests pass uncounted. */
  without: "closed" | "open";
  /** Called whenever a request was decided without Redis: never silent. */
  onAbsence(error: unknown): void;
}

export async function createRedisLimits(options: RedisLimitsOptions): Promise<Limits> {
  const client = new RedisClient(options.url, {
    connectionTimeout: 1_000,
    maxRetries: 1_000_000,
    enableOfflineQueue: false,
  });
  // The client goes on trying by itself; a start must not wait for it longer than a request would.
  await within(client.connect()).catch(options.onAbsence);

  async function evaluate(args: string[]): Promise<Verdict> {
    if (!client.connected) throw new Error("not connected to Redis");
    let reply: number[];
    try {
      reply = await within(client.send("EVALSHA", [scriptHash, ...args]));
    } catch (error) {
      if (!String((error as Error).message).includes("NOSCRIPT")) throw error;
      reply = await within(client.send("EVAL", [script, ...args]));
    }
    return { admitted: Number(reply[0]) === 1, remaining: Number(reply[1]), resetMs: Number(reply[2]) / 1000 };
  }

  async function ask(subject: string, limit: number, count: "0" | "1"): Promise<Verdict> {
    try {
      return await evaluate(["1", `acn:quota:${subject}`, String(limit), String(options.windowMs), count]);
    } catch (error) {
      options.onAbsence(error);
      if (options.without === "open") return { admitted: true, remaining: limit, resetMs: 0 };
      throw new Failure("overloaded", "Quotas cannot be counted right now.", {
        headers: { "Retry-After": "1" },
        cause: error,
      });
    }
  }

  return {
    admit: (subject, limit) => ask(subject, limit, "1"),
    peek: (subject, limit) => ask(subject, limit, "0"),
    close: async () => client.close(),
  };
}
