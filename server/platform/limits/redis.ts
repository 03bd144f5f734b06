// The ring of ring.ts as a script inside Redis or Valkey, so that any number of replicas count as one.
// Time is the server's own, and never goes back within a subject even when that server's clock is set.
import { RedisClient } from "bun";
import { createHash } from "node:crypto";
import { Failure } from "../../contract/errors.ts";
import { within } from "../../lib/deadline.ts";
import type { Limits, Verdict } from "./port.ts";

/** KEYS[1] the subject's list of times in microseconds; ARGV limit, window in ms, 1 to count or 0 to ask. */
const SCRIPT = `
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
const SCRIPT_HASH = createHash("sha1").update(SCRIPT).digest("hex");

const ANSWER_MS = 1_000;
/** A server that hangs must not hang our callers. */
const answered = <T>(answer: Promise<T>) => within(ANSWER_MS, "Redis", answer);

export interface RedisLimitsOptions {
  url: string;
  windowMs: number;
  /** `closed` answers 503 while Redis is away; `open` lets requests pass uncounted. */
  without: "closed" | "open";
  /** Called for every request that was decided without Redis. */
  onUndecided(): void;
  /** Called once when Redis is lost, with the reason, and once when it is back, with how many were decided without it. */
  onLost(reason: string): void;
  onBack(undecided: number): void;
}

export async function createRedisLimits(options: RedisLimitsOptions): Promise<Limits> {
  const client = new RedisClient(options.url, {
    connectionTimeout: ANSWER_MS,
    maxRetries: 1_000_000,
    enableOfflineQueue: false,
  });
  /** Requests decided without Redis since it was lost; null while it answers. */
  let undecided: number | null = null;
  let reason = "not connected";
  client.onclose = (error) => (reason = error?.message ?? reason);
  // The client goes on trying by itself; a start must not wait for it longer than a request would.
  await answered(client.connect()).catch(lost);

  function lost(error: unknown): void {
    const said = (error as Error).message;
    // A refused password shows in what the server last said, not in the closed connection that follows.
    if (/WRONGPASS|NOAUTH|NOPERM/.test(said)) reason = said;
    if (undecided === null) options.onLost(/^not connected|Connection (has )?closed/i.test(said) ? reason : said);
    undecided ??= 0;
  }

  function answeredAgain(): void {
    if (undecided === null) return;
    options.onBack(undecided);
    undecided = null;
  }

  async function evaluate(args: string[]): Promise<Verdict> {
    if (!client.connected) throw new Error("not connected");
    let reply: number[];
    try {
      reply = await answered(client.send("EVALSHA", [SCRIPT_HASH, ...args]));
    } catch (error) {
      if (!String((error as Error).message).includes("NOSCRIPT")) throw error;
      reply = await answered(client.send("EVAL", [SCRIPT, ...args]));
    }
    answeredAgain();
    return { admitted: Number(reply[0]) === 1, remaining: Number(reply[1]), resetMs: Number(reply[2]) / 1000 };
  }

  async function ask(subject: string, limit: number, count: "0" | "1"): Promise<Verdict> {
    try {
      return await evaluate(["1", `acn:quota:${subject}`, String(limit), String(options.windowMs), count]);
    } catch (error) {
      lost(error);
      undecided! += 1;
      options.onUndecided();
      if (options.without === "open") return { admitted: true, remaining: limit, resetMs: 0 };
      throw new Failure("overloaded", "Quotas cannot be counted right now.", {
        headers: { "Retry-After": "1" },
        cause: error,
        expected: true,
      });
    }
  }

  return {
    admit: (subject, limit) => ask(subject, limit, "1"),
    peek: (subject, limit) => ask(subject, limit, "0"),
    /** Where requests pass uncounted, an absent Redis stops nobody. */
    async trouble() {
      if (options.without === "open") return null;
      const answers = client.connected && (await answered(client.ping()).then(Boolean, () => false));
      return answers ? null : "redis";
    },
    close: async () => client.close(),
  };
}
