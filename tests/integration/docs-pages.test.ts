// The pages a newcomer meets, in a real browser whose network is cut: on a desktop and a phone, in both themes. Any console
// error, violation of the policy, request to another host or serious fault of accessibility fails. DOCS_SHOTS=folder keeps
// pictures of the newcomer's story.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { type Harness, startHarness } from "../harness.ts";
import { chromiumPath, makeProfile, openPhone, type Phone, removeProfile, watchFaults } from "../phone.ts";

const SHOTS = process.env.DOCS_SHOTS;
const SCREENS = {
  desktop: { width: 1280, height: 900, deviceScaleFactor: 1, mobile: false },
  phone: { width: 390, height: 844, deviceScaleFactor: 1, mobile: true },
};
const THEMES = ["light", "dark"] as const;
/** No name is ever looked up, so nothing outside this machine can be reached. */
const CUT = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1";
const PAGES = [
  "/",
  "/docs",
  "/docs/start",
  "/docs/command-line",
  "/docs/errors",
  "/docs/reference",
  "/docs/search?q=quota",
];

if (!chromiumPath) console.warn("SKIPPED: no Chromium on this machine, so the pages were not tried in a browser.");

let app: Harness;
let browser: Phone;
let page: Page;
const profile = makeProfile();
let faults: string[] = [];

beforeAll(async () => {
  if (!chromiumPath) return;
  app = await startHarness({ config: { KEYLESS_PER_MINUTE: 100_000 } });
  browser = await openPhone(profile, { locale: "en-GB", flags: [CUT] });
  page = browser.page;
  page.setDefaultTimeout(20_000);
  await browser.context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: app.url });
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

async function showOn(screen: keyof typeof SCREENS, theme: (typeof THEMES)[number]): Promise<void> {
  const session = await browser.context.newCDPSession(page);
  await session.send("Emulation.setDeviceMetricsOverride", SCREENS[screen]);
  await page.emulateMedia({ colorScheme: theme });
}

/** The serious faults of the page as it is now, and whether it is wider than the screen. */
async function inspect(): Promise<void> {
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    const { violations } = await (window as any).axe.run();
    return violations
      .filter((v: any) => v.impact === "serious" || v.impact === "critical")
      .map((v: any) => `${v.id}: ${v.nodes[0].html.slice(0, 300)} ${v.nodes[0].failureSummary}`);
  });
  expect(found).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
}

const keep = async (name: string) => {
  if (SHOTS) await page.screenshot({ path: join(SHOTS, `${name}.png`) });
};

const VARIANTS = (Object.keys(SCREENS) as (keyof typeof SCREENS)[]).flatMap((screen) =>
  THEMES.map((theme) => [screen, theme] as const),
);

describe.skipIf(!chromiumPath).each(VARIANTS)("on a %s, %s", (screen, theme) => {
  beforeAll(() => showOn(screen, theme));
  test.each(PAGES)("%s has no serious fault", async (path) => {
    await page.goto(app.url + path);
    await inspect();
  });

  test("an open operation, the menu and the list of hits have none either", async () => {
    await page.goto(`${app.url}/docs/reference#delivery.schedule`);
    await page.reload();
    await page.waitForSelector("details[id='delivery.schedule'][open] form.try");
    if (screen === "phone") await page.click("details.menu > summary");
    await page.fill("input[type=search]", "quota");
    await page.waitForSelector(".hits a");
    await inspect();
  });
});

describe.skipIf(!chromiumPath || !Bun.which("curl"))("a newcomer", () => {
  test("copies the first call from /, runs it, and sees it in the docs' try-it", async () => {
    await showOn("desktop", "light");
    await page.goto(app.url);
    await keep("1-landing");
    await page.click(".tabs button.copy >> visible=true");
    await page.waitForSelector("button.copy:text-is('Copied') >> visible=true");
    const call = await page.evaluate(() => navigator.clipboard.readText());
    const env = { PATH: process.env.PATH, CONNECTOR_API_KEY: app.key };
    const ran = Bun.spawn(["sh", "-c", call], { env, stdout: "pipe", stderr: "inherit" });
    const { data } = JSON.parse(await new Response(ran.stdout).text());
    expect(data).toMatchObject({ status: "scheduled", simulated: true });
    await page.click("a:text-is('Read a delivery')");
    const operation = page.locator("details[id='delivery.get']");
    await page.fill("form.key input", app.key);
    await operation.locator("input[name=id]").fill(data.delivery_id);
    await operation.locator("button:text-is('Send')").click();
    await operation.locator(`output:has-text("${data.delivery_id}")`).waitFor();
    expect(await operation.locator("output").innerText()).toStartWith("200 OK");
    await operation.evaluate((element) => element.scrollIntoView());
    await keep("2-try-it");
    await showOn("phone", "dark");
    await page.goto(`${app.url}/docs/delivery`);
    await keep("3-guide-phone-dark");
    await page.goto(app.url);
    await keep("4-landing-phone-dark");
  });
});
