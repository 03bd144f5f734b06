// The optional renderer, with a real Chromium where there is one.
import { afterAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { systemClock } from "../../../lib/clock.ts";
import { createGuardFetch } from "../../../lib/guard-fetch/index.ts";
import { extractPage } from "../engine/page/extract.ts";
import { createBrowser, withBrowser } from "./browser.ts";
import { createWebReader } from "./web.ts";

const executable = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) =>
  existsSync(path),
);
if (!executable) console.warn('SKIPPED "a page that scripts build": no Chromium on this machine.');

const seen: string[] = [];
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch(request) {
    const path = new URL(request.url).pathname;
    seen.push(path);
    if (path === "/plain") return html('<h1>Oak chair</h1><p class="price">$95.00</p>');
    if (path === "/price.json") return Response.json({ price: "42.00" });
    return html(
      '<title>Oak chair</title><div id="app"></div><script>fetch("/price.json").then((r) => r.json()).then(({ price }) => { document.getElementById("app").innerHTML = `<h1>Oak chair</h1><p class="price">€${price}</p><button>Add to cart</button>`; }); fetch("http://127.0.0.1:1/secret").catch(() => {});</script>',
    );
  },
});
const html = (body: string) => new Response(body, { headers: { "content-type": "text/html; charset=utf-8" } });
const guard = createGuardFetch({
  clock: systemClock,
  userAgent: "ActionConnector/1.0",
  allowLoopback: [`127.0.0.1:${server.port}`],
  ports: "any",
});
afterAll(async () => {
  guard.close();
  await server.stop(true);
});

const none = { etag: null, lastModified: null };

describe("a page that scripts build", () => {
  test.skipIf(!executable)(
    "is rendered, and its price read",
    async () => {
      const reader = withBrowser(
        createWebReader(guard),
        createBrowser({ executable: executable!, guard, clock: systemClock, userAgent: "ActionConnector/1.0" }),
      );
      const url = `http://127.0.0.1:${server.port}/app`;
      const answer = await reader.read(url, none);
      expect(extractPage({ bytes: answer.body, url }).price).toMatchObject({ amount: "42.00", currency: "EUR" });
      expect(answer.etag).toBeNull();
    },
    60_000,
  );

  test("a page that shows its price never starts a browser", async () => {
    const reader = withBrowser(createWebReader(guard), () => {
      throw new Error("started");
    });
    expect((await reader.read(`http://127.0.0.1:${server.port}/plain`, none)).status).toBe(200);
  });
});
