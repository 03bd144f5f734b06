// How far back data is kept. A job's own clock follows the system's by at most two days a run: after a jump of the system
// clock there is time to correct it before much is lost, and after a long stop a job catches up within hours.
import { DAY_MS } from "../../lib/time.ts";
import type { Platform } from "../platform.ts";
import { advanceClock } from "./store.ts";

/** More than a day, so that a job that runs once a day never lags. */
const MAX_STEP_MS = 2 * DAY_MS;

/** What the retention job `name` regards as now. */
export async function retentionNow(
  { db, clock, log }: Pick<Platform, "db" | "clock" | "log">,
  name: string,
): Promise<number> {
  const now = clock.now();
  const reached = await advanceClock(db, name, now, MAX_STEP_MS);
  if (reached < now)
    log.warn(
      { job: name, behind_days: Math.round((now - reached) / DAY_MS) },
      "the clock has moved by more than two days since the last run; old data is removed two days a run. Hint: check the system clock.",
    );
  return reached;
}
