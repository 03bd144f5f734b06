// The three SDKs as the questions of peers.mjs use them, and the local server that answers them.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export const [, , peersFolder, ourFolder, child] = process.argv;
const require = createRequire(join(peersFolder, "x.js"));
const load = async (path) => import(pathToFileURL(path).href);
export const folderOf = (name) => join(peersFolder, "node_modules", name);
export const ours = await load(join(ourFolder, "dist/esm/index.js"));
const { default: Stripe } = await load(require.resolve("stripe"));
const { default: OpenAI } = await load(require.resolve("openai"));

const KEY = "sk_test_thisIsTheSecretKey";
const OUR_KEY = "acn_test_thisIsTheSecretKey";
const ORDER = { pickup: { address: "350 5th Ave", time: "2026-12-01T15:00:00Z" }, dropoff: { address: "Brooklyn" } };
export const CHAT = { model: "m", messages: [{ role: "user", content: "hi" }] };
export const WRONG = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
export const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/** How each SDK is made and called. */
export const sdks = {
  ours: {
    folder: ourFolder,
    logVariable: ["ACTION_CONNECTOR_LOG", "info"],
    make: (port, more) => new ours.ActionConnector({ apiKey: OUR_KEY, baseUrl: `http://127.0.0.1:${port}`, ...more }),
    read: (client) => client.user.profile(),
    write: (client) => client.delivery.schedule(ORDER),
    list: (client) => client.delivery.list({ limit: 1 }),
    slow: { timeoutMs: 150, totalTimeoutMs: 400 },
  },
  stripe: {
    folder: folderOf("stripe"),
    logVariable: ["STRIPE_LOG", "debug"],
    make: (port, more) => new Stripe(KEY, { host: "127.0.0.1", port, protocol: "http", telemetry: false, ...more }),
    read: (client) => client.customers.retrieve("cus_1"),
    write: (client) => client.customers.create({ name: "Ada" }),
    list: (client) => client.customers.list({ limit: 1 }),
    slow: { timeout: 150 },
  },
  openai: {
    folder: folderOf("openai"),
    logVariable: ["OPENAI_LOG", "debug"],
    make: (port, more) => new OpenAI({ apiKey: KEY, baseURL: `http://127.0.0.1:${port}/v1`, ...more }),
    read: (client) => client.models.retrieve("m"),
    write: (client) => client.chat.completions.create(CHAT),
    list: (client) => client.files.list({ limit: 1 }),
    slow: { timeout: 150 },
  },
};

export const BODY = {
  success: true,
  data: { user_id: "usr_1", delivery_id: "dlv_1" },
  id: "x",
  object: "x",
  created: 1,
};
export const ok = (response, body = BODY, headers = {}) =>
  response.writeHead(200, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(body));
export const refuse = (response, status, headers = {}) =>
  response
    .writeHead(status, {
      "Content-Type": "application/json",
      "X-Request-Id": "req_1",
      "Request-Id": "req_1",
      ...headers,
    })
    .end(JSON.stringify({ success: false, error: { code: "not_found", message: "no", retryable: status >= 429 } }));

/** A server that answers as `answer` says, and what was asked of it. */
export async function withServer(answer, work) {
  const seen = [];
  const server = createServer((request, response) => {
    seen.push({ at: performance.now(), url: request.url, headers: request.headers });
    answer(response, seen.length, request);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    return await work(server.address().port, seen);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

export const caught = (promise) =>
  promise.then(
    (value) => value,
    (error) => error,
  );
export const hasFile = (folder, name) => existsSync(join(folder, name));
export const sourcesOf = (folder) =>
  readdirSync(folder, { recursive: true })
    .filter((name) => /\.d\.ts$|\.js$/.test(name) && !name.includes("node_modules"))
    .map((name) => readFileSync(join(folder, name), "utf8"));

export function pageOf(name, id, hasMore) {
  const page = { items: [{ delivery_id: id }], has_more: hasMore, next_cursor: hasMore ? "c" : null };
  if (name === "ours") return { success: true, data: page };
  return { object: "list", url: "/v1/customers", data: [{ id }], has_more: hasMore };
}
