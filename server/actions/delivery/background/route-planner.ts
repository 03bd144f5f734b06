// Plans routes on a thread of their own, a few at a time; more are refused until one is done.
import { Failure } from "../../../contract/errors.ts";
import { openThread } from "../../../lib/pool/index.ts";
import type { PlanInput, RoutePlan } from "../engine/routing/plan.ts";

export type PlanRoutes = (input: PlanInput) => Promise<RoutePlan>;

const MAX_THREADS = 2;
const MAX_WAITING = 8;
const SCRIPT = new URL("./route-thread.ts", import.meta.url).href;

export function createRoutePlanner(): PlanRoutes {
  let running = 0;
  const waiting: (() => void)[] = [];

  async function turn(): Promise<void> {
    if (running < MAX_THREADS) return void running++;
    if (waiting.length >= MAX_WAITING) {
      const detail = "More routes are being planned than this service can plan at a time.";
      throw new Failure("overloaded", detail, { headers: { "Retry-After": "5" } });
    }
    await new Promise<void>((go) => waiting.push(go));
  }

  return async (input) => {
    await turn();
    try {
      return await planOnThread(input);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}

function planOnThread(input: PlanInput): Promise<RoutePlan> {
  const { promise, resolve, reject } = Promise.withResolvers<RoutePlan>();
  const thread = openThread<{ plan?: RoutePlan; error?: string }>({
    script: SCRIPT,
    onMessage: ({ plan, error }) => (plan ? resolve(plan) : reject(new Error(error))),
    onEnd: (why) => reject(new Error(why)),
  });
  thread.post(input);
  return promise.finally(() => thread.end());
}
