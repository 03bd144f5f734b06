// The console in a real browser: one story a page, on a desktop and a phone, in both themes. Any console error, violation of
// the policy, request to another host or serious fault of accessibility fails. CONSOLE_SHOTS=folder keeps a picture of each page.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { type Harness, startHarness } from "../harness.ts";
import { chromiumPath, makeProfile, openPhone, type Phone, removeProfile } from "../phone.ts";

const NOW = "2026-11-01T12:00:00Z";
const SHOTS = process.env.CONSOLE_SHOTS;
const SCREENS = {
  desktop: { width: 1280, height: 900, deviceScaleFactor: 1, mobile: false },
  phone: { width: 390, height: 844, deviceScaleFactor: 1, mobile: true },
};
const PROSE =
  "The ferry left the harbour late that morning, and nobody on the upper deck seemed to mind. A man in a green coat fed the gulls while his daughter counted boats. " +
  "We had packed sandwiches, far too many of them, and a thermos that leaked into the bag. By noon the fog had lifted. The island looked smaller than I remembered it, " +
  "its white houses scattered like sugar cubes along the slope, and my aunt was already waving from the pier with the dog at her feet.";

if (!chromiumPath) {
  console.warn("SKIPPED: no Chromium on this machine, so the console was not tried in a browser.");
}

let app: Harness;
let browser: Phone;
let page: Page;
const profile = makeProfile();
const faults: string[] = [];

beforeAll(async () => {
  if (!chromiumPath) return;
  app = await startHarness({ config: { KEYLESS_PER_MINUTE: 100_000 } });
  browser = await openPhone(profile, { locale: "en-GB" });
  page = browser.page;
  page.setDefaultTimeout(20_000);
  await page.clock.setFixedTime(NOW);
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) faults.push(`${message.type()}: ${message.text()}`);
  });
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== app.url && !/^(data|about):/.test(request.url())) faults.push(request.url());
  });
});
afterEach(() => {
  expect(faults.splice(0)).toEqual([]);
});
afterAll(async () => {
  await browser?.close();
  await app?.stop();
  removeProfile(profile);
});

async function signIn(key: string): Promise<void> {
  await page.goto("about:blank");
  await page.context().clearCookies();
  await page.goto(`${app.url}/console#/home`);
  await page.reload();
  await page.fill("input[name=key]", key);
  await page.click("text=Sign in >> visible=true >> nth=-1");
  await page.waitForSelector("h1:text-is('Home')");
}

async function open(place: string, title: string): Promise<void> {
  await page.evaluate((to) => {
    location.hash = to;
  }, `/${place}`);
  await page.waitForSelector(`h1:text-is('${title}')`);
}

const seen = (text: string | RegExp) => page.getByText(text).first().waitFor();

async function inspect(name: string): Promise<void> {
  await page.waitForFunction(() => !document.body.textContent!.includes("Loading…"));
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    const { violations } = await (window as any).axe.run();
    return violations
      .filter((v: any) => v.impact === "serious" || v.impact === "critical")
      .map((v: any) => `${v.id}: ${v.nodes[0].html} ${v.nodes[0].failureSummary}`);
  });
  expect(found).toEqual([]);
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(wider).toBeLessThanOrEqual(0);
  if (SHOTS) await page.screenshot({ path: join(SHOTS, `${name}.png`) });
}

type Story = () => Promise<void>;

/** One story a page, from what is typed to what is seen. */
const STORIES: Record<string, Story> = {
  async home() {
    await open("home", "Home");
    await seen("requests in this minute");
    await seen(/^live$/);
    await page.waitForFunction(() => !document.body.textContent!.includes("Loading…"));
    const shown = await page.locator("[aria-label=Events]").count();
    const before = shown ? Number(await page.getAttribute("[aria-label=Events]", "aria-rowcount")) : 1;
    // What happens elsewhere appears without a reload.
    const order = { pickup: { address: "Berlin", time: "2026-11-01T15:00:00Z" }, dropoff: { address: "Potsdam" } };
    expect((await app.call("POST", "/delivery/schedule", { body: order })).status).toBeLessThan(300);
    await app.clock.advance(5_000);
    await app.service.settle();
    await page.waitForFunction((count) => {
      const table = document.querySelector("[aria-label=Events]");
      return Number(table?.getAttribute("aria-rowcount")) > count;
    }, before);
    await seen("delivery.scheduled");
  },
  async delivery() {
    await open("delivery/new", "Delivery");
    await page.fill("input[name=from]", "Alexanderplatz 1, 10178 Berlin");
    await page.fill("input[name=to]", "Kurfürstendamm 21, 10719 Berlin");
    await seen(/ km · located by/);
    await page.click("form button:has-text('Schedule')");
    await seen("Timeline");
    await page.waitForSelector("svg.map path.land");
    await seen(/^scheduled$/);
    await page.click("text=All deliveries");
    await page.waitForSelector("[role=row].open");
  },
  async shopping() {
    await open("shopping", "Shopping");
    await page.click("text=Use the demo shop");
    await page.click("button:text-is('Track')");
    await seen("Where this price was found");
    await page.waitForSelector(".uplot canvas");
  },
  async stock() {
    await open("stock", "Stock");
    await page.fill("input[name=symbols]", "AAPL, MSFT");
    await page.click("button:text-is('Watch')");
    await page.waitForSelector("[aria-label='Watch list'] [role=row] >> text=AAPL");
    await seen(/^simulated$/);
    await page.waitForSelector("[aria-label='Markets'] [role=row] >> nth=3");
  },
  async alerts() {
    await open("alerts", "Alerts");
    await page.fill("input[name=query]", "harbour AND fog");
    await seen("Whatever in all content you push matches “harbour AND fog” appears in the stream.");
    await seen(/recent items match/);
    await page.click("button:text-is('Create alert')");
    await page.fill("input[name=title]", "Fog over the harbour");
    await page.click("button:text-is('Push')");
    await page.waitForSelector("[aria-label='Matches'] mark");
  },
  async detector() {
    await open("detector", "Detector");
    await page.fill("textarea", PROSE);
    await page.click("button:text-is('Check')");
    await seen("Evidence");
    await page.waitForSelector(".shaded");
    await page.waitForSelector("[aria-label='Kept analyses'] [role=row].open");
  },
  async platform() {
    await open("platform/webhooks", "Platform");
    await page.fill("input[name=url]", "https://example.com/hook");
    await page.click("button:text-is('Add')");
    await seen("Secret for checking signatures, shown once:");
    await page.click("[aria-label='Webhooks'] [role=row].open");
    await page.click("button:text-is('Send a test')");
    await page.click("[aria-label='Attempts'] [role=row].open");
    await seen("Replay this event");
    await open("platform/audit", "Platform");
    await seen(/webhook/);
    await open("platform/mcp", "Platform");
    await seen(/mcpServers/);
    await open("platform/requests", "Platform");
    await seen("Copy as curl");
    await open("platform/keys", "Platform");
    await page.fill("input[name=name]", "a browser's key");
    await page.click("button:text-is('Make key')");
    await seen("Copy it now, it is shown once:");
  },
};

const VARIANTS = (Object.keys(SCREENS) as (keyof typeof SCREENS)[]).flatMap((screen) =>
  (["light", "dark"] as const).map((theme) => [screen, theme] as const),
);

describe.skipIf(!chromiumPath).each(VARIANTS)("the console on a %s, %s", (screen, theme) => {
  beforeAll(async () => {
    const session = await browser.context.newCDPSession(page);
    await session.send("Emulation.setDeviceMetricsOverride", SCREENS[screen]);
    await page.emulateMedia({ colorScheme: theme });
    await signIn(app.key);
  });
  for (const [name, story] of Object.entries(STORIES)) {
    test(name, async () => {
      await story();
      await inspect(`${name}-${screen}-${theme}`);
      app.clock.advance(60_000);
    }, 60_000);
  }
});

describe.skipIf(!chromiumPath)("everywhere", () => {
  test("the palette opens with Ctrl+K, finds a page and goes there", async () => {
    await open("home", "Home");
    await page.keyboard.press("Control+k");
    await page.waitForSelector("dialog.palette[open] input:focus");
    await page.keyboard.type("stock");
    await page.waitForSelector("dialog.palette button:text-is('Open Stock')");
    await page.keyboard.press("Enter");
    await page.waitForSelector("h1:text-is('Stock')");
  });

  test("live mode asks for its own key and shows nothing of test mode", async () => {
    await open("delivery", "Delivery");
    await page.click("fieldset.mode button.live");
    await seen("API key for live mode");
    await page.fill("input[name=key]", app.account.liveKey);
    await page.click("form button[type=submit]");
    await open("delivery", "Delivery");
    await seen("No deliveries yet");
    await seen("Live mode: actions reach the real world.");
    await page.click("fieldset.mode button.test");
    await page.waitForSelector("[role=row].open");
  });

  test("a refused request shows what is wrong and what to do", async () => {
    await open("stock", "Stock");
    await page.fill("form:has-text('Set level') input >> nth=0", "NOSUCHSYMBOL");
    await page.fill("form:has-text('Set level') input >> nth=1", "1");
    await page.click("button:text-is('Set level')");
    await page.waitForSelector(".problem .hint");
    // The browser itself writes a line for every refused request.
    expect(faults.splice(0).every((fault) => /status of 4\d\d/.test(fault))).toBe(true);
  });

  test("a stream says when it is broken, and heals", async () => {
    await open("home", "Home");
    await seen(/^live$/);
    await page.route("**/events/stream*", (route) => route.abort());
    await open("stock", "Stock");
    await open("home", "Home");
    await seen("stream broken, trying again");
    await page.unroute("**/events/stream*");
    await seen(/^live$/);
    expect(faults.splice(0).every((fault) => /ERR_FAILED/.test(fault))).toBe(true);
  });
});
