// Background work of alerts: a loop that sends, tells, polls and follows the event log, and the hourly forgetting.
import type { Logger } from "pino";
import type { Clock } from "../../../lib/clock.ts";
import type { Job } from "../../../platform/jobs/index.ts";
import type { Follower } from "../../../platform/events/index.ts";
import type { Db } from "../../../store/db.ts";
import { EVENTS } from "../spec/spec.ts";
import { ofEvent } from "../spec/content.ts";
import type { Intake } from "./intake.ts";
import type { LiveIndex } from "./index/live-index.ts";
import { forgetOld, lockPosition, readEventsAfter, savePosition } from "../store/log.ts";

export interface WorkParts {
  db: Db;
  clock: Clock;
  log: Logger;
  follower: Follower;
  index: LiveIndex;
  intake: Intake;
  tellDue(): Promise<void>;
  sendDue(): Promise<number>;
  pollDue(): Promise<number>;
  retentionDays: number;
}

const TICK_MS = 1000;
const PAGE = 500;

export function createWork(parts: WorkParts) {
  const { db, clock, log, follower, index, intake, tellDue, sendDue, pollDue, retentionDays } = parts;
  const stops: (() => void)[] = [];
  let running: Promise<void> | null = null;
  let again = false;

  /** Matches what is new in the event log; the position moves in the same transaction, so each event counts once. */
  async function followEvents(): Promise<void> {
    const horizon = await follower.horizon();
    for (let more = true; more; ) {
      more = await db.sql.begin(async (tx) => {
        const at = await lockPosition(tx);
        if (at === null) {
          await savePosition(tx, horizon);
          return false;
        }
        if (at >= horizon) return false;
        const rows = await readEventsAfter(tx, at, horizon, PAGE);
        const contents = rows.map(ofEvent);
        const tenants = rows.map((row) => row.tenantId);
        const matching = await index.ofTenants(tenants, EVENTS, contents);
        const arrivals = contents
          .map((content, i) => ({ content, numbers: matching[i] }))
          .filter((a) => a.numbers.length > 0);
        await intake.take(tx, arrivals, clock.now());
        await savePosition(tx, rows.length === PAGE ? rows.at(-1)!.seq : horizon);
        return rows.length === PAGE;
      });
    }
  }

  async function round(): Promise<void> {
    for (const work of [followEvents, tellDue, pollDue, sendDue]) {
      await work().catch((error: unknown) =>
        log.error({ error: String(error) }, "background work of alerts failed; tried again"),
      );
    }
  }

  /** Does everything that is due; calls while it runs lead to one more round. */
  function run(): Promise<void> {
    again = true;
    running ??= (async () => {
      while (again) {
        again = false;
        await round();
      }
    })().finally(() => {
      running = null;
    });
    return running;
  }

  const forget: Job = {
    name: "alerts.forget",
    cron: "41 * * * *",
    run: () => forgetOld(db, clock.now(), retentionDays),
  };

  return {
    run,
    jobs: [forget],
    loop: {
      start(): void {
        stops.push(
          clock.every(TICK_MS, () => void run()),
          follower.onNews(() => void run()),
        );
      },
      async stop(): Promise<void> {
        for (const stop of stops.splice(0)) stop();
        again = false;
        await running;
      },
    },
    /** True while the loop runs here. */
    get active() {
      return stops.length > 0;
    },
  };
}
