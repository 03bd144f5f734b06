// The TypeScript SDK where browsers and Workers run it: a real Chromium page, and workerd. Each does the same round.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { type Place, type Report, run } from "./report.ts";

const WORKERD = "workerd@1.20261104.1";
const INSTALL_MS = 300_000;

/** Runs in the page and in the worker: a read, a write, a list, a stream, a webhook. */
const ROUND = `
export async function round(baseUrl, apiKey) {
  const client = new ActionConnector({ baseUrl, apiKey });
  const profile = await client.user.profile();
  const stream = client.events.stream({ type: "delivery.*" });
  const next = stream[Symbol.asyncIterator]();
  const time = new Date(Date.now() + 86400000);
  const schedule = () => client.delivery.schedule({ pickup: { address: "350 5th Ave, New York", time }, dropoff: { address: "Downtown Brooklyn" } });
  // The stream is open some time after it is asked for: deliveries are made until one is heard of.
  const first = next.next();
  let made = await schedule();
  for (let tries = 0; tries < 40 && !(await Promise.race([first.then(() => true), schedule().then((d) => { made = d; return false; })])); tries++);
  const ready = await first;
  let listed = 0;
  for await (const delivery of client.delivery.list({ limit: 1 })) if (delivery.delivery_id === made.delivery_id) { listed++; break; }
  await next.return?.();
  const refused = await client.delivery.get("dlv_01KB2M3N4P5Q6R7S8T9V0W1X2Y").catch((error) => error);
  const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  const body = JSON.stringify({ id: "evt_1", type: "webhook.test", data: {} });
  const event = await unwrapWebhook(body, await signWebhook(body, secret), secret);
  return {
    profile: profile.user_id.startsWith("usr_"),
    streamed: ready.done === false,
    made: made.delivery_id.startsWith("dlv_"),
    listed: listed === 1,
    refused: refused instanceof NotFoundError,
    webhook: event.type === "webhook.test",
    quota: client.quota !== null,
  };
}
`;

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
  const executablePath = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";
  if (!existsSync(executablePath)) return report.skip("CHROMIUM IS MISSING, so the SDK was NOT tried in a browser.");
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ url }) =>
      url.endsWith("/round.js")
        ? new Response(bundle, { headers: { "Content-Type": "text/javascript" } })
        : new Response("<!doctype html><title>round</title>", { headers: { "Content-Type": "text/html" } }),
  });
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${server.port}/`);
    const script = `import("/round.js").then(({ round }) => round(${JSON.stringify(serviceUrl)}, ${JSON.stringify(key)}))`;
    judge(report, "Chromium", (await page.evaluate(script)) as Record<string, boolean>);
  } catch (error) {
    report.fail("Chromium", String(error));
  } finally {
    await browser.close();
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
    const seen = await askUntilUp(`http://127.0.0.1:${port}/`, child);
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
