// The only place that constructs and wires things; its parts lie in compose/.
import { createAlerts } from "./actions/alerts/index.ts";
import { createDelivery } from "./actions/delivery/index.ts";
import { createDetector } from "./actions/detector/index.ts";
import { createShopping } from "./actions/shopping/index.ts";
import { createStock } from "./actions/stock/index.ts";
import { openInfrastructure, type Overrides } from "./compose/infrastructure.ts";
import { createLimits } from "./compose/limits.ts";
import { createMcpModule } from "./compose/mcp.ts";
import { deliverySettings, stockOptions, userAgent } from "./compose/options.ts";
import type { Config } from "./config.ts";
import { buildOpenapi } from "./contract/openapi.ts";
import { contract, events } from "./contracts.ts";
import { createGate } from "./http/gate.ts";
import { createMetrics } from "./http/metrics.ts";
import { createApp, listen } from "./http/server.ts";
import { startWorker } from "./jobs/worker.ts";
import { createAccounts } from "./platform/accounts/index.ts";
import { createAuditRoutes } from "./platform/audit/routes.ts";
import {
  createEvents,
  createEventStreams,
  createFollower,
  type EventStreams,
  type Follower,
} from "./platform/events/index.ts";
import { createIdempotency } from "./platform/idempotency/index.ts";
import { createInbox } from "./platform/inbox/index.ts";
import { countDeadJobs, createJobRoutes } from "./platform/jobs/index.ts";
import { createAuthenticator, createKeys } from "./platform/keys/index.ts";
import { createMemoryLimits } from "./platform/limits/index.ts";
import { announceThresholds } from "./platform/limits/thresholds.ts";
import type { Module, Platform } from "./platform/platform.ts";
import { createUsage } from "./platform/usage/index.ts";
import { createUsageRoutes } from "./platform/usage/routes.ts";
import { countWaiting, createWebhooks } from "./platform/webhooks/index.ts";
import type { Db } from "./store/db.ts";

export interface Service {
  url: string;
  platform: Platform;
  /** For tests: learn of changed keys now rather than at the next poll. */
  refreshKeys(): Promise<void>;
  /** For tests: do everything that is due on the owned clock. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

/** The whole service, listening. */
export async function startService(config: Config, overrides: Overrides = {}): Promise<Service> {
  const infrastructure = await openInfrastructure(config, overrides, true);
  const { platform } = infrastructure;
  const { db, clock, log } = platform;
  let url = "";
  platform.publicUrl = () => config.PUBLIC_URL?.replace(/\/+$/, "") ?? url;

  const metrics = createMetrics();
  // A scrape must not fail because the store is away: that is when it is needed most.
  const asked = (read: () => Promise<number>) => () => read().catch(() => Number.NaN);
  metrics.gauge(
    "connector_jobs_dead",
    "Background jobs that failed for good",
    asked(() => countDeadJobs(db)),
  );
  metrics.gauge(
    "connector_webhook_retries",
    "Webhook deliveries that wait for another attempt",
    asked(() => countWaiting(db)),
  );
  const limits = announceThresholds(await createLimits(config, clock, log, metrics.quotaUndecided), platform);
  const authenticator = createAuthenticator(db, clock, platform.secret);
  await authenticator.poll();
  const usage = createUsage(db, clock, config.USAGE_FLUSH_MS, (error) =>
    log.error({ error: String(error) }, "usage could not be written; it is kept and tried again"),
  );
  const idempotency = createIdempotency(db);
  const stopForgetting = clock.every(
    3_600_000,
    () =>
      void idempotency
        .forgetOld(clock.now())
        .catch((error) => log.error({ error: String(error) }, "old idempotency records could not be removed")),
  );
  const addresses = new WeakMap<Request, string>();
  let server: ReturnType<typeof listen> | null = null;
  let stopping = false;
  const gate = createGate({
    clock,
    log,
    authenticator,
    limits,
    keyless: createMemoryLimits(clock),
    keylessPerMinute: config.KEYLESS_PER_MINUTE,
    usage,
    idempotency,
    metrics,
    makeId: platform.makeId,
    seal: platform.seal,
    maxBodyBytes: config.MAX_BODY_BYTES,
    logRequests: config.LOG_REQUESTS,
    docsUrl: () => `${platform.publicUrl()}/docs`,
    addressOf: (request) =>
      addresses.get(request) ?? addressOf(request, config.TRUST_PROXY, server?.requestIP(request)?.address),
  });
  const follower = createFollower(platform);
  const streams = createEventStreams(platform, follower);
  const shared = createShared(config, platform, follower, streams);
  const modules: Module[] = [
    ...shared,
    createAccounts(platform, { usage }),
    createKeys(platform, authenticator),
    createUsageRoutes(platform, usage),
    createAuditRoutes(platform),
    createJobRoutes(platform),
    createMcpModule({ config, platform, gate, authenticator, streams, serve }),
  ];
  /** Requests that a driver of our own sends, and where they really come from. */
  async function serve(request: Request, address: string): Promise<Response> {
    addresses.set(request, address);
    return app(request);
  }
  const app = createApp({
    gate,
    handlers: modules.flatMap((m) => m.handlers),
    corsOrigins: config.CORS_ORIGINS,
    root: {
      notReady: async () => [...(stopping ? ["shutting down"] : []), ...((await answers(db)) ? [] : ["store"])],
      scrape: metrics.scrape,
      metricsToken: config.METRICS_TOKEN,
      openapi: () => buildOpenapi(contract),
    },
  });
  await follower.start();
  for (const module of modules) await module.start?.();
  const work = config.WORK ? await startWork(config, platform, modules) : null;
  server = listen({ host: config.HOST, port: config.PORT, maxBodyBytes: 2 ** 30, fetch: app, onServer: () => {} });
  url = `http://${config.HOST.includes(":") ? `[${config.HOST}]` : config.HOST}:${server.port}`;

  return {
    url,
    platform,
    refreshKeys: authenticator.poll,
    async settle() {
      for (const module of modules) await module.settle?.();
    },
    async stop() {
      stopping = true;
      for (const module of modules) module.drain?.();
      const finished = server!.stop(false);
      const cancel = clock.after(config.SHUTDOWN_MS, () => void server!.stop(true));
      await finished;
      cancel();
      stopForgetting();
      authenticator.close();
      await work?.stop();
      for (const module of modules.toReversed()) await module.stop?.();
      await follower.stop();
      await usage.close();
      await limits.close();
      await infrastructure.close();
    },
  };
}

/** The modules that both the HTTP service and the background work need. */
function createShared(config: Config, platform: Platform, follower: Follower, streams: EventStreams): Module[] {
  const listed = events.filter((e) => !e.unlisted);
  const knownTypes = listed.map((e) => e.type);
  const retentionDays = config.EVENTS_RETENTION_DAYS;
  return [
    createDelivery(platform, deliverySettings(config)),
    createShopping(platform, {
      browser: config.SHOPPING_BROWSER ? { executable: config.SHOPPING_BROWSER, userAgent: userAgent(config) } : null,
    }),
    createStock(platform, stockOptions(config, platform)),
    createAlerts(platform, {
      follower,
      streams,
      retentionDays,
      smtpUrl: config.ALERTS_SMTP_URL,
      mailFrom: config.ALERTS_MAIL_FROM,
      publicAddress: config.PUBLIC_URL !== null,
      threads: config.ALERTS_SHARDS,
    }),
    createDetector(platform, {
      kernel: config.DETECTOR_KERNEL,
      retentionDays: config.DETECTOR_RETENTION_DAYS,
    }),
    createEvents(platform, { follower, streams, knownTypes, retentionDays }),
    createWebhooks(platform, { follower, events: listed, retentionDays }),
    createInbox(platform, retentionDays),
  ];
}

/** Background work of this process: the jobs of all modules, and their loops. */
async function startWork(config: Config, { db, clock, random, log }: Platform, modules: Module[]) {
  const jobs = modules.flatMap((m) => m.jobs ?? []);
  const worker = await startWorker({ db, jobs, concurrency: config.WORK_CONCURRENCY, clock, random, log });
  for (const module of modules) await module.loop?.start();
  return {
    async stop() {
      await worker.stop();
      for (const module of modules) await module.loop?.stop();
    },
  };
}

/** Background work alone, without HTTP: what `connector work` runs. */
export async function startWorkOnly(config: Config, overrides: Overrides = {}): Promise<{ stop(): Promise<void> }> {
  const infrastructure = await openInfrastructure(config, overrides);
  const follower = createFollower(infrastructure.platform);
  const streams = createEventStreams(infrastructure.platform, follower);
  const modules = createShared(config, infrastructure.platform, follower, streams);
  await follower.start();
  for (const module of modules) await module.start?.();
  const work = await startWork(config, infrastructure.platform, modules);
  return {
    async stop() {
      await work.stop();
      for (const module of modules.toReversed()) await module.stop?.();
      await follower.stop();
      await infrastructure.close();
    },
  };
}

function addressOf(request: Request, proxies: number, direct: string | undefined): string {
  if (proxies > 0) {
    const forwarded =
      request.headers
        .get("x-forwarded-for")
        ?.split(",")
        .map((part) => part.trim()) ?? [];
    const client = forwarded.at(-proxies);
    if (client) return client;
  }
  return direct ?? "unknown";
}

async function answers(db: Db): Promise<boolean> {
  try {
    await db.sql`select 1`;
    return true;
  } catch {
    return false;
  }
}
