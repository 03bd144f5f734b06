// The console in a real browser: one story a page, on a desktop and a phone, in both themes. Any console error, violation of
// the policy, request to another host or serious fault of accessibility fails. CONSOLE_SHOTS=folder keeps a picture of each page.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { type Harness, startHarness } from "../harness.ts";
import { type Scene, STORIES, seed } from "./console-stories.ts";
import { chromiumPath, makeProfile, openPhone, type Phone, removeProfile, watchFaults } from "../phone.ts";

const SHOTS = process.env.CONSOLE_SHOTS;
const SCREENS = {
  desktop: { width: 1280, height: 900, deviceScaleFactor: 1, mobile: false },
  phone: { width: 390, height: 844, deviceScaleFactor: 1, mobile: true },
};
if (!chromiumPath) {
  console.warn("SKIPPED: no Chromium on this machine, so the console was not tried in a browser.");
}

let app: Harness;
let browser: Phone;
let page: Page;
const profile = makeProfile();
let faults: string[] = [];

beforeAll(async () => {
  if (!chromiumPath) return;
  app = await startHarness({ config: { KEYLESS_PER_MINUTE: 100_000 } });
  await seed(app);
  await app.call("POST", "/admin/accounts", { body: { name: "Grace", email: "grace@example.com", plan: "free" } });
  browser = await openPhone(profile, { locale: "en-GB" });
  page = browser.page;
  page.setDefaultTimeout(20_000);
  faults = watchFaults(page, app.url);
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
  await page.clock.setFixedTime(app.clock.now());
  await page.context().clearCookies();
  await page.goto(`${app.url}/console#/home`);
  await page.reload();
  await page.fill("input[name=key]", key);
  await page.click("text=Sign in >> visible=true >> nth=-1");
  await page.waitForSelector("h1:text-is('Home')");
}

/** The page's clock is the service's: it stands still until a test moves it. */
async function open(place: string, title: string): Promise<void> {
  await page.clock.setFixedTime(app.clock.now());
  await page.evaluate((to) => {
    location.hash = to;
  }, `/${place}`);
  await page.waitForSelector(`h1:text-is('${title}')`);
}

const seen = (text: string | RegExp) => page.getByText(text).first().waitFor();
const sceneOf = (isPhone: boolean): Scene => ({ app, page, isPhone, open, seen });

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
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(wider).toBeLessThanOrEqual(0);
  await page.evaluate(() => scrollTo(0, 0));
  if (SHOTS) await page.screenshot({ path: join(SHOTS, `${name}.png`), animations: "disabled" });
}

const VARIANTS = (Object.keys(SCREENS) as (keyof typeof SCREENS)[]).flatMap((screen) =>
  (["light", "dark"] as const).map((theme) => [screen, theme] as const),
);

describe.skipIf(!chromiumPath).each(VARIANTS)("the console on a %s, %s", (screen, theme) => {
  beforeAll(async () => {
    const session = await browser.context.newCDPSession(page);
    await session.send("Emulation.setDeviceMetricsOverride", SCREENS[screen]);
    await session.send("Emulation.setTouchEmulationEnabled", { enabled: screen === "phone" });
    await page.emulateMedia({ colorScheme: theme });
    await signIn(app.key);
  });
  for (const [name, story] of Object.entries(STORIES)) {
    test(name, async () => {
      await story(sceneOf(screen === "phone"));
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
