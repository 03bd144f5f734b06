// Removes pictures of proof when their retention ends, and the record of moves that no phone sends again.
import { DAY_MS } from "../../../lib/time.ts";
import type { Job } from "../../../platform/jobs/index.ts";
import type { Platform } from "../../../platform/platform.ts";
import { retentionNow } from "../../../platform/retention/index.ts";
import type { DeliveryStore } from "../store/index.ts";

/** A phone that was offline for longer than this may send a move twice. */
const MOVE_DAYS = 30;

export interface ForgetDeps {
  platform: Platform;
  store: DeliveryStore;
}

export const forgetJob = ({ platform, store }: ForgetDeps, proofDays: number): Job => ({
  name: "delivery.forget",
  cron: "23 4 * * *",
  async run(_, { log }) {
    const nowMs = await retentionNow(platform, "delivery.forget");
    const count = await store.pictures.forget(new Date(nowMs - proofDays * DAY_MS));
    await store.courierMoves.forget(new Date(nowMs - MOVE_DAYS * DAY_MS));
    if (count > 0) log.info({ count }, "old pictures of proof were removed");
  },
});
