// Wires alerts together for the rest of the service.
import type { EventStreams, Follower } from "../../platform/events/index.ts";
import type { Mailer } from "../../lib/mail.ts";
import type { Module, Platform } from "../../platform/platform.ts";
import { createLiveIndex } from "./background/index/live-index.ts";
import { createBackground } from "./background/loop.ts";
import { createHttpSender } from "./providers/http-channels.ts";
import { createMailSender } from "./providers/mail.ts";
import type { Sender } from "./providers/port.ts";
import { alertRoutes } from "./routes/alerts.ts";
import { contentRoutes } from "./routes/content.ts";
import type { AlertsContext } from "./routes/context.ts";
import { historyRoutes } from "./routes/history.ts";
import { mailRoutes } from "./routes/mail.ts";
import { moveRoutes } from "./routes/moves.ts";
import { previewRoutes } from "./routes/preview.ts";
import { streamRoutes } from "./routes/stream.ts";
import { websubRoutes } from "./routes/websub.ts";

export interface AlertsOptions {
  follower: Follower;
  streams: EventStreams;
  /** Every event type of the service. */
  knownTypes: string[];
  retentionDays: number;
  /** Null where the operator set no mail server: live keys then send no mail. */
  mailer: Mailer | null;
  /** Whether the operator set a public address, so that WebSub hubs can reach this service. */
  publicAddress: boolean;
  /** Threads that share the matching. */
  threads: number;
}

export function createAlerts(platform: Platform, options: AlertsOptions): Module {
  const { db, clock, log, guard } = platform;
  const { follower, mailer } = options;
  const publicUrl = () => platform.publicUrl();
  const index = createLiveIndex({ db, clock, log, threads: options.threads });
  const mail = mailer && createMailSender({ mailer, publicUrl });
  const settings = ["ALERTS_SMTP_URL", "ALERTS_MAIL_FROM"];
  platform.providers.list({ action: "alerts", name: "smtp", kind: "mail", settings, configured: mail !== null });
  const background = createBackground({
    ...platform,
    publicUrl,
    index,
    follower,
    mail: mail && watchedMail(platform, mail),
    http: createHttpSender(guard),
    hubCallbackUrl: () => (options.publicAddress ? publicUrl() : null),
    onExpired: index.refresh,
    retentionDays: options.retentionDays,
  });
  const context: AlertsContext = {
    platform,
    index,
    knownTypes: options.knownTypes,
    hasMail: mail !== null,
    wake: background.wake,
  };
  return {
    // The stream's path must be tried before the path of one alert.
    handlers: [
      ...streamRoutes(context, options.streams),
      ...historyRoutes(context),
      ...contentRoutes(context),
      ...previewRoutes(context),
      ...mailRoutes(context),
      ...websubRoutes(context),
      ...moveRoutes(context),
      ...alertRoutes(context),
    ],
    jobs: background.jobs,
    start: () => index.start(),
    loop: background.loop,
    settle: background.settle,
    async stop() {
      mailer?.close();
      await index.stop();
    },
  };
}

/** Counts how sending mail went; a refused address is the receiver's fault, no failure of the mail server. */
function watchedMail({ providers }: Platform, mail: Sender): Sender {
  return {
    async send(target, outgoing) {
      const result = await mail.send(target, outgoing);
      providers.record("smtp", result.ok || result.gone ? null : result.error);
      return result;
    },
  };
}
