// Asks three TypeScript SDKs (ours, Stripe's, OpenAI's) the same questions against a local server, and prints what they did.
// node peers.mjs FOLDER-WITH-node_modules DIST-OF-OURS
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inspect } from "node:util";
import {
  BODY,
  caught,
  CHAT,
  child,
  folderOf,
  hasFile,
  ok,
  ourFolder,
  ours,
  pageOf,
  peersFolder,
  refuse,
  sdks,
  SECRET,
  sourcesOf,
  withServer,
  WRONG,
} from "./peers-clients.mjs";

/** Question → what was seen. */
const questions = {
  "nested resources": async () => ({
    ours: typeof ours.ActionConnector === "function" && "create" in sdks.ours.make(1).delivery.couriers ? "yes" : "no",
    stripe: typeof sdks.stripe.make(1).checkout.sessions.create === "function" ? "yes" : "no",
    openai: typeof sdks.openai.make(1).chat.completions.create === "function" ? "yes" : "no",
  }),
  "attempts while the service answers 503": each(({ make, read }) =>
    withServer(
      (response) => refuse(response, 503),
      async (port, seen) => {
        await caught(read(make(port)));
        return String(seen.length);
      },
    ),
  ),
  "429 with `Retry-After: 1`": each(({ make, read }) =>
    withServer(
      (response, n) => (n === 1 ? refuse(response, 429, { "Retry-After": "1" }) : ok(response)),
      async (port, seen) => {
        await caught(read(make(port)));
        if (seen.length === 1) return "not retried";
        return seen[1].at - seen[0].at >= 990 ? "waits as told" : "retried earlier";
      },
    ),
  ),
  "a success cut in half": each(({ make, read }) =>
    withServer(
      (response, n) => {
        if (n > 1) return ok(response);
        response.writeHead(200, { "Content-Type": "application/json", "Content-Length": "500" });
        response.write('{"success":tr', () => response.destroy());
      },
      async (port, seen) => {
        await caught(read(make(port)));
        return seen.length > 1 ? "retried" : "an error";
      },
    ),
  ),
  "idempotency key on a write": each(({ make, write }) =>
    withServer(
      (response, n) => (n === 1 ? refuse(response, 503) : ok(response)),
      async (port, seen) => {
        await caught(write(make(port)));
        const keys = seen.map(({ headers }) => headers["idempotency-key"]);
        if (!keys[0]) return "none";
        return keys[0] === keys[1] ? "made, the same in retries" : "made";
      },
    ),
  ),
  "a redirect to another host": each(({ make, read }) =>
    withServer(
      (response) => ok(response),
      (other, elsewhere) =>
        withServer(
          (response) => response.writeHead(307, { Location: `http://localhost:${other}/x` }).end(),
          async (port) => {
            await caught(read(make(port, {})));
            if (elsewhere.length === 0) return "not followed";
            return elsewhere[0].headers.authorization ? "followed, key sent along" : "followed without the key";
          },
        ),
    ),
  ),
  "a limit for the whole call": each(({ make, read, slow }) =>
    withServer(
      () => {},
      async (port, seen) => {
        await caught(read(make(port, slow)));
        return seen.length < 3 ? "yes" : "each attempt only";
      },
    ),
  ),
  "a list as an iterator over all pages": each(({ make, list }, name) =>
    withServer(
      (response, n) => ok(response, pageOf(name, `i${n}`, n < 2)),
      async (port) => {
        let count = 0;
        for await (const _ of list(make(port))) count++;
        return count === 2 ? "yes" : `no (${count})`;
      },
    ),
  ),
  "a stream whose connection breaks": async () => {
    const cut = (lines) => (response) => {
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      response.write(lines, () => setTimeout(() => response.destroy(), 20));
    };
    const readAll = async (stream, max) => {
      let count = 0;
      for await (const _ of stream) if (++count === max) break;
    };
    const resumed = await withServer(cut('id: e1\nevent: x\ndata: {"id":"e1"}\n\n'), async (port, seen) => {
      await caught(readAll(sdks.ours.make(port, { streamReconnectDelayMs: 1 }).events.stream(), 2));
      return seen[1]?.headers["last-event-id"] === "e1" ? "goes on behind the last event" : "ends";
    });
    const openai = await withServer(cut('data: {"id":"1","choices":[]}\n\n'), async (port, seen) => {
      await caught(
        sdks.openai
          .make(port)
          .chat.completions.create({ ...CHAT, stream: true })
          .then((s) => readAll(s, 2)),
      );
      return seen.length > 1 ? "goes on" : "ends";
    });
    const any = sourcesOf(join(folderOf("stripe"), "esm")).some((text) => text.includes("text/event-stream"));
    return { ours: resumed, stripe: any ? "unclear" : "no streams", openai };
  },
  "the class of a 404, and its request id": each(({ make, read }) =>
    withServer(
      (response) => refuse(response, 404),
      async (port) => {
        const error = await caught(read(make(port)));
        const id = error.requestId ?? error.requestID ?? error.request_id;
        return `\`${error.constructor.name}\`, ${id ? "with id" : "no id"}`;
      },
    ),
  ),
  "error codes as a type": async () => ({
    ours: sourcesOf(join(ourFolder, "dist/esm")).some((t) => /type ErrorCode =[\s\S]{0,40}"/.test(t))
      ? "every code"
      : "string",
    stripe: sourcesOf(join(folderOf("stripe"), "esm")).some((t) => /code\??: string/.test(t)) ? "string" : "unclear",
    openai: /code: string \| null/.test(readFileSync(join(folderOf("openai"), "core/error.d.ts"), "utf8"))
      ? "string"
      : "unclear",
  }),
  "the headers of an answer": each(({ make, read }, name) =>
    withServer(
      (response) => ok(response, BODY, { "X-Extra": "1" }),
      async (port) => {
        const call = read(make(port));
        if (name === "stripe") return (await call).lastResponse?.headers["x-extra"] === "1" ? "`lastResponse`" : "no";
        return (await call.withResponse()).response.headers.get("x-extra") === "1" ? "`withResponse()`" : "no";
      },
    ),
  ),
  "what is left of the quota": each(({ make, read }) =>
    withServer(
      (response) => ok(response, BODY, { RateLimit: '"free";r=97;t=42', "x-ratelimit-remaining-requests": "97" }),
      async (port) => {
        const client = make(port);
        await read(client);
        return client.quota?.remaining === 97 ? "`client.quota`" : "read the headers yourself";
      },
    ),
  ),
  "any route by hand": async () => ({
    ours: typeof sdks.ours.make(1).request === "function" ? "`request`" : "no",
    stripe: typeof sdks.stripe.make(1).rawRequest === "function" ? "`rawRequest`" : "no",
    openai: typeof sdks.openai.make(1).get === "function" ? "`get`, `post`" : "no",
  }),
  "webhooks: several secrets": async () => {
    const body = JSON.stringify({ id: "evt_1", type: "webhook.test", data: {} });
    const mine = await caught(ours.signWebhook(body, SECRET).then((h) => ours.unwrapWebhook(body, h, [WRONG, SECRET])));
    const { webhooks } = sdks.stripe.make(1);
    const header = webhooks.generateTestHeaderString({ payload: body, secret: SECRET });
    const theirs = await caught(Promise.resolve().then(() => webhooks.constructEvent(body, header, [WRONG, SECRET])));
    const headers = await ours.signWebhook(body, SECRET);
    const ai = await caught(sdks.openai.make(1).webhooks.unwrap(body, headers, [WRONG, SECRET]));
    const judge = (value) => (value?.type === "webhook.test" ? "yes" : "one");
    return { ours: judge(mine), stripe: judge(theirs), openai: judge(ai) };
  },
  "webhooks signed for your tests": async () => ({
    ours: typeof ours.signWebhook === "function" ? "`signWebhook`" : "no",
    stripe:
      typeof sdks.stripe.make(1).webhooks.generateTestHeaderString === "function" ? "`generateTestHeaderString`" : "no",
    openai: membersOf(sdks.openai.make(1).webhooks).some((name) => /sign|generate/i.test(name) && !/verify/i.test(name))
      ? "yes"
      : "no",
  }),
  "a fake service in the package": each(({ folder }) => {
    const { exports = {} } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    return Object.keys(exports).some((name) => /test|fake|mock/i.test(name)) ? "yes" : "no";
  }),
  "a request log by an environment variable": each(({ logVariable: [variable, value] }, name) =>
    spawnedLog(name, variable, value) ? `\`${variable}\`` : "no",
  ),
  "the key when the client is printed": each(({ make }) => {
    const client = make(1);
    let text = inspect(client, { depth: 8, showHidden: false });
    try {
      text += JSON.stringify(client);
    } catch {}
    return text.includes("thisIsTheSecretKey") ? "shown" : "hidden";
  }),
  "times of an answer": async () => ({
    ours:
      typeof ours.withDates === "function" &&
      ours.withDates({ created_at: "2026-12-01T15:00:00Z" }).created_at instanceof Date
        ? "text, or `Date` with `withDates`"
        : "text",
    ...Object.fromEntries(
      await Promise.all(
        ["stripe", "openai"].map(async (name) => [
          name,
          await withServer(
            (r) => ok(r),
            async (port) =>
              typeof (await sdks[name].read(sdks[name].make(port))).created === "number" ? "Unix seconds" : "text",
          ),
        ]),
      ),
    ),
  }),
  dependencies: each(({ folder }) => {
    const { dependencies = {} } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    return String(Object.keys(dependencies).length);
  }),
  "a generated list of all calls in the package": each(({ folder }) => (hasFile(folder, "api.md") ? "`api.md`" : "no")),
};

function each(ask) {
  return async () => {
    const answers = {};
    for (const [name, sdk] of Object.entries(sdks)) answers[name] = await ask(sdk, name);
    return answers;
  };
}

const membersOf = (value) => Object.getOwnPropertyNames(Object.getPrototypeOf(value)).concat(Object.keys(value));

/** One call in a process of its own, with the variable set: whether anything was written. */
function spawnedLog(name, variable, value) {
  const env = { ...process.env, [variable]: value };
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [fileURLToPath(import.meta.url), peersFolder, ourFolder, name],
    { env, encoding: "utf8" },
  );
  return (stdout + stderr).trim() !== "";
}

if (child) {
  await withServer(
    (response) => ok(response),
    (port) => caught(sdks[child].read(sdks[child].make(port))),
  );
  process.exit(0);
}
const versionOf = (name) => JSON.parse(readFileSync(join(folderOf(name), "package.json"), "utf8")).version;
const rows = [];
for (const [question, ask] of Object.entries(questions)) rows.push({ question, ...(await ask()) });
console.log(JSON.stringify({ stripe: versionOf("stripe"), openai: versionOf("openai"), rows }));
process.exit(0);
