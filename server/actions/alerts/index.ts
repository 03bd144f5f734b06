// Alerts, as the rest of the service may see them.
import type { Follower } from "../../platform/events/index.ts";
import type { Module, Platform } from "../../platform/platform.ts";
import { createWork } from "./background/work.ts";
import { createHttpSender } from "./providers/http-channels.ts";
import { createMailSender } from "./providers/mail.ts";
import { createDesk } from "./routes/edit-alert.ts";
import { createMoves } from "./routes/moves.ts";
import { createReading } from "./routes/history.ts";
import { createService } from "./routes/alerts.ts";
import { createStore } from "./store/alerts.ts";
import { createDue } from "./background/due.ts";
import { createIntake } from "./background/intake.ts";
import { createLiveIndex } from "./background/index/live-index.ts";
import { createOutbox } from "./background/outbox.ts";
import { createPolling } from "./background/polling.ts";

export interface AlertsOptions {
  follower: Follower;
  retentionDays: number;
  /** Both, or no mail is sent by live keys. */
  smtpUrl: string | null;
  mailFrom: string | null;
  /** Whether hubs can reach us: the operator has said under which address. */
  publicAddress: boolean;
  /** Threads that share the matching; 0: the main one does it. */
  threads: number;
}

export function createAlerts(
  platform: Platform,
  { follower, retentionDays, smtpUrl, mailFrom, publicAddress, threads }: AlertsOptions,
): Module {
  const { db, clock, random, makeId, seal, log, guard } = platform;
  const publicUrl = () => platform.publicUrl();
  const store = createStore(db);
  const index = createLiveIndex({ db, clock, log, threads });
  const intake = createIntake({ store, makeId, publicUrl });
  const mail = smtpUrl && mailFrom ? createMailSender({ smtpUrl, from: mailFrom, publicUrl }) : null;
  const { sendDue } = createOutbox({
    db,
    clock,
    random,
    makeId,
    seal,
    log,
    store,
    http: createHttpSender(guard),
    mail,
    publicUrl,
  });
  const { tellDue } = createDue({ db, clock, makeId, store, intake, publicUrl, onExpired: index.refresh });
  const kick = () => {
    if (work.active) void work.run();
  };
  const reachable = () => (publicAddress ? publicUrl() : null);
  const { pollDue, handlers: hubs } = createPolling({
    db,
    clock,
    random,
    log,
    guard,
    index,
    intake,
    seal,
    publicUrl: reachable,
    kick,
  });
  const work = createWork({ db, clock, log, follower, index, intake, tellDue, sendDue, pollDue, retentionDays });
  const desk = createDesk({ platform, store, index, kick });
  const reading = createReading({ platform, store, index, intake, follower, kick });
  return {
    // The stream's address must be tried before that of an alert.
    handlers: [
      ...reading.handlers,
      ...hubs,
      ...createMoves({ platform, store, index, desk, intake, kick }),
      ...createService({ platform, store, index, desk, intake, hasMail: mail !== null, kick }),
    ],
    jobs: work.jobs,
    start: () => index.start(),
    loop: work.loop,
    settle: () => work.run(),
    drain: reading.drain,
    async stop() {
      mail?.close();
      await index.stop();
    },
  };
}
