// The pages a newcomer meets: they load nothing from elsewhere, every link leads somewhere, search finds what is there.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Harness, startHarness } from "../../tests/harness.ts";
import { errors } from "../contract/errors.ts";
import { routes as allRoutes } from "../contracts.ts";
import { GUIDES } from "./guides.ts";

let app: Harness;
beforeAll(async () => {
  app = await startHarness();
});
afterAll(() => app.stop());

const get = (path: string, headers: Record<string, string> = {}) => app.call("GET", `/${path}`, { key: null, headers });
const PAGES = [
  "/",
  "/docs",
  "/docs/reference",
  "/docs/errors",
  "/docs/search?q=quota",
  ...GUIDES.map((g) => `/docs/${g.slug}`),
];

describe("every page", () => {
  test.each(PAGES)("%s is HTML under a strict policy and names no other host", async (path) => {
    const reply = await get(path);
    expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    const policy = reply.headers.get("content-security-policy")!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain("unsafe");
    const loaded = [...reply.text.matchAll(/<(?:script|link|img|iframe)[^>]+(?:src|href)="([^"]+)"/g)].map(
      ([, url]) => url,
    );
    expect(loaded.filter((url) => !url.startsWith("/"))).toEqual([]);
    expect(reply.text).not.toMatch(/<script>|\sstyle="|\son\w+="/);
  });

  test("no link is broken", async () => {
    const ids = new Map<string, Set<string>>();
    const broken: string[] = [];
    const known = (path: string) => ["/console", "/mcp"].includes(path);
    for (const page of PAGES) {
      const { text } = await get(page);
      ids.set(page.split("?")[0], new Set([...text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id)));
    }
    for (const page of PAGES) {
      const { text } = await get(page);
      for (const [, href] of text.matchAll(/<a[^>]+href="([^"]+)"/g)) {
        const [path, hash] = href.split("#");
        const target = path || page.split("?")[0];
        if (!target.startsWith("/")) {
          broken.push(`${page}: ${href}`);
          continue;
        }
        if (!ids.has(target) && !known(target) && (await get(target)).status >= 400) broken.push(`${page}: ${href}`);
        if (hash && ids.has(target) && !ids.get(target)!.has(decodeURIComponent(hash))) broken.push(`${page}: ${href}`);
      }
    }
    expect(broken).toEqual([]);
  });
});

test("every error's type lands on its entry", async () => {
  const { text } = await get("/docs/errors");
  for (const code of Object.keys(errors)) expect(text).toContain(`id="${code}"`);
  const refused = await app.call("GET", "/delivery/dlv_01M6BFP5G0736Q1C8KRXDJM0R9");
  expect(refused.body.error.type).toBe(`${app.url}/docs/errors#not_found`);
});

test("the landing page holds the real address and the first call in four languages", async () => {
  const { text } = await get("/");
  expect(text).toContain(`${app.url}/api/v1/`);
  for (const language of ["bash", "ts", "python", "go"]) expect(text).toContain(`data-language="${language}"`);
});

test("the reference shows every operation", async () => {
  const { text } = await get("/docs/reference");
  for (const route of allRoutes.filter((r) => r.mount !== "root")) expect(text).toContain(`id="${route.id}"`);
});

describe("search", () => {
  test.each([
    ["retry twice", "/docs/idempotency"],
    ["verify signature", "/docs/webhooks#verify-the-signature"],
    ["is the market open", "/docs/stock#is-the-market-open"],
    ["claude", "/docs/mcp#connect"],
    ["cancel a delivery", "/docs/reference#delivery.cancel"],
  ])("%s leads to %s", async (question, href) => {
    const { body } = await get(`/docs/search.json?q=${encodeURIComponent(question)}`);
    expect(body.slice(0, 4).map((hit: { href: string }) => hit.href)).toContain(href);
  });
});

describe("for readers of plain text", () => {
  test("a guide as Markdown, a list, and everything in one file", async () => {
    expect((await get("/docs/delivery.md")).text).toStartWith("# Delivery");
    expect((await get("/llms.txt")).text).toContain(`${app.url}/docs/delivery.md`);
    expect((await get("/llms-full.txt")).text).toContain("# Idempotency");
  });

  test("404 for a guide or a file that does not exist, 304 for a page that is known", async () => {
    expect((await get("/docs/nothing")).status).toBe(404);
    expect((await get("/docs/assets/nothing")).status).toBe(404);
    for (const name of ["docs.css", "docs.js", "icon.svg"])
      expect((await get(`/docs/assets/${name}`)).status).toBe(200);
    const etag = (await get("/docs")).headers.get("etag")!;
    expect((await get("/docs", { "If-None-Match": etag })).status).toBe(304);
  });
});
