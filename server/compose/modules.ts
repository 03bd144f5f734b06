// The actions and the modules of the platform that both the HTTP service and the background work need.
import { createAlerts } from "../actions/alerts/index.ts";
import { createDelivery } from "../actions/delivery/index.ts";
import { createDetector } from "../actions/detector/index.ts";
import { createShopping } from "../actions/shopping/index.ts";
import { createStock } from "../actions/stock/index.ts";
import type { Config } from "../config.ts";
import { events } from "../contracts.ts";
import { createRecount } from "../platform/caps/recount.ts";
import { createEvents, type EventStreams, type Follower } from "../platform/events/index.ts";
import { createInbox } from "../platform/inbox/index.ts";
import { createMailer } from "../lib/mail.ts";
import type { Module, Platform } from "../platform/platform.ts";
import { createWebhooks } from "../platform/webhooks/index.ts";
import { deliverySettings, stockOptions, userAgent } from "./options.ts";

/** The modules that both the HTTP service and the background work need. */
export function createShared(config: Config, platform: Platform, follower: Follower, streams: EventStreams): Module[] {
  const listed = events.filter((e) => !e.unlisted);
  const knownTypes = listed.map((e) => e.type);
  const retentionDays = config.EVENTS_RETENTION_DAYS;
  const { ALERTS_SMTP_URL: smtpUrl, ALERTS_MAIL_FROM: mailFrom } = config;
  const mailer = smtpUrl && mailFrom ? createMailer(smtpUrl, mailFrom) : null;
  return [
    createDelivery(platform, deliverySettings(config), mailer),
    createShopping(platform, {
      browser: config.SHOPPING_BROWSER ? { executable: config.SHOPPING_BROWSER, userAgent: userAgent(config) } : null,
    }),
    createStock(platform, stockOptions(config, platform)),
    createAlerts(platform, {
      follower,
      streams,
      knownTypes,
      retentionDays,
      mailer,
      publicAddress: config.PUBLIC_URL !== null,
      threads: config.ALERTS_SHARDS,
    }),
    createDetector(platform, {
      retentionDays: config.DETECTOR_RETENTION_DAYS,
    }),
    createEvents(platform, { follower, streams, knownTypes, retentionDays }),
    createRecount(platform),
    createWebhooks(platform, { follower, events: listed, retentionDays }),
    createInbox(platform, retentionDays),
  ];
}
