// The optional renderer, with a real Chromium where there is one.
import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../../lib/clock.ts";
import { createGuardFetch } from "../../../lib/guard-fetch/index.ts";
import { chromiumPath } from "../../../../tests/phone.ts";
import { extractPage } from "../engine/page/extract.ts";
import { createBrowser, withBrowser } from "./browser.ts";
import { createWebReader } from "./web.ts";

const executable = chromiumPath ?? undefined;
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
        extractPage,
      );
      const url = `http://127.0.0.1:${server.port}/app`;
      const answer = await reader.read(url, none);
      expect(extractPage({ bytes: answer.body, url }).price).toMatchObject({ amount: "42.00", currency: "EUR" });
      expect(answer.etag).toBeNull();
    },
    60_000,
  );

  test("a page that shows its price never starts a browser", async () => {
    const started = () => {
      throw new Error("started");
    };
    const reader = withBrowser(createWebReader(guard), started, extractPage);
    expect((await reader.read(`http://127.0.0.1:${server.port}/plain`, none)).status).toBe(200);
  });
});

describe("a browser that misbehaves", () => {
  const folder = mkdtempSync(join(tmpdir(), "connector-fake-browser-"));
  chmodSync(folder, 0o755);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  /** A program that stands in for Chromium. */
  const pretend = (name: string, script: string) => {
    const path = join(folder, name);
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
    return createBrowser({ executable: path, guard, clock: systemClock, userAgent: "ActionConnector/1.0" });
  };

  test("prints without end: it is ended, and what it printed is not kept", async () => {
    const before = process.memoryUsage().rss;
    await expect(pretend("endless", "exec cat /dev/zero")("https://shop.example/")).rejects.toThrow(
      "larger than a page may be",
    );
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024);
  });

  test("prints nothing, or is not there: an error that names it", async () => {
    await expect(pretend("silent", "exit 0")("https://shop.example/")).rejects.toThrow("gave back nothing");
    const missing = createBrowser({
      executable: join(folder, "missing"),
      guard,
      clock: systemClock,
      userAgent: "ActionConnector/1.0",
    });
    await expect(missing("https://shop.example/")).rejects.toThrow("gave back nothing");
  });

  test("never runs as root, and has no way around the proxy", async () => {
    const printed = Buffer.from(await pretend("args", 'id -u; echo "$@"')("https://shop.example/")).toString();
    expect(printed.split("\n")[0]).not.toBe("0");
    expect(printed).toContain("--force-webrtc-ip-handling-policy=disable_non_proxied_udp");
    expect(printed).toContain("--proxy-server=http://127.0.0.1:");
  });

  test.skipIf(!Bun.which("curl"))("a page that sends a large body through the proxy gets 413", async () => {
    const sends = `head -c 2000000 /dev/zero > "$HOME/body"
proxy=$(echo "$@" | sed 's/.*--proxy-server=\\([^ ]*\\).*/\\1/')
curl -s -o /dev/null -w '%{http_code}' -x "$proxy" --data-binary @"$HOME/body" http://127.0.0.1:${server.port}/plain`;
    const printed = Buffer.from(await pretend("sends", sends)("https://shop.example/")).toString();
    expect(printed).toContain("413");
  });
});
