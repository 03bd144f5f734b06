// The stories of the console: for each page what a person does, from what is typed to what is seen; and the data behind them.
import { expect } from "bun:test";
import type { Locator, Page } from "playwright-core";
import type { Harness } from "../harness.ts";

const DAY_MS = 86_400_000;
const SECOND_MS = 1_000;
const PROSE =
  "The ferry left the harbour late that morning, and nobody on the upper deck seemed to mind. A man in a green coat fed the gulls while his daughter counted boats. " +
  "We had packed sandwiches, far too many of them, and a thermos that leaked into the bag. By noon the fog had lifted. The island looked smaller than I remembered it, " +
  "its white houses scattered like sugar cubes along the slope, and my aunt was already waving from the pier with the dog at her feet.";
const ADDRESSES = [
  "Alexanderplatz 1, 10178 Berlin",
  "Kurfürstendamm 21, 10719 Berlin",
  "Torstraße 140, 10119 Berlin",
  "Karl-Marx-Straße 80, 12043 Berlin",
  "Schönhauser Allee 36, 10435 Berlin",
  "Potsdamer Straße 96, 10785 Berlin",
];
/** One pixel. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** Two weeks of usage, a fleet, refusals and price history: a page shows what it is for only when it is not empty. */
export async function seed(app: Harness): Promise<void> {
  const { sql } = app.service.platform.db;
  const [{ tenant_id, id }] = await sql`
    select k.tenant_id, k.id from keys k join tenants t on t.id = k.tenant_id
    where t.account_id = ${app.account.id} and t.mode = 'test' and k.last = ${app.key.slice(-4)}`;
  const routes = ["delivery.schedule", "stock.quote", "alerts.content", "shopping.list", "detector.analyze"];
  for (let day = 1; day < 14; day++) {
    const minute = new Date(app.clock.now() - day * DAY_MS);
    for (const [i, route] of routes.entries()) {
      const requests = 40 + ((day * 37 + i * 53) % 140);
      await sql`insert into usage (tenant_id, minute, route, key_id, requests, failures)
        values (${tenant_id}, ${minute}, ${route}, ${id}, ${requests}, ${(day + i) % 7})`;
    }
  }
  for (const name of ["Mina", "Otto", "Yusuf"]) await must(app, "POST", "/delivery/couriers", { name });
  for (const [i, address] of ADDRESSES.entries()) {
    const time = new Date(app.clock.now() + (3 + i) * 3_600_000).toISOString();
    const order = { pickup: { address: ADDRESSES[(i + 1) % 6], time }, dropoff: { address }, provider: "fleet" };
    await must(app, "POST", "/delivery/schedule", order);
  }
  // Far from the full hour: what was asked in this minute is in the numbers of the day.
  await app.clock.advance(90 * SECOND_MS);
  await app.call("POST", "/stock/quote", { body: {} });
  await app.call("GET", "/delivery/dlv_01KB2M3N4P5Q6R7S8T9V0W1X2Y");
  await must(app, "POST", "/alerts/content", { title: "Fog closes the harbour for the morning" });
  await must(app, "POST", "/alerts/content", { title: "New ferry timetable published" });
}

async function must(app: Harness, method: string, path: string, body: unknown): Promise<any> {
  const reply = await app.call(method, path, { body });
  if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.text.slice(0, 400)}`);
  return reply.body.data;
}

export interface Scene {
  app: Harness;
  page: Page;
  isPhone: boolean;
  /** Goes to a place of the console and waits for its heading. */
  open(place: string, title: string): Promise<void>;
  seen(text: string | RegExp): Promise<void>;
}

export type Story = (scene: Scene) => Promise<void>;

async function home({ app, page, open, seen }: Scene): Promise<void> {
  await open("home", "Home");
  await seen("requests in this minute");
  await seen(/^live$/);
  await seen("validation_failed");
  await seen("Correct the fields listed in errors.");
  await seen("No outside provider is set up");
  await page.waitForFunction(() => !document.body.textContent!.includes("Loading…"));
  const count = () => page.getAttribute("[aria-label=Events]", "aria-rowcount").then(Number);
  const before = await count();
  // What happens elsewhere appears without a reload.
  const time = new Date(app.clock.now() + 3 * 3_600_000).toISOString();
  await must(app, "POST", "/delivery/schedule", {
    pickup: { address: "Berlin", time },
    dropoff: { address: "Potsdam" },
  });
  await app.clock.advance(5 * SECOND_MS);
  await app.service.settle();
  await page.waitForFunction(
    (known) => Number(document.querySelector("[aria-label=Events]")?.getAttribute("aria-rowcount")) > known,
    before,
  );
  await seen("delivery.scheduled");
}

async function delivery({ page, open, seen }: Scene): Promise<void> {
  await open("delivery/new", "Delivery");
  await page.fill("input[name=from]", ADDRESSES[0]);
  await page.fill("input[name=to]", ADDRESSES[1]);
  await seen(/ km · located by/);
  await page.click("form button:has-text('Schedule')");
  await seen("Timeline");
  await page.waitForSelector("svg.map path.land");
  await seen(/^scheduled$/);
  await page.click("text=All deliveries");
  await page.waitForSelector("[role=row].open");
}

/** The events of a drag from one element to another, with what it carries. */
async function drag(page: Page, from: Locator, to: Locator): Promise<void> {
  const dataTransfer = await page.evaluateHandle(() => new DataTransfer());
  await from.dispatchEvent("dragstart", { dataTransfer });
  await to.dispatchEvent("dragover", { dataTransfer });
  await to.dispatchEvent("drop", { dataTransfer });
  await from.dispatchEvent("dragend", { dataTransfer });
}

async function board({ app, page, isPhone, open, seen }: Scene): Promise<void> {
  const time = new Date(app.clock.now() + 20 * 3_600_000).toISOString();
  const to = `Torstraße ${isPhone ? 60 : 61}, 10119 Berlin`;
  await must(app, "POST", "/delivery/schedule", {
    pickup: { address: ADDRESSES[0], time },
    dropoff: { address: to },
    provider: "fleet",
  });
  await open("delivery/board", "Delivery");
  const job = page.locator(".job", { hasText: to }).first();
  await job.waitFor();
  const lane = page.locator("section.lane[aria-label=Otto]");
  // A finger or a keyboard chooses; a mouse drags.
  if (isPhone) await job.locator("select").selectOption({ label: "Otto" });
  else await drag(page, job, lane);
  await lane.getByText(to).first().waitFor();
  await seen(/^assigned$/);
}

async function shopping({ app, page, open, seen }: Scene): Promise<void> {
  await open("shopping", "Shopping");
  await page.fill("input[name=url]", `${app.url}/demo-shop/teaset`);
  await page.click("button:text-is('Track')");
  await seen("Where this price was found");
  // The price moves while it is watched.
  for (let i = 0; i < 12; i++) {
    await app.clock.advance(25 * SECOND_MS);
    await app.service.settle();
  }
  await page.waitForSelector(".uplot canvas");
  const other = page.locator("button.choice[aria-pressed=false]:not([disabled])").first();
  const words = /alone|with six cups/.exec((await other.textContent())!)![0];
  await other.click();
  await seen("Corrected: read from");
  await page.waitForFunction(
    (wanted) => document.querySelector(".choice[aria-pressed=true]")?.textContent?.includes(wanted),
    words,
  );
  await page.click("button:text-is('Undo')");
  await page.waitForFunction(() => !document.body.textContent!.includes("Corrected: read from"));
}

async function stock({ page, open, seen }: Scene): Promise<void> {
  await open("stock", "Stock");
  await page.fill("input[name=symbols]", "AAPL, MSFT, SAP.DE");
  await page.click("button:text-is('Watch')");
  await page.waitForSelector("[aria-label='Watch list'] [role=row] >> text=AAPL");
  await seen(/^simulated$/);
  await page.waitForSelector("[aria-label='Markets'] [role=row] >> nth=3");
}

async function alerts({ page, open, seen }: Scene): Promise<void> {
  await open("alerts", "Alerts");
  await page.fill("input[name=query]", "harbour AND fog");
  await page.selectOption("select[name=rhythm]", "day");
  await seen(
    "Whatever in all content you push matches “harbour AND fog” appears in the live stream, in a digest every day at 08:00.",
  );
  await page.selectOption("select[name=rhythm]", "instant");
  await seen(/recent items match/);
  await page.click("button:text-is('Create alert')");
  await page.fill("input[name=title]", "Fog over the harbour");
  await page.click("button:text-is('Push')");
  await page.waitForSelector("[aria-label='Matches'] mark");
  await page.selectOption("select[aria-label=Snooze]", "1 hour");
  await seen(/Snoozed until/);
  await page.click("button:text-is('Resume')");
  await page.waitForFunction(() => !document.body.textContent!.includes("Snoozed until"));
}

async function detector({ page, open, seen }: Scene): Promise<void> {
  await open("detector", "Detector");
  await page.setInputFiles("input[name=file]", { name: "pixel.png", mimeType: "image/png", buffer: PNG });
  await page.click("button:text-is('Check')");
  await seen("What the file says of itself");
  await page.click("button:text-is('Remove')");
  const file = { name: "ferry.txt", mimeType: "text/plain", buffer: Buffer.from(PROSE) };
  await page.setInputFiles("input[name=file]", file);
  await page.click("button:text-is('Check')");
  await seen("Evidence");
  await page.click("button:text-is('Remove')");
  await page.fill("textarea", PROSE);
  await page.click("button:text-is('Check')");
  await seen(/in 1,000 human texts are wrongly called AI/);
  await page.waitForSelector(".shaded");
  await page.waitForSelector("[aria-label='Kept analyses'] [role=row].open");
}

async function webhooks({ page, open, seen }: Scene): Promise<void> {
  await open("platform/webhooks", "Platform");
  await page.fill("input[name=url]", "https://example.com/hook");
  await page.click("button:text-is('Add')");
  await seen("Secret for checking signatures, shown once:");
  await page.click("[aria-label='Webhooks'] [role=row].open");
  await page.click("button:text-is('Send a test')");
  await page.click("[aria-label='Attempts'] [role=row].open");
  await seen("Replay this event");
  await seen("Forward");
  await seen(/webhook\.test/);
}

async function platform({ page, open, seen }: Scene): Promise<void> {
  await open("platform/audit", "Platform");
  await page.waitForSelector("[aria-label='Audit log'] [role=row]");
  await open("platform/mcp", "Platform");
  await seen(/mcpServers/);
  await open("platform/keys", "Platform");
  await page.fill("input[name=name]", "a browser's key");
  await page.click("button:text-is('Make key')");
  await seen("Copy it now, it is shown once:");
  await open("platform/requests", "Platform");
  await page.waitForSelector("[aria-label='Request log'] [role=row].open");
  await page.click("[aria-label='Request log'] [role=row].open >> nth=0");
  await seen("One request");
  for (const [language, text] of [
    ["Go", /client\.Request\(ctx/],
    ["Python", /client\.request\(/],
    ["TypeScript", /new ActionConnector/],
    ["curl", /curl -X/],
  ] as const) {
    await page.click(`button:text-is('${language}')`);
    await seen(text);
  }
}

async function operator({ app, page, open, seen }: Scene): Promise<void> {
  await open("operator/plans", "Operator");
  await seen(/requests in any 60 seconds/);
  await open("operator/jobs", "Operator");
  await seen("No dead jobs");
  await open("operator/health", "Operator");
  await seen(/^ready$/);
  await open("operator/settings", "Operator");
  await seen("CONNECTOR_PORT");
  await open("operator/accounts", "Operator");
  await page.fill("input[name=search]", "Grace");
  await page.waitForFunction(() => !document.querySelector("[aria-label='Accounts']")?.textContent?.includes("Ada"));
  await page.click("button:text-is('Suspend')");
  await seen(/^suspended$/);
  await page.click("button:text-is('Resume')");
  await seen(/^active$/);
  const changed = page.waitForResponse((response) => response.request().method() === "PATCH");
  await page.selectOption("select[aria-label='Plan of Grace']", "plus");
  await changed;
  await page.fill("input[name=search]", "");
  await page.waitForSelector("[aria-label='Accounts'] >> text=Ada");
  const { items } = (await app.call("GET", "/admin/accounts?search=Grace")).body.data;
  expect(items[0].plan).toBe("plus");
}

/** In the order of the navigation. */
export const STORIES: Record<string, Story> = {
  home,
  delivery,
  board,
  shopping,
  stock,
  alerts,
  detector,
  webhooks,
  platform,
  operator,
};
