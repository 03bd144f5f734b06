// The only place that constructs and wires things; its parts lie in compose/.
import { createClients } from "./compose/address.ts";
import { createConsole } from "./compose/console.ts";
import { openInfrastructure, type Overrides } from "./compose/infrastructure.ts";
import { createLimits, createMachineLimits } from "./compose/limits.ts";
import { createMcpModule } from "./compose/mcp.ts";
import { createShared } from "./compose/modules.ts";
import { forward, isKeptByFirst } from "./compose/forward.ts";
import { observe } from "./compose/observe.ts";
import { planCaps } from "./compose/options.ts";
import { describeConfig } from "./compose/settings.ts";
import type { Config } from "./config.ts";
import { contract } from "./contracts.ts";
import { makeDocument } from "./docs/documents.ts";
import { createDocs } from "./docs/routes.ts";
import { createGate } from "./http/gate.ts";
import { createMetrics, type Metrics } from "./http/metrics.ts";
import { createApp, listen } from "./http/server.ts";
import { startWorker } from "./jobs/worker.ts";
import { type Clock, sleep } from "./lib/clock.ts";
import { createLoop, type Loop } from "./lib/loop.ts";
import { HOUR_MS } from "./lib/time.ts";
import { createAccounts } from "./platform/accounts/index.ts";
import { createAuditRoutes } from "./platform/audit/routes.ts";
import { type Caps, createCaps } from "./platform/caps/index.ts";
import { createEventStreams, createFollower } from "./platform/events/index.ts";
import { createIdempotency, type Idempotency } from "./platform/idempotency/index.ts";
import { createJobRoutes } from "./platform/jobs/index.ts";
import { createAuthenticator, createKeys } from "./platform/keys/index.ts";
import type { Limits } from "./platform/limits/index.ts";
import { announceThresholds } from "./platform/limits/thresholds.ts";
import type { Module, Platform } from "./platform/platform.ts";
import { createOperatorRoutes, type OperatorDeps } from "./platform/accounts/operator/routes.ts";
import { createProviderRoutes } from "./platform/accounts/operator/providers/routes.ts";
import { createRequestLog, type RequestLog } from "./platform/usage/requests/index.ts";
import { createRequestRoutes } from "./platform/usage/requests/routes.ts";
import { retentionNow } from "./platform/retention/index.ts";
import { createUsage, type Usage } from "./platform/usage/index.ts";
import { createUsageRoutes } from "./platform/usage/routes.ts";

export interface Service {
  url: string;
  platform: Platform;
  /** For tests: learn of changed keys now rather than at the next poll. */
  refreshKeys(): Promise<void>;
  /** For tests: do everything that is due on the owned clock. */
  settle(): Promise<void>;
  /** Answers a request as if it came from this address. */
  serve(request: Request, address: string): Promise<Response>;
  /** Where the embedded store lies; null for one elsewhere. */
  storeFolder: string | null;
  /** The metrics of this process alone. */
  scrape: Metrics["scrape"];
  /** First shows the load balancer that it ends (not ready, `Connection: close`), then finishes what is in flight; see CONNECTOR_DRAIN_MS. */
  stop(options?: {
    drain?: boolean;
    /** Others that need the store until then. */
    lastUser?: Promise<void>;
  }): Promise<void>;
}

/** The whole service, listening. */
export async function startService(config: Config, overrides: Overrides = {}): Promise<Service> {
  let url = "";
  let server: ReturnType<typeof listen> | null = null;
  let stopping = false;
  const firstSocket = overrides.group?.firstSocket ?? null;
  const infrastructure = await openInfrastructure(config, overrides, { owner: true, publicUrl: () => url });
  const { platform, health, droppedLines } = infrastructure;
  const { db, clock, log, pool } = platform;
  const metrics = createMetrics();
  const limits = await openLimits(config, platform, metrics, overrides);
  const authenticator = createAuthenticator(db, clock, platform.secret);
  await authenticator.poll();
  const usage = openUsage(config, platform);
  const requests = openRequestLog(config, platform);
  const caps = await openCaps(config, platform);
  const idempotency = createIdempotency(db);
  const forgetting = forgetOldRecords(idempotency, platform);
  const clients = createClients(config.TRUST_PROXY, (request) => server?.requestIP(request)?.address);
  const gate = createGate({
    ...gateSettings(config, platform, overrides),
    authenticator,
    limits,
    usage,
    requests,
    idempotency,
    metrics,
    refuseWrites: health.refuseWrites,
    addressOf: clients.addressOf,
  });
  const console = createConsole({ platform, gate, comesFrom: clients.comesFrom });
  const follower = createFollower(platform);
  const streams = createEventStreams(platform, follower);
  const modules: Module[] = [
    ...createShared(config, platform, follower, streams),
    createAccounts(platform, { usage, caps }),
    createKeys(platform, { authenticator, retentionDays: config.KEYS_RETENTION_DAYS }),
    createUsageRoutes(platform, usage),
    ...operatorModules(config, platform, requests, { notReady, freeBytes: health.freeBytes }),
    createMcpModule({ config, platform, gate, authenticator, streams, serve }),
    { handlers: createDocs({ contract, publicUrl: platform.publicUrl }) },
    console.module,
  ];
  async function serve(request: Request, address: string): Promise<Response> {
    return app(clients.comesFrom(request, address));
  }
  /** Requests of the console's page become REST requests of the key it is signed in with. */
  function fetchOrTranslate(request: Request): Response | Promise<Response> {
    if (firstSocket && isKeptByFirst(request)) return forward(firstSocket, request, clients.addressOf(request));
    const translated = console.translate(request);
    return app(translated ? clients.comesFrom(translated, clients.addressOf(request)) : request);
  }
  async function notReady(): Promise<string[]> {
    const [missing, quota] = await Promise.all([health.missing(), limits.trouble()]);
    return [...(stopping ? ["shutting down"] : []), ...missing, ...(quota ? [quota] : [])];
  }
  const root = {
    notReady,
    scrape: overrides.group?.scrapeAll ?? metrics.scrape,
    metricsToken: config.METRICS_TOKEN,
    openapi: (form: "json" | "yaml") => makeDocument(`openapi.${form}`),
  };
  const app = createApp({ gate, root, handlers: modules.flatMap((m) => m.handlers), corsOrigins: config.CORS_ORIGINS });
  await follower.start();
  for (const module of modules) await module.start?.();
  const work = config.WORK ? await startWork(config, platform, modules) : null;
  const where = { host: config.HOST, port: config.PORT, shared: overrides.group !== undefined };
  server = listen({ ...where, fetch: fetchOrTranslate, isDraining: () => stopping });
  url = `http://${config.HOST.includes(":") ? `[${config.HOST}]` : config.HOST}:${server.port}`;
  const stopObserving = observe({ db, log, metrics, health, pool, droppedLines, streams, gate });

  async function stop({ drain = true, lastUser = Promise.resolve() } = {}): Promise<void> {
    stopping = true;
    for (const module of modules) module.drain?.();
    if (drain && config.DRAIN_MS > 0) await sleep(clock, config.DRAIN_MS);
    await closeServer(server!, clock, config.SHUTDOWN_MS);
    await forgetting.stop();
    await caps.stop();
    stopObserving();
    authenticator.close();
    await work?.stop();
    for (const module of modules.toReversed()) await module.stop?.();
    await follower.stop();
    await Promise.all([usage.close(), requests.close(), limits.close()]);
    await lastUser;
    await infrastructure.close();
  }

  const own = { serve, scrape: metrics.scrape, storeFolder: infrastructure.embedded?.folder ?? null };
  return { url, platform, ...own, refreshKeys: authenticator.poll, settle: () => settleAll(modules), stop };
}

async function openLimits(config: Config, platform: Platform, metrics: Metrics, { group }: Overrides): Promise<Limits> {
  const { clock, log } = platform;
  const parts = { clock, log, count: metrics.quotaUndecided, shared: group?.limits ?? null };
  return announceThresholds(await createLimits(config, parts), platform);
}

async function openCaps(config: Config, platform: Platform): Promise<Caps> {
  const caps = createCaps(platform, planCaps(config));
  await caps.start();
  return caps;
}

/** What shows how the service is: to operators, and to every account what concerns it. */
function operatorModules(
  config: Config,
  platform: Platform,
  requests: RequestLog,
  health: Omit<OperatorDeps, "settings">,
): Module[] {
  return [
    createRequestRoutes(platform, requests),
    createProviderRoutes(platform),
    createOperatorRoutes(platform, { settings: describeConfig(config), ...health }),
    createAuditRoutes(platform),
    createJobRoutes(platform),
  ];
}

/** The log of requests; what cannot be written of it is lost, and said so. */
function openRequestLog(config: Config, platform: Platform): RequestLog {
  const { db, clock, log } = platform;
  return createRequestLog({
    db,
    clock,
    flushMs: config.USAGE_FLUSH_MS,
    days: config.REQUEST_LOG_DAYS,
    retentionNow: () => retentionNow(platform, "request-log"),
    onError: (error) =>
      log.error({ error: String(error) }, "a part of the request log could not be written and is lost"),
  });
}

function openUsage(config: Config, { db, clock, log }: Platform): Usage {
  return createUsage(db, clock, config.USAGE_FLUSH_MS, (error) =>
    log.error({ error: String(error) }, "usage could not be written; it is kept and tried again"),
  );
}

async function settleAll(modules: Module[]): Promise<void> {
  for (const module of modules) await module.settle?.();
}

/** What the gate takes from the settings, the platform and the other processes alone. */
function gateSettings(config: Config, platform: Platform, { group }: Overrides) {
  const { clock, log, makeId, seal, pool, publicUrl } = platform;
  return {
    clock,
    log,
    makeId,
    seal,
    pool,
    keyless: createMachineLimits(clock, group?.limits ?? null),
    keylessPerMinute: config.KEYLESS_PER_MINUTE,
    maxBodyBytes: config.MAX_BODY_BYTES,
    logRequests: config.LOG_REQUESTS,
    docsUrl: () => `${publicUrl()}/docs`,
  };
}

/** Lets requests in flight finish for as long as they may take, then cuts the rest. */
async function closeServer(server: ReturnType<typeof listen>, clock: Clock, maxMs: number): Promise<void> {
  const finished = server.stop(false);
  const cancel = clock.after(maxMs, () => void server.stop(true));
  await finished;
  cancel();
}

/** Removes idempotency records that are past their day, every hour. */
function forgetOldRecords(idempotency: Idempotency, { clock, log }: Platform): Loop {
  const loop = createLoop({
    clock,
    everyMs: HOUR_MS,
    run: async () => void (await idempotency.forgetOld(clock.now())),
    onError: (error) => log.error({ error: String(error) }, "old idempotency records could not be removed"),
  });
  loop.start();
  return loop;
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
