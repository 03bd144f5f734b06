// Webhooks: what a person makes and changes, and the dispatcher that carries events to them.
import type { EventType } from "../../contract/define.ts";
import { DAY_MS } from "../../lib/time.ts";
import type { Follower } from "../events/index.ts";
import type { Module, Platform } from "../platform.ts";
import { retentionNow } from "../retention/index.ts";
import { createDispatcher } from "./dispatcher.ts";
import { webhookRoutes } from "./routes.ts";
import { createSender } from "./sender.ts";
import { createServe } from "./serve.ts";
import { forgetAttempts } from "./store/attempts.ts";
import { clampPositions } from "./store/webhooks.ts";

export { countWaiting } from "./store/webhooks.ts";

export interface WebhooksOptions {
  follower: Follower;
  /** The event types a webhook may ask for, and can be tested with. */
  events: EventType[];
  retentionDays: number;
}

export function createWebhooks(platform: Platform, { follower, events, retentionDays }: WebhooksOptions): Module {
  const { db, clock, log } = platform;
  const sender = createSender(platform);
  const serve = createServe({ ...platform, sender, follower });
  const dispatcher = createDispatcher({ db, clock, log, follower, serve });
  return {
    handlers: webhookRoutes({ platform, follower, sender, events }),
    jobs: [
      {
        name: "webhooks.forget",
        cron: "27 * * * *",
        run: async () => forgetAttempts(db, (await retentionNow(platform, "webhooks.forget")) - retentionDays * DAY_MS),
      },
    ],
    start: () => clampPositions(db),
    loop: dispatcher,
    settle: dispatcher.settle,
    stop: dispatcher.stop,
  };
}
