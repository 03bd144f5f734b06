// The TypeScript SDK where browsers and Workers run it: a real Chromium page, and workerd. Each does the same round.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { type Place, type Report, run } from "./report.ts";

const WORKERD = "workerd@1.20261104.1";
const CHROMIUMS = ["chromium", "chromium-browser", "google-chrome"];
const INSTALL_MS = 300_000;
const ROUND_MS = 60_000;

/** Runs in the page and in the worker: a read, a write, a list, a stream, an error, a webhook. */
const ROUND = `
export async function round(baseUrl, apiKey) {
  const client = new ActionConnector({ baseUrl, apiKey });
  const profile = await client.user.profile();
  const time = new Date(Date.now() + 86400000);
  const schedule = () => client.delivery.schedule({ pickup: { address: "350 5th Ave, New York", time }, dropoff: { address: "Downtown Brooklyn" } });
  await schedule();
  const [known] = (await client.events.list({ type: "delivery.scheduled", limit: 1 })).items;
  const made = await schedule();
  // From the event before the last delivery on, so that nothing depends on when the stream is open.
  let streamed = null;
  for await (const event of client.events.stream({ type: "delivery.scheduled" }, { lastEventId: known.id })) { streamed = event; break; }
  let listed = 0;
  for await (const delivery of client.delivery.list({ limit: 1 })) if (delivery.delivery_id === made.delivery_id) { listed++; break; }
  const refused = await client.delivery.get("dlv_01KB2M3N4P5Q6R7S8T9V0W1X2Y").catch((error) => error);
  const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  const body = JSON.stringify({ id: "evt_1", type: "webhook.test", data: {} });
  const event = await unwrapWebhook(body, await signWebhook(body, secret), secret);
  return {
    profile: profile.user_id.startsWith("usr_"),
    made: made.delivery_id.startsWith("dlv_"),
    streamed: streamed?.data.data.delivery_id === made.delivery_id,
    listed: listed === 1,
    refused: refused instanceof NotFoundError,
    webhook: event.type === "webhook.test",
    quota: client.quota !== null,
  };
}
`;

/** Whatever hangs is a failure, not a run without end. */
async function within<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout>;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ROUND_MS / 1000} s`)), ROUND_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

export async function runRuntimes(report: Report, place: Place, clean: string): Promise<void> {
  const folder = join(place.cache, "runtimes");
  mkdirSync(folder, { recursive: true });
  const entry = join(clean, "round.mjs");
  const names = "ActionConnector, NotFoundError, signWebhook, unwrapWebhook";
  writeFileSync(entry, `import { ${names} } from "action-connector";\n${ROUND}`);
  const built = await Bun.build({ entrypoints: [entry], target: "browser", format: "esm" });
  const bundle = await built.outputs[0].text();
  await inChromium(report, place, bundle);
  await inWorkerd(report, place, folder, bundle);
}

function judge(report: Report, name: string, seen: Record<string, boolean>): void {
  for (const [what, right] of Object.entries(seen)) {
    if (right) report.ok(`${name}: ${what}`);
    else report.fail(`${name}: ${what}`, JSON.stringify(seen));
  }
}

async function inChromium(report: Report, { serviceUrl, key }: Place, bundle: string): Promise<void> {
  const executablePath = CHROMIUMS.map((name) => Bun.which(name)).find((path) => path !== null);
  if (!executablePath) return report.skip("CHROMIUM IS MISSING, so the SDK was NOT tried in a browser.");
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ url }) =>
      url.endsWith("/round.js")
        ? new Response(bundle, { headers: { "Content-Type": "text/javascript" } })
        : new Response("<!doctype html><title>round</title>", { headers: { "Content-Type": "text/html" } }),
  });
  const browser = await within(chromium.launch({ executablePath, args: ["--no-sandbox"] }));
  try {
    const page = await within(browser.newPage());
    await page.goto(`http://127.0.0.1:${server.port}/`);
    const script = `import("/round.js").then(({ round }) => round(${JSON.stringify(serviceUrl)}, ${JSON.stringify(key)}))`;
    judge(report, "Chromium", (await within(page.evaluate(script))) as Record<string, boolean>);
  } catch (error) {
    report.fail("Chromium", String(error));
  } finally {
    await within(browser.close()).catch(() => {});
    server.stop(true);
  }
}

const CONFIGURATION = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker", esModule = embed "worker.js")],
      compatibilityDate = "2026-01-01",
      globalOutbound = "network")),
    (name = "network", network = (allow = ["public", "private", "local"]))
  ],
  sockets = [(name = "http", address = "127.0.0.1:PORT", http = (), service = "main")]
);
`;

async function inWorkerd(report: Report, place: Place, folder: string, bundle: string): Promise<void> {
  const { serviceUrl, key } = place;
  const binary = join(folder, "node_modules/.bin/workerd");
  if (!existsSync(binary)) {
    writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
    const flags = ["--no-audit", "--no-fund", "--loglevel=error"];
    const installed = await run(["npm", "install", ...flags, WORKERD], { cwd: folder, timeoutMs: INSTALL_MS });
    if (installed.code !== 0) return report.skip(`WORKERD IS MISSING, so the SDK was NOT tried as a Worker.`);
  }
  const port = freePort();
  const handler = `export default { async fetch() { try { return Response.json(await round(${JSON.stringify(serviceUrl)}, ${JSON.stringify(key)})); } catch (error) { return Response.json({ error: String(error?.stack ?? error) }); } } };`;
  writeFileSync(join(folder, "worker.js"), `${bundle}\n${handler}\n`);
  writeFileSync(join(folder, "config.capnp"), CONFIGURATION.replace("PORT", String(port)));
  const child = Bun.spawn([binary, "serve", "config.capnp"], { cwd: folder, stdout: "ignore", stderr: "pipe" });
  try {
    const seen = await within(askUntilUp(`http://127.0.0.1:${port}/`, child));
    if (seen.error) report.fail("workerd", String(seen.error));
    else judge(report, "workerd", seen);
  } catch (error) {
    child.kill();
    report.fail("workerd", `${error}\n${await new Response(child.stderr).text()}`);
  } finally {
    child.kill();
    await child.exited;
  }
}

function freePort(): number {
  const server = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const { port } = server;
  server.stop(true);
  return port;
}

/** workerd says nothing when it listens; it is asked until it answers or has ended. */
async function askUntilUp(url: string, child: { exitCode: number | null }): Promise<any> {
  for (let tries = 0; child.exitCode === null && tries < 200; tries++) {
    const answer = await fetch(url).catch(() => null);
    if (answer) return answer.json();
    await Bun.sleep(50);
  }
  throw new Error("workerd ended before it answered");
}
