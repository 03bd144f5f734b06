// The console in Chromium: frames while 10,000 deliveries are scrolled, how long interactions take, and what is loaded.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import type { Bench } from "../tools/bench.ts";
import { startProcess } from "./lib/process.ts";

const DELIVERIES = 10_000;
const BATCH = 1_000;
const WHEEL_PX = 240;
const BROWSERS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const PAGES = ["home", "delivery", "shopping", "stock", "alerts", "detector", "platform", "operator"];
/** Event Timing says nothing of an event that took less. */
const LEAST_REPORTED_MS = 16;

const p95 = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? Number.NaN;
const rounded = (ms: number) => Math.round(ms * 10) / 10;

async function fill(base: string, key: string): Promise<void> {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  for (let made = 0; made < DELIVERIES; made += BATCH) {
    const orders = Array.from({ length: BATCH }, (_, i) => ({
      pickup: { address: "Alexanderplatz 1, 10178 Berlin", time: new Date(Date.now() + 86_400_000).toISOString() },
      dropoff: { address: `Torstraße ${1 + ((made + i) % 200)}, 10119 Berlin` },
    }));
    const answer = await fetch(`${base}/v1/delivery/batch`, {
      method: "POST",
      headers,
      body: JSON.stringify({ orders }),
    });
    if (!answer.ok) throw new Error(`batch: ${answer.status} ${(await answer.text()).slice(0, 300)}`);
  }
}

async function signIn(browser: Browser, base: string, key: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(`${base}/console`);
  await page.fill("input[name=key]", key);
  await page.click("form button[type=submit]");
  await page.waitForSelector("h1:text-is('Home')");
  return page;
}

async function open(page: Page, name: string): Promise<void> {
  await page.click(`.side nav a[href='#/${name}']`);
  await page.waitForSelector(`h1:text-is('${name[0].toUpperCase()}${name.slice(1)}')`);
}

/** Scrolls the list until every page of it has been asked for. */
async function loadAll(page: Page): Promise<void> {
  await open(page, "delivery");
  await page.waitForSelector("[aria-label=Deliveries] .rows");
  await page.evaluate(async (wanted) => {
    const list = document.querySelector<HTMLElement>("[aria-label=Deliveries]")!;
    const rows = list.querySelector(".rows")!;
    while (Number(list.getAttribute("aria-rowcount")) <= wanted) {
      rows.scrollTop = rows.scrollHeight;
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    rows.scrollTop = 0;
  }, DELIVERIES);
}

/** The main thread's work of each frame (script, style, layout, paint), and the time between two frames. */
async function scroll(page: Page, frames: number): Promise<{ work: number[]; gaps: number[] }> {
  await page.hover("[aria-label=Deliveries] .rows");
  const measured = page.evaluate(async (count) => {
    const work: number[] = [];
    const gaps: number[] = [];
    const channel = new MessageChannel();
    let started = 0;
    let last = 0;
    channel.port1.onmessage = () => work.push(performance.now() - started);
    for (let i = 0; i < count; i++) {
      const at = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
      if (last) gaps.push(at - last);
      last = at;
      started = performance.now();
      // A message posted in a frame is heard when the frame has been laid out and painted.
      channel.port2.postMessage(0);
    }
    return { work, gaps };
  }, frames);
  for (let i = 0; i < frames; i++) {
    await page.mouse.wheel(0, WHEEL_PX);
    await Bun.sleep(8);
  }
  return measured;
}

/** Clicks and keys over all pages; the time from each to the next paint, as Event Timing has it. */
async function interact(page: Page, rounds: number): Promise<number[]> {
  await page.evaluate(() => {
    const seen = new Map<number, number>();
    (window as any).interactions = seen;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as any[])
        if (entry.interactionId)
          seen.set(entry.interactionId, Math.max(entry.duration, seen.get(entry.interactionId) ?? 0));
    }).observe({ type: "event", durationThreshold: 16, buffered: true } as PerformanceObserverInit);
  });
  let made = 0;
  for (let round = 0; round < rounds; round++) {
    for (const name of PAGES) {
      await open(page, name);
      await page.waitForTimeout(150);
      made++;
    }
    await open(page, "delivery");
    await page.selectOption("select[aria-label='Only deliveries in this state']", "scheduled");
    await page.waitForSelector("[role=row].open");
    await page.click("[role=row].open >> nth=2");
    await page.waitForSelector("text=Timeline");
    await page.keyboard.press("Control+k");
    for (const letter of "alerts") await page.keyboard.press(letter);
    await page.keyboard.press("Enter");
    await page.waitForSelector("h1:text-is('Alerts')");
    await page.click("input[name=query]");
    for (const letter of "harbour AND fog") await page.keyboard.press(letter);
    made += 25;
  }
  await page.waitForTimeout(500);
  const reported: number[] = await page.evaluate(() => [...(window as any).interactions.values()]);
  return [...reported, ...Array(Math.max(0, made - reported.length)).fill(LEAST_REPORTED_MS)];
}

/** Bytes on the wire, by page, each in the order of the navigation. */
async function sizes(browser: Browser, base: string, key: string): Promise<Record<string, number>> {
  const page = await browser.newPage();
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  let bytes = 0;
  const assets = new Set<string>();
  session.on("Network.responseReceived", (e) => void (e.response.url.includes("/console") && assets.add(e.requestId)));
  session.on("Network.loadingFinished", (e) => void (assets.has(e.requestId) && (bytes += e.encodedDataLength)));
  const found: Record<string, number> = {};
  await page.goto(`${base}/console`);
  await page.fill("input[name=key]", key);
  await page.click("form button[type=submit]");
  await page.waitForSelector("h1:text-is('Home')");
  for (const name of PAGES) {
    await open(page, name);
    await page.waitForTimeout(1_000);
    found[name] = rounded(bytes / 1000);
    bytes = 0;
  }
  await page.close();
  return found;
}

const bench: Bench = {
  help: "scrolling, interactions and sizes of the console in Chromium; --quick for few frames",
  async run({ quick, say }) {
    const executablePath = BROWSERS.find((path) => existsSync(path));
    if (!executablePath) throw new Error("No Chromium on this machine.");
    const folder = mkdtempSync(join(tmpdir(), "connector-console-"));
    Bun.spawnSync(["chmod", "755", folder]);
    const main = join(import.meta.dir, "../server/main.ts");
    const settings = { CONNECTOR_PORT: "0", CONNECTOR_DATA_DIR: folder, CONNECTOR_LOG: "silent" };
    const service = await startProcess([process.execPath, main, "start"], settings);
    const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
    try {
      const base = `http://127.0.0.1:${service.port}`;
      const key = readFileSync(join(folder, "first-key"), "utf8").trim();
      const loaded = await sizes(browser, base, key);
      await fill(base, key);
      const page = await signIn(browser, base, key);
      const interactions = await interact(page, quick ? 1 : 4);
      await loadAll(page);
      const { work, gaps } = await scroll(page, quick ? 120 : 600);
      const figures = {
        deliveries: DELIVERIES,
        frame_work_p95_ms: rounded(p95(work)),
        frame_gap_p95_ms: rounded(p95(gaps)),
        interactions: interactions.length,
        interaction_p95_ms: rounded(p95(interactions)),
        loaded_kb_with_answers: loaded,
      };
      say(JSON.stringify(figures, null, 2));
      return figures;
    } finally {
      await browser.close();
      await service.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

export default bench;
