// How many batches of a tenant may run at a time, by plan: their items are kept until they are judged.
import type { Plan } from "../../../contract/define.ts";
import { Failure } from "../../../contract/errors.ts";
import type { Tx } from "../../../store/db.ts";
import { lockInTransaction } from "../../../store/locks.ts";
import { countOpenBatches } from "../store.ts";

const MAX_OPEN_BATCHES: Record<Plan, number> = { free: 3, plus: 10, max: 50 };

export async function refuseMoreBatches(tx: Tx, { tenantId, plan }: { tenantId: number; plan: Plan }): Promise<void> {
  const limit = MAX_OPEN_BATCHES[plan];
  // One at a time for each tenant, so that the count is exact.
  await lockInTransaction(tx, "cap", `detector_batches ${tenantId}`);
  if ((await countOpenBatches(tx, tenantId)) < limit) return;
  throw new Failure("plan_limit_reached", `The ${plan} plan runs ${limit} batches at a time.`, {
    hint: "Wait for the detector.batch_completed event of one of them, or move to a larger plan.",
  });
}
