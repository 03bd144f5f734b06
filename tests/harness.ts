// The service as tests meet it: real PostgreSQL, real HTTP, an owned clock, and every answer checked against its contract.
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setDefaultTimeout } from "bun:test";
import pino from "pino";
import { Compile } from "typebox/compile";
import { startService, type Service } from "../server/compose.ts";
import type { Overrides } from "../server/compose/infrastructure.ts";
import { type Config, readConfig } from "../server/config.ts";
import { type Mode, type Plan, type Route, type Scope, SCOPES } from "../server/contract/define.ts";
import { routes } from "../server/contracts.ts";
import { type Clock, ManualClock, systemUptimeOffsetMs } from "../server/lib/clock.ts";
import { type Random, seededRandom } from "../server/lib/random.ts";
import { openAccount } from "../server/platform/accounts/index.ts";
import { makeSharedFile } from "../server/platform/limits/index.ts";
import { issueKey } from "../server/platform/keys/index.ts";
import { freshDatabase } from "./database.ts";

// The first harness of a process makes a database cluster, which takes a while on a busy machine.
setDefaultTimeout(120_000);

export interface HarnessOptions {
  /** The owned clock unless told otherwise; it stands at 2026-11-01T12:00:00Z until a test moves it. */
  clock?: Clock;
  random?: Random;
  config?: Partial<Config>;
  /** Another harness's store, to run a second replica on it. */
  databaseUrl?: string;
}

export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body, or null when it is not JSON. */
  body: any;
}

export interface Account {
  id: string;
  testKey: string;
  liveKey: string;
}

export interface Harness {
  url: string;
  databaseUrl: string;
  service: Service;
  clock: ManualClock;
  /** A test key with every scope on the max plan. */
  key: string;
  account: Account;
  openAccount(plan?: Plan): Promise<Account>;
  makeKey(
    account: Account,
    options?: { mode?: Mode; scopes?: Scope[]; expiresAt?: Date; ipAllowlist?: string[] },
  ): Promise<string>;
  /** Calls under /api/v1 (or a whole path that begins with //), with the harness's key unless told otherwise. */
  call(
    method: string,
    path: string,
    options?: { key?: string | null; body?: unknown; headers?: Record<string, string> },
  ): Promise<Reply>;
  stop(): Promise<void>;
}

export async function startHarness(options: HarnessOptions = {}): Promise<Harness> {
  const databaseUrl = options.databaseUrl ?? (await freshDatabase());
  const folder = mkdtempSync(join(tmpdir(), "connector-test-"));
  const clock = options.clock ?? new ManualClock("2026-11-01T12:00:00Z");
  const config = {
    ...readConfig({}, "/no/such/file"),
    PORT: 0,
    DATA_DIR: folder,
    DATABASE_URL: databaseUrl,
    DATABASE_POOL: 6,
    WORK: false,
    DRAIN_MS: 0,
    SECRET: "a secret for tests, long enough to be one",
    ...options.config,
  } as Config;
  const service = await startReplicas(config, {
    clock,
    random: options.random ?? seededRandom(databaseUrl + folder),
    log: pino({ level: "silent" }),
  });
  const { platform } = service;

  const openOne = async (plan: Plan = "max"): Promise<Account> => {
    const order = { name: "Ada", email: "ada@example.com", plan, scopes: [...SCOPES], actor: "operator" };
    const made = await platform.db.sql.begin((tx) => openAccount(platform, tx, order, platform.clock.now()));
    return { id: made.account.user_id, testKey: made.test_key.key, liveKey: made.live_key.key };
  };
  const account = await openOne();
  return {
    url: service.url,
    databaseUrl,
    service,
    clock: clock as ManualClock,
    key: account.testKey,
    account,
    openAccount: openOne,
    async makeKey(
      owner,
      { mode = "test", scopes: wanted = [...SCOPES], expiresAt = null, ipAllowlist = [] }: any = {},
    ) {
      return platform.db.sql.begin(async (tx) => {
        const [tenant] = await tx`select id from tenants where account_id = ${owner.id} and mode = ${mode}`;
        const expiresMs = expiresAt?.getTime() ?? null;
        const who = { accountId: owner.id, tenantId: tenant.id, mode, createdBy: null };
        const order = { ...who, name: "k", scopes: wanted, expiresMs, ipAllowlist };
        return (await issueKey(platform, tx, order, platform.clock.now())).key;
      });
    },
    async call(method, path, { key = account.testKey, body, headers = {} } = {}) {
      const address = path.startsWith("//") ? service.url + path.slice(1) : `${service.url}/api/v1${path}`;
      const given: Record<string, string> = { ...(key === null ? {} : { Authorization: `Bearer ${key}` }), ...headers };
      if (body !== undefined && !("Content-Type" in headers)) given["Content-Type"] = "application/json";
      const payload =
        body === undefined || typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
      const response = await fetch(address, { method, headers: given, body: payload as BodyInit, redirect: "manual" });
      return checked(method, new URL(address).pathname, response);
    },
    async stop() {
      await service.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * The service; with CONNECTOR_TEST_PROCESSES=2 twice on one port, as two processes of one machine are: connections fall to
 * either of them, and both count quotas in the same memory.
 */
async function startReplicas(config: Config, overrides: Overrides): Promise<Service> {
  if (process.env.CONNECTOR_TEST_PROCESSES !== "2" || config.REDIS_URL) return startService(config, overrides);
  const limitsFile = join(config.DATA_DIR, "limits");
  makeSharedFile(limitsFile);
  const scrapeAll = async () => {
    const [{ contentType, text }, other] = await Promise.all([first.scrape(), second.scrape()]);
    return { contentType, text: `${text}\n${other.text}` };
  };
  const limits = { file: limitsFile, offsetMs: systemUptimeOffsetMs() };
  const group = { limits, storeFolder: null, firstSocket: null, scrapeAll };
  const first: Service = await startService(config, { ...overrides, group });
  const PORT = Number(new URL(first.url).port);
  const random = seededRandom(`${config.DATA_DIR} second`);
  const second: Service = await startService({ ...config, PORT, WORK: false }, { ...overrides, random, group });
  return {
    ...first,
    async refreshKeys() {
      await first.refreshKeys();
      await second.refreshKeys();
    },
    stop: (options) => first.stop({ ...options, lastUser: second.stop(options) }),
  };
}

/** The reply is this refusal; else the message shows all of what came instead. */
export function expectError(reply: Reply, status: number, code: string): void {
  const got = { status: reply.status, code: reply.body?.error?.code ?? null };
  if (got.status !== status || got.code !== code)
    throw new Error(`expected ${status} ${code}, got ${got.status} ${got.code}: ${reply.text.slice(0, 2000)}`);
}

const patterns = routes
  .map((route) => {
    const path = (route.mount === "root" ? "" : "(?:/api)?/v1") + route.path.replace(/\{\w+\}/g, "[^/]+");
    return {
      route,
      pattern: new RegExp(`^${path}$`),
      check: route.answer && route.mount !== "root" ? Compile(route.answer) : null,
      literal: !route.path.includes("{"),
    };
  })
  .sort((a, b) => Number(b.literal) - Number(a.literal));

/** The route that serves a path, or null. */
export function routeOf(method: string, path: string): Route | null {
  return patterns.find((p) => p.route.method === method && p.pattern.test(path))?.route ?? null;
}

/** For the audit: this route really gave this status in this run. */
export function noteSeen(routeId: string, status: number): void {
  if (process.env.CONNECTOR_TEST_SEEN) appendFileSync(process.env.CONNECTOR_TEST_SEEN, `${routeId} ${status}\n`);
}

/** Notes the status for the audit, and refuses an answer that its contract does not describe. */
async function checked(method: string, path: string, response: Response): Promise<Reply> {
  const text = await response.text();
  const isJson = /json/.test(response.headers.get("content-type") ?? "");
  const reply: Reply = {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text ? JSON.parse(text) : null,
  };
  const found = patterns.find((p) => p.route.method === method && p.pattern.test(path));
  if (!found) return reply;
  noteSeen(found.route.id, response.status);
  if (response.status < 300 && found.check && isJson && !found.check.Check(reply.body?.data)) {
    throw new Error(
      `${method} ${path} answered what its contract does not describe: ${JSON.stringify(found.check.Errors(reply.body?.data).slice(0, 5))}\n${text.slice(0, 2000)}`,
    );
  }
  return reply;
}
