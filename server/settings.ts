// The table of settings: name, type, default, bounds and what it does. config.ts reads their values; help and docs show them.

type Kind = "text" | "number" | "switch" | "choice" | "list";

export interface Setting {
  kind: Kind;
  default: string | number | boolean | string[] | null;
  doc: string;
  choices?: readonly string[];
  min?: number;
  max?: number;
  /** Never printed. */
  secret?: true;
}

interface Of<T> extends Setting {
  /** Carries the type of the value and nothing else. */
  value?: T;
}

const text = <T extends string | null>(fallback: T, doc: string): Of<T extends null ? string | null : string> => ({
  kind: "text",
  default: fallback,
  doc,
});
const secret = (doc: string): Of<string | null> => ({ kind: "text", default: null, doc, secret: true });
const number = (fallback: number, min: number, max: number, doc: string): Of<number> => ({
  kind: "number",
  default: fallback,
  min,
  max,
  doc,
});
const toggle = (fallback: boolean, doc: string): Of<boolean> => ({ kind: "switch", default: fallback, doc });
const choice = <const T extends string>(fallback: NoInfer<T>, choices: readonly T[], doc: string): Of<T> => ({
  kind: "choice",
  default: fallback,
  choices,
  doc,
});
const list = (doc: string): Of<string[]> => ({ kind: "list", default: [], doc });

/** In the file the same names stand in lower case without the prefix: CONNECTOR_DATA_DIR is data_dir. */
export const settings = {
  PORT: number(8080, 0, 65_535, "The port to listen on; 0 takes a free one."),
  HOST: text("127.0.0.1", "The address to listen on; 0.0.0.0 opens the service to the network."),
  DATA_DIR: text("./data", "Where the embedded database, the first keys and generated secrets live."),
  DATABASE_URL: secret(
    "A PostgreSQL 15 or newer, e.g. postgres://user:password@host/name. Without it the embedded one runs.",
  ),
  DATABASE_POOL: number(10, 1, 200, "Connections to the database per process."),
  DATABASE_TIMEOUT_MS: number(10_000, 100, 600_000, "The longest a single statement may run."),
  REDIS_URL: secret(
    "A Redis or Valkey for quotas over several replicas, e.g. redis://host:6379. Without it each process counts alone.",
  ),
  QUOTA_WITHOUT_REDIS: choice(
    "closed",
    ["closed", "open"],
    "When Redis is unreachable: closed answers 503, open lets requests pass uncounted (and says so in the log and in /metrics).",
  ),
  SECRET: secret(
    "The pepper of stored keys and the root of other secrets, 32 characters or more. Without it one is made in DATA_DIR. All replicas need the same.",
  ),
  PUBLIC_URL: text(null, "The address people reach the service at, e.g. https://api.example.com; used in links."),
  METRICS_TOKEN: secret(
    "What a scraper of /metrics must send as its bearer token. Without it only this machine may scrape.",
  ),
  KEYLESS_PER_MINUTE: number(
    600,
    1,
    1_000_000,
    "Requests a minute and address (IPv6: per /64) to what needs no key: tracking and courier pages, links in mails, documents.",
  ),
  TRUST_PROXY: number(
    0,
    0,
    10,
    "How many proxies stand in front: the client address is taken that many places from the right of X-Forwarded-For.",
  ),
  MCP_AUTHORIZATION_SERVERS: list(
    "OAuth 2.1 authorization servers that hosted MCP clients are sent to, comma-separated.",
  ),
  CORS_ORIGINS: list("Origins whose pages may call the API, comma-separated; * allows all."),
  MAX_BODY_BYTES: number(1_048_576, 1_024, 67_108_864, "The largest request body, unless a route says otherwise."),
  LOG: choice(
    "info",
    ["debug", "info", "warn", "error", "silent"],
    "How much to log, as JSON lines on standard error.",
  ),
  LOG_REQUESTS: choice(
    "failures",
    ["all", "failures", "none"],
    "Which requests get a log line; failures are answers of 500 and above.",
  ),
  DRAIN_MS: number(
    3_000,
    0,
    600_000,
    "How long a stop goes on serving, with /health/ready at 503 and Connection: close, so that load balancers look elsewhere first.",
  ),
  DISK_RESERVE_MB: number(
    128,
    0,
    1_048_576,
    "With the embedded database: below this much free space nothing more is stored (503) until there is room again; 0 turns it off.",
  ),
  SHUTDOWN_MS: number(10_000, 0, 600_000, "How long a stop waits for requests in flight after the drain."),
  PROCESSES: number(
    0,
    0,
    64,
    "How many processes serve the port (Linux; elsewhere one). 0: one less than there are cores, and at least one.",
  ),
  WORK: toggle(true, "Whether `connector start` also does the background work; false leaves it to `connector work`."),
  WORK_CONCURRENCY: number(8, 1, 100, "How many background jobs one process runs at a time."),
  POOL_THREADS: number(
    0,
    0,
    64,
    "Threads for foreign bytes (pages, feeds, files, large bodies), started when needed; 0: one per core, two at least.",
  ),
  PLAN_CAPS: list(
    "Other caps of what a plan stores, each plan.kind=rows/megabytes, e.g. free.alerts=500/20; the kinds are those of limits in GET /user/profile.",
  ),
  KEYS_RETENTION_DAYS: number(90, 1, 3_650, "How long a key that was revoked or has expired is still listed."),
  EVENTS_RETENTION_DAYS: number(30, 3, 3_650, "How long events, webhook attempts and the sandbox inbox are kept."),
  ALLOW_LOOPBACK: list(
    "Loopback targets that webhooks, feeds and product pages may reach, e.g. 127.0.0.1:9000 (localhost:9000 is then the same); nothing else on this machine can be reached.",
  ),
  ALLOW_NETWORKS: list(
    "Private networks that webhooks, feeds and product pages may reach, e.g. 10.1.0.0/16; metadata services stay closed.",
  ),
  STOCK_PROVIDERS: list(
    "Who live keys get quotes from, in order: alpaca, finnhub, twelve_data, massive, tiingo, yahoo. Empty: every one whose key is set.",
  ),
  STOCK_COUNTRY: text(
    null,
    "The country (ISO 3166, e.g. US) whose line is meant when a symbol is listed in several; without it such a symbol is refused as ambiguous.",
  ),
  STOCK_ALPACA_KEY: secret("Key id of Alpaca market data."),
  STOCK_ALPACA_SECRET: secret("Secret of that key."),
  STOCK_ALPACA_FEED: choice(
    "iex",
    ["iex", "sip", "delayed_sip"],
    "Which Alpaca feed the plan includes: iex is one venue, sip the whole market.",
  ),
  STOCK_FINNHUB_TOKEN: secret("Token of Finnhub."),
  STOCK_TWELVE_DATA_KEY: secret("Key of Twelve Data."),
  STOCK_TWELVE_DATA_DELAY_SECONDS: number(
    -1,
    -1,
    86_400,
    "How late the Twelve Data plan is; -1 when not known, which every quote then says.",
  ),
  STOCK_MASSIVE_KEY: secret("Key of Massive (formerly Polygon.io)."),
  STOCK_MASSIVE_PLAN: choice(
    "starter",
    ["starter", "developer", "advanced"],
    "The Massive plan; only advanced is real-time.",
  ),
  STOCK_TIINGO_TOKEN: secret("Token of Tiingo."),
  STOCK_YAHOO_UNOFFICIAL: toggle(
    false,
    "Allows the provider yahoo, which is no official source and whose terms are yours to read.",
  ),
  STOCK_PROVIDER_URLS: list(
    "Other addresses than the public ones, e.g. alpaca=http://127.0.0.1:9000 for a proxy; NAME_stream for its WebSocket.",
  ),
  STOCK_TIMEOUT_MS: number(5_000, 100, 60_000, "How long a provider may take before the next one is asked."),
  STOCK_HEDGE_MS: number(
    300,
    10,
    60_000,
    "Until latencies are known: how long before a second provider is asked as well.",
  ),
  STOCK_CLOSURES: text(
    null,
    "A JSON file of ad-hoc closures and changed hours, read again every minute: [{mic, date, kind: closed|open|hours, open, close, reason}].",
  ),
  DETECTOR_RETENTION_DAYS: number(90, 1, 3_650, "How long kept analyses and batches of the detector stay."),
  USAGE_FLUSH_MS: number(
    2_000,
    100,
    60_000,
    "How often usage counts are written; a kill -9 loses at most this much of them.",
  ),
  REQUEST_LOG_DAYS: number(
    7,
    0,
    90,
    "How long the request log of GET /usage/requests keeps a request; bodies are never kept. 0 logs none.",
  ),
  ALERTS_SMTP_URL: secret(
    "The mail server for alerts by e-mail, e.g. smtp://user:password@mail.example.com:587. Without it live keys cannot use that channel.",
  ),
  ALERTS_MAIL_FROM: text(
    null,
    "The sender of alert mails, e.g. Alerts <alerts@example.com>; its domain should sign with DKIM.",
  ),
  ALERTS_SHARDS: number(
    1,
    1,
    64,
    "Threads that share the stored alerts and match content against them; more than one is worth it from about a million alerts on.",
  ),
  DELIVERY_PROVIDERS: list(
    "Who is asked for a courier, in this order, of fleet, doordash, uber_direct, onfleet; all that are set up unless given.",
  ),
  DELIVERY_MAX_KM: number(150, 1, 20_000, "The longest straight-line distance of a delivery."),
  DELIVERY_TEST_SPEED: number(
    60,
    1,
    100_000,
    "How many times faster than real time the simulated couriers of test keys are.",
  ),
  DELIVERY_PROOF_DAYS: number(365, 1, 3_650, "How long photographs and signatures of deliveries are kept, in days."),
  DOORDASH_DEVELOPER_ID: text(null, "DoorDash Drive: the developer id."),
  DOORDASH_KEY_ID: text(null, "DoorDash Drive: the key id."),
  DOORDASH_SIGNING_SECRET: secret("DoorDash Drive: the signing secret, as the developer portal shows it."),
  DOORDASH_WEBHOOK_AUTHORIZATION: secret(
    "DoorDash Drive: the Authorization header that it is configured to send to /hooks/delivery/doordash; without it reports are refused.",
  ),
  DOORDASH_URL: text("https://openapi.doordash.com", "DoorDash Drive: where it answers."),
  UBER_CUSTOMER_ID: text(null, "Uber Direct: the customer id."),
  UBER_CLIENT_ID: text(null, "Uber Direct: the client id."),
  UBER_CLIENT_SECRET: secret("Uber Direct: the client secret."),
  UBER_WEBHOOK_KEY: secret(
    "Uber Direct: the signing key of the webhook to /hooks/delivery/uber_direct; without it reports are refused.",
  ),
  UBER_URL: text("https://api.uber.com", "Uber Direct: where it answers."),
  UBER_LOGIN_URL: text("https://login.uber.com", "Uber Direct: where tokens come from."),
  ONFLEET_API_KEY: secret("Onfleet: the API key."),
  ONFLEET_WEBHOOK_SECRET: secret(
    "Onfleet: the webhook secret in hex; without it reports to /hooks/delivery/onfleet are refused.",
  ),
  ONFLEET_URL: text("https://onfleet.com", "Onfleet: where it answers."),
  NOMINATIM_URL: text(null, "A Nominatim that sharpens addresses, e.g. https://nominatim.example.com."),
  PHOTON_URL: text(null, "A Photon that sharpens addresses."),
  OSRM_URL: text(null, "An OSRM that times the drive."),
  VALHALLA_URL: text(null, "A Valhalla that times the drive."),
  SHOPPING_BROWSER: text(
    null,
    "The path of a Chromium that renders product pages which show no price without scripts, e.g. /usr/bin/chromium; off unless given.",
  ),
} satisfies Record<string, Of<unknown>>;

type ValueOf<S> = S extends Of<infer T> ? T : never;
export type Config = { readonly [K in keyof typeof settings]: ValueOf<(typeof settings)[K]> };
