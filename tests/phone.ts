// A phone-sized browser for tests of the public pages. Chromium runs as a process of its own, so that a test can kill it.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium, type Page } from "playwright-core";

/** By the PATH: the scripts that start a Chromium need the programs beside it. */
export const chromiumPath =
  ["chromium", "chromium-browser", "google-chrome"].map((name) => Bun.which(name)).find((path) => path !== null) ??
  null;

export interface Phone {
  page: Page;
  context: BrowserContext;
  /** kill -9; the profile stays. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

export const makeProfile = (): string => mkdtempSync(join(tmpdir(), "connector-phone-"));
export const removeProfile = (folder: string): void => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });

export async function openPhone(profile: string, options: { locale?: string; flags?: string[] } = {}): Promise<Phone> {
  const flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--remote-debugging-port=0"];
  rmSync(join(profile, "DevToolsActivePort"), { force: true });
  const child = Bun.spawn(
    [chromiumPath!, ...flags, ...(options.flags ?? []), `--user-data-dir=${profile}`, "about:blank"],
    {
      stdout: "ignore",
      stderr: "ignore",
    },
  );
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${await portOf(profile)}`);
  const context = browser.contexts()[0];
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const metrics = { width: 390, height: 844, deviceScaleFactor: 2, mobile: true };
  await session.send("Emulation.setDeviceMetricsOverride", metrics);
  await session.send("Emulation.setTouchEmulationEnabled", { enabled: true });
  if (options.locale) {
    await session.send("Emulation.setLocaleOverride", { locale: options.locale });
    await context.setExtraHTTPHeaders({ "Accept-Language": options.locale });
  }
  return {
    page,
    context,
    async kill() {
      child.kill("SIGKILL");
      await child.exited;
    },
    async close() {
      await browser.close().catch(() => {});
      child.kill("SIGTERM");
      await child.exited;
    },
  };
}

/** Errors, warnings and requests to another host: what no page of ours may have. The list grows while the page is used. */
export function watchFaults(page: Page, origin: string): string[] {
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) faults.push(`${message.type()}: ${message.text()}`);
  });
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== origin && !/^(data|about):/.test(request.url())) faults.push(request.url());
  });
  return faults;
}

/** Chromium writes the port it took into its profile. */
async function portOf(profile: string): Promise<string> {
  const file = join(profile, "DevToolsActivePort");
  for (let i = 0; i < 400; i++) {
    const [port] = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
    if (port) return port;
    await Bun.sleep(50);
  }
  throw new Error("Chromium did not open its port");
}
