// The only place that constructs and wires things.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { hkdfSync } from "node:crypto";
import { join, resolve } from "node:path";
import pino, { type Logger } from "pino";
import { createAlerts } from "./actions/alerts/index.ts";
import { createDelivery, type DeliverySettings } from "./actions/delivery/index.ts";
import { createDetector } from "./actions/detector/index.ts";
import { createShopping } from "./actions/shopping/index.ts";
import { createStock, type StockOptions } from "./actions/stock/index.ts";
import type { Config } from "./config.ts";
import { renderOpenapi } from "./contract/openapi.ts";
import { events, routes } from "./contracts.ts";
import { createGate } from "./http/gate.ts";
import { createMetrics } from "./http/metrics.ts";
import { createApp, listen } from "./http/server.ts";
import { migrateJobs, startWorker } from "./jobs/worker.ts";
import { type Clock, systemClock } from "./lib/clock.ts";
import { createCursors } from "./lib/cursor.ts";
import { createGuardFetch } from "./lib/guard-fetch/index.ts";
import { createIdMaker } from "./lib/id.ts";
import { type Random, systemRandom } from "./lib/random.ts";
import { createSeal } from "./lib/seal.ts";
import { createAccounts } from "./platform/accounts/index.ts";
import { createAudit } from "./platform/audit/index.ts";
import { createAuditRoutes } from "./platform/audit/routes.ts";
import { createEvents, createFollower, type Follower } from "./platform/events/index.ts";
import { createIdempotency } from "./platform/idempotency/index.ts";
import { createInbox } from "./platform/inbox/index.ts";
import { createJobRoutes } from "./platform/jobs/routes.ts";
import { createAuthenticator, createKeys } from "./platform/keys/index.ts";
import { createMemoryLimits, createRedisLimits, type Limits, windowMs } from "./platform/limits/index.ts";
import { announceThresholds } from "./platform/limits/thresholds.ts";
import type { Module, Platform } from "./platform/platform.ts";
import { createUsage } from "./platform/usage/index.ts";
import { createUsageRoutes } from "./platform/usage/routes.ts";
import { createWebhooks } from "./platform/webhooks/index.ts";
import { connect, type Db } from "./store/db.ts";
import { type Embedded, startEmbedded } from "./store/embedded.ts";
import { migrate } from "./store/migrate.ts";

/** What a test may own instead of the machine. */
export interface Overrides {
  clock?: Clock;
  random?: Random;
  log?: Logger;
}

/** The store and what stands on it, without any door: what the command line works on. */
export interface Ground {
  platform: Platform;
  embedded: Embedded | null;
  close(): Promise<void>;
}

/** `owner` is the service itself, which also ends a database that a killed service left behind. */
export async function openGround(config: Config, overrides: Overrides = {}, owner = false): Promise<Ground> {
  const clock = overrides.clock ?? systemClock;
  const random = overrides.random ?? systemRandom;
  const log = overrides.log ?? createLog(config);
  mkdirSync(resolve(config.DATA_DIR), { recursive: true });
  const secret = readSecret(config, random);
  const embedded = config.DATABASE_URL ? null : await startEmbedded(config.DATA_DIR, systemClock, random);
  let db: Db;
  try {
    db = await connect({
      url: config.DATABASE_URL ?? embedded!.url,
      pool: config.DATABASE_POOL,
      timeoutMs: config.DATABASE_TIMEOUT_MS,
    });
    await migrate(db);
    await migrateJobs(db.url, log);
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
  const makeId = createIdMaker(clock, random);
  const sealKey = Buffer.from(hkdfSync("sha256", secret, "", "seal", 32));
  const platform: Platform = {
    db,
    clock,
    random,
    makeId,
    log,
    secret,
    cursors: createCursors(secret),
    audit: createAudit(makeId),
    seal: createSeal({ current: "1", keys: { "1": sealKey } }, random),
    guard: createGuardFetch({
      clock: systemClock,
      userAgent: userAgent(config),
      allowLoopback: config.ALLOW_LOOPBACK,
      allowNetworks: config.ALLOW_NETWORKS,
    }),
    publicUrl: () => config.PUBLIC_URL?.replace(/\/+$/, "") ?? "",
  };
  const close = async () => {
    platform.guard.close();
    await db.close();
    if (embedded && (owner || !embedded.adopted)) await embedded.stop();
  };
  return { platform, embedded, close };
}

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
  const ground = await openGround(config, overrides, true);
  const { platform } = ground;
  const { db, clock, log } = platform;
  let url = "";
  platform.publicUrl = () => config.PUBLIC_URL?.replace(/\/+$/, "") ?? url;

  const metrics = createMetrics();
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
  let server: ReturnType<typeof listen> | null = null;
  let stopping = false;
  const gate = createGate({
    clock,
    log,
    authenticator,
    limits,
    usage,
    idempotency,
    metrics,
    makeId: platform.makeId,
    seal: platform.seal,
    maxBodyBytes: config.MAX_BODY_BYTES,
    logRequests: config.LOG_REQUESTS,
    docsUrl: () => `${platform.publicUrl()}/docs`,
    addressOf: (request) => addressOf(request, config.TRUST_PROXY, server?.requestIP(request)?.address),
  });
  const follower = createFollower(platform);
  const shared = createShared(config, platform, follower);
  const modules: Module[] = [
    ...shared,
    createAccounts(platform, { usage, principalOf: gate.visitOf }),
    createKeys(platform, authenticator),
    createUsageRoutes(platform, usage),
    createAuditRoutes(platform),
    createJobRoutes(platform),
  ];
  const app = createApp({
    gate,
    handlers: modules.flatMap((m) => m.handlers),
    corsOrigins: config.CORS_ORIGINS,
    root: {
      notReady: async () => [...(stopping ? ["shutting down"] : []), ...((await answers(db)) ? [] : ["store"])],
      scrape: metrics.scrape,
      openapi: () => renderOpenapi(routes, events),
    },
  });
  await follower.start();
  for (const module of modules) await module.start?.();
  const work = config.WORK ? await startWork(config, platform, modules) : null;
  server = listen({ host: config.HOST, port: config.PORT, mostBodyBytes: 2 ** 30, fetch: app, onServer: () => {} });
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
      await ground.close();
    },
  };
}

/** The modules that both the HTTP service and the background work need. */
function createShared(config: Config, platform: Platform, follower: Follower): Module[] {
  const knownTypes = events.map((e) => e.type);
  const retentionDays = config.EVENTS_RETENTION_DAYS;
  return [
    createDelivery(platform, deliverySettings(config)),
    createShopping(platform, {
      browser: config.SHOPPING_BROWSER ? { executable: config.SHOPPING_BROWSER, userAgent: userAgent(config) } : null,
    }),
    createStock(platform, stockOptions(config, platform)),
    createAlerts(platform, { follower, retentionDays, smtpUrl: config.ALERTS_SMTP_URL, mailFrom: config.ALERTS_MAIL_FROM, publicAddress: config.PUBLIC_URL !== null }),
    createDetector(platform),
    createEvents(platform, { follower, knownTypes, retentionDays }),
    createWebhooks(platform, { follower, knownTypes, retentionDays }),
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
  const ground = await openGround(config, overrides);
  const follower = createFollower(ground.platform);
  const modules = createShared(config, ground.platform, follower);
  await follower.start();
  for (const module of modules) await module.start?.();
  const work = await startWork(config, ground.platform, modules);
  return {
    async stop() {
      await work.stop();
      for (const module of modules.toReversed()) await module.stop?.();
      await follower.stop();
      await ground.close();
    },
  };
}

function deliverySettings(config: Config): DeliverySettings {
  const {
    DOORDASH_DEVELOPER_ID,
    DOORDASH_KEY_ID,
    DOORDASH_SIGNING_SECRET,
    UBER_CUSTOMER_ID,
    UBER_CLIENT_ID,
    UBER_CLIENT_SECRET,
  } = config;
  const trim = (url: string) => url.replace(/\/+$/, "");
  return {
    providers:
      config.DELIVERY_PROVIDERS.length > 0
        ? config.DELIVERY_PROVIDERS
        : ["fleet", "doordash", "uber_direct", "onfleet"],
    doordash:
      DOORDASH_DEVELOPER_ID && DOORDASH_KEY_ID && DOORDASH_SIGNING_SECRET
        ? {
            url: trim(config.DOORDASH_URL),
            developerId: DOORDASH_DEVELOPER_ID,
            keyId: DOORDASH_KEY_ID,
            signingSecret: DOORDASH_SIGNING_SECRET,
            webhookAuthorization: config.DOORDASH_WEBHOOK_AUTHORIZATION,
          }
        : null,
    uberDirect:
      UBER_CUSTOMER_ID && UBER_CLIENT_ID && UBER_CLIENT_SECRET
        ? {
            url: trim(config.UBER_URL),
            loginUrl: trim(config.UBER_LOGIN_URL),
            customerId: UBER_CUSTOMER_ID,
            clientId: UBER_CLIENT_ID,
            clientSecret: UBER_CLIENT_SECRET,
            webhookKey: config.UBER_WEBHOOK_KEY,
          }
        : null,
    onfleet: config.ONFLEET_API_KEY
      ? { url: trim(config.ONFLEET_URL), apiKey: config.ONFLEET_API_KEY, webhookSecret: config.ONFLEET_WEBHOOK_SECRET }
      : null,
    nominatimUrl: config.NOMINATIM_URL && trim(config.NOMINATIM_URL),
    photonUrl: config.PHOTON_URL && trim(config.PHOTON_URL),
    osrmUrl: config.OSRM_URL && trim(config.OSRM_URL),
    valhallaUrl: config.VALHALLA_URL && trim(config.VALHALLA_URL),
    maxKm: config.DELIVERY_MAX_KM,
    testSpeed: config.DELIVERY_TEST_SPEED,
    geodataDir: join(resolve(config.DATA_DIR), "geodata"),
  };
}

/** Who we are to the pages and endpoints we call. */
function userAgent(config: Config): string {
  return `ActionConnector/1.0${config.PUBLIC_URL ? ` (+${config.PUBLIC_URL})` : ""}`;
}

async function createLimits(config: Config, clock: Clock, log: Logger, count: () => void): Promise<Limits> {
  if (!config.REDIS_URL) return createMemoryLimits(clock);
  const onAbsence = (error: unknown) => {
    count();
    log.error(
      { error: String(error), choice: config.QUOTA_WITHOUT_REDIS },
      "Redis cannot be reached: quotas are not counted",
    );
  };
  return createRedisLimits({ url: config.REDIS_URL, windowMs, without: config.QUOTA_WITHOUT_REDIS, onAbsence });
}

function createLog(config: Config): Logger {
  return pino(
    { level: config.LOG, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ fd: 2, sync: true }),
  );
}

/** The pepper of stored keys; losing it makes every key invalid, so it lives beside the data. */
function readSecret(config: Config, random: Random): string {
  if (config.SECRET) {
    if (config.SECRET.length < 32)
      throw new Error(
        "CONNECTOR_SECRET is shorter than 32 characters. Mend: use e.g. the output of openssl rand -hex 32.",
      );
    return config.SECRET;
  }
  const file = join(resolve(config.DATA_DIR), "secret");
  if (!existsSync(file))
    writeFileSync(file, Buffer.from(random.bytes(new Uint8Array(32))).toString("hex"), { mode: 0o600, flag: "wx" });
  return readFileSync(file, "utf8").trim();
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

function stockOptions(config: Config, platform: Platform): StockOptions {
  return {
    fetch: platform.guard.fetch,
    timeoutMs: config.STOCK_TIMEOUT_MS,
    hedgeMs: config.STOCK_HEDGE_MS,
    closures: () =>
      config.STOCK_CLOSURES && existsSync(config.STOCK_CLOSURES)
        ? JSON.parse(readFileSync(config.STOCK_CLOSURES, "utf8"))
        : [],
    providers: {
      order: config.STOCK_PROVIDERS,
      urls: config.STOCK_PROVIDER_URLS,
      alpaca: { key: config.STOCK_ALPACA_KEY, secret: config.STOCK_ALPACA_SECRET, feed: config.STOCK_ALPACA_FEED },
      finnhubToken: config.STOCK_FINNHUB_TOKEN,
      tiingoToken: config.STOCK_TIINGO_TOKEN,
      yahooAccepted: config.STOCK_YAHOO_UNOFFICIAL,
      twelveData: { key: config.STOCK_TWELVE_DATA_KEY, delaySeconds: config.STOCK_TWELVE_DATA_DELAY_SECONDS },
      massive: { key: config.STOCK_MASSIVE_KEY, plan: config.STOCK_MASSIVE_PLAN },
    },
  };
}
