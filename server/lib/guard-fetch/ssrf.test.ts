// Every known way to write an inward address: each must be refused with no connection opened at all.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createServer } from "node:net";
import type { Server, Socket } from "node:net";
import { ManualClock } from "../clock.ts";
import { createGuardFetch, GuardError } from "./index.ts";
import { systemDial } from "./connect.ts";
import type { Dial } from "./connect.ts";

const PUBLIC = "93.184.215.14";
const dialed: string[] = [];
const countingDial: Dial = (options) => {
  dialed.push(options.address);
  return systemDial({ ...options, address: "127.0.0.1", port: 1 });
};

const names: Record<string, string[]> = {
  "public.example": [PUBLIC],
  "one-of-two.example": [PUBLIC, "10.0.0.1"],
  "private4.example": ["192.168.1.1"],
  "loop6.example": ["::1"],
  "mapped.example": ["::ffff:127.0.0.1"],
  "zone.example": ["fe80::1%eth0"],
  "nonsense.example": ["not-an-address"],
  "metadata.example": ["169.254.169.254"],
  "azure.example": ["168.63.129.16"],
  "127.0.0.1.nip.io": ["127.0.0.1"],
  "nat64.example": ["64:ff9b::a9fe:a9fe"],
};

const guarded = (extra = {}) =>
  createGuardFetch({
    clock: new ManualClock(),
    userAgent: "test",
    dial: countingDial,
    resolver: async (name) => names[name] ?? ["10.9.8.7"],
    ...extra,
  });

// Spellings of a host; each is tried as http://<host>/ and must be refused.
const HOSTS = `
127.0.0.1 127.0.0.1. 127.1 127.0.1 127.255.255.254 2130706433 017700000001 0x7f000001 0x7F.1
0x7f.0x0.0x0.0x1 0177.0.0.1 0177.0.0.01 0177.0x0.0.1 00000177.0.0.1 127.0x1 ①②⑦.⓪.⓪.① １２７.０.０.１
127。0。0。1 127｡0｡0｡1 127．0．0．1 %31%32%37%2e%30%2e%30%2e%31 1%32%37.0.0.1 localhost LOCALHOST
LocalHost localhost. lo%63alhost ⓛⓞⓒⓐⓛⓗⓞⓢⓣ ｌｏｃａｌｈｏｓｔ a.localhost a.b.localhost. foo.local
printer.local. db.internal metadata.google.internal METADATA.google.internal metadata.goog
instance-data kubernetes.default kubernetes.default.svc.cluster.local router.home.arpa intranet db
redis host.docker.internal 0 0.0.0.0 0.1 0x0 00 0.0.0.0. 10.0.0.1 10.1 167772161 012.0.0.1 0xa.0.0.1
10.255.255.255 172.16.0.1 172.31.255.255 0xac100001 192.168.0.1 192.168.1 3232235521 0300.0250.0.1
0xc0a80001 169.254.169.254 2852039166 0xa9fea9fe 0251.0376.0251.0376 169.254.43518 169.254.170.2
169.254.0.1 168.63.129.16 2822734096 0xa83f8110 100.64.0.1 100.127.255.255 100.100.100.200
1681915905 192.0.0.1 192.0.2.1 192.88.99.1 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.9
224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 4294967295 192.31.196.1 192.52.193.1
192.175.48.1 [::] [::1] [0:0:0:0:0:0:0:1] [0000:0000:0000:0000:0000:0000:0000:0001] [::0001] [0::1]
[::127.0.0.1] [::7f00:1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::FFFF:127.0.0.1]
[0:0:0:0:0:ffff:7f00:0001] [::ffff:10.0.0.1] [::ffff:a9fe:a9fe] [::ffff:0:127.0.0.1] [::10.0.0.1]
[64:ff9b::7f00:1] [64:ff9b::10.0.0.1] [64:ff9b:1::7f00:1] [2002:7f00:1::] [2002:a00:1::1]
[2002:c0a8:101::1] [2001::1] [2001:0:7f00:1::] [2001:10::1] [2001:20::1] [2001:db8::1] [3fff::1]
[5f00::1] [100::1] [100:0:0:1::1] [fc00::1] [fd00::1] [fd00:ec2::254] [fe80::1] [fe80::a9fe:a9fe]
[febf::1] [fec0::1] [ff02::1] [ff0e::1] [2620:4f:8000::1] [3ffe::1] [4000::1] [1::1] [a000::1]
[2606:4700::5efe:7f00:1] [2606:4700::200:5efe:a00:1] [fd20:ce::254] one-of-two.example
private4.example loop6.example mapped.example zone.example nonsense.example metadata.example
azure.example 127.0.0.1.nip.io nat64.example unknown.example
`
  .trim()
  .split(/\s+/);

// Whole addresses with tricks outside the host.
const URLS = [
  "http://user@public.example/",
  "http://user:secret@public.example/",
  "http://:secret@public.example/",
  "http://public.example@127.0.0.1/",
  "http://public.example:80@127.0.0.1/",
  "http://127.0.0.1:80\\@public.example/",
  "http://127.0.0.1#@public.example/",
  "http://127.0.0.1?@public.example/",
  "http:\\\\127.0.0.1\\",
  "http:127.0.0.1",
  "http:/127.0.0.1/",
  "http:///127.0.0.1/",
  "  http://127.0.0.1/",
  "http://127.0.0.1\t/",
  "ht\ntp://127.0.0.1/",
  "http://public.example\u0000.evil/",
  "http://127.0.0.1%00.public.example/",
  "http://public.example:22/",
  "http://public.example:6379/",
  "https://public.example:8443/",
  "http://public.example:65536/",
  "http://public..example/",
  "http://-public.example/",
  "http://[::1%25lo]/",
  "http://[fe80::1%25eth0]/",
  "http://[::ffff:127.0.0.1]:80/",
  "file:///etc/passwd",
  "ftp://public.example/",
  "gopher://127.0.0.1:6379/_PING",
  "data:text/plain,hi",
  "javascript:alert(1)",
  "blob:http://public.example/1",
  "ws://public.example/",
  "unix:/var/run/docker.sock",
  "http+unix://%2Fvar%2Frun%2Fdocker.sock/",
  "//127.0.0.1/",
  "/etc/passwd",
  "",
  `http://public.example/${"a".repeat(2100)}`,
];

async function refused(url: string, extra = {}): Promise<GuardError> {
  const guard = guarded(extra);
  try {
    await guard.fetch(url);
  } catch (error) {
    expect(error).toBeInstanceOf(GuardError);
    return error as GuardError;
  } finally {
    guard.close();
  }
  throw new Error(`${url} was fetched`);
}

describe("an inward address", () => {
  test("the table holds at least 120 different spellings", () => {
    expect(new Set([...HOSTS, ...URLS]).size).toBe(HOSTS.length + URLS.length);
    expect(HOSTS.length + URLS.length).toBeGreaterThanOrEqual(120);
  });

  for (const host of HOSTS) {
    test(`host ${host}`, async () => {
      dialed.length = 0;
      for (const url of [`http://${host}/`, `https://${host}/x`, `http://${host}:80/`]) {
        expect(["target_not_allowed", "invalid_url"]).toContain((await refused(url)).code);
        expect(["target_not_allowed", "invalid_url"]).toContain(await checked(url));
      }
      expect(dialed).toEqual([]);
    });
  }

  for (const url of URLS) {
    test(`address ${JSON.stringify(url.slice(0, 60))}`, async () => {
      dialed.length = 0;
      expect(["target_not_allowed", "invalid_url"]).toContain((await refused(url)).code);
      expect(dialed).toEqual([]);
    });
  }

  async function checked(url: string): Promise<string> {
    const guard = guarded();
    const code = await guard.check(url).then(
      () => "allowed",
      (e: GuardError) => e.code,
    );
    guard.close();
    return code;
  }
});

describe("a name that changes its mind", () => {
  test("is resolved once, and the checked address is the one dialed", async () => {
    dialed.length = 0;
    let asked = 0;
    const resolver = async () => (asked++ === 0 ? [PUBLIC] : ["127.0.0.1"]);
    expect((await refused("http://rebind.example/", { resolver })).code).toBe("upstream_unreachable");
    expect({ asked, dialed }).toEqual({ asked: 1, dialed: [PUBLIC] });
    dialed.length = 0;
    expect((await refused("http://rebind.example/", { resolver })).code).toBe("target_not_allowed");
    expect(dialed).toEqual([]);
  });

  test("names are looked up for every request, so a later private answer is refused on the same guard", async () => {
    let asked = 0;
    const resolver = async () => (asked++ === 0 ? [PUBLIC] : ["10.0.0.1"]);
    const guard = guarded({ resolver, pace: { gapMs: 0 } });
    const code = () =>
      guard.fetch("http://rebind.example/").then(
        () => "",
        (e: GuardError) => e.code,
      );
    expect([await code(), await code()]).toEqual(["upstream_unreachable", "target_not_allowed"]);
    guard.close();
  });
});

describe("with a real listener on loopback", () => {
  let server: Server;
  let port = 0;
  let connections = 0;
  let received = "";
  const open = new Set<Socket>();

  beforeAll(async () => {
    server = createServer((socket) => {
      connections += 1;
      open.add(socket);
      socket.on("error", () => {});
      socket.on("data", (data) => {
        received += data;
        const to = /^GET \/to\?(\S+)/.exec(String(data))?.[1];
        socket.end(
          to
            ? `HTTP/1.1 302 Found\r\nLocation: ${decodeURIComponent(to)}\r\nContent-Length: 0\r\n\r\n`
            : "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
        );
      });
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    port = (server.address() as { port: number }).port;
  });

  afterAll(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });

  test("a dialer that goes elsewhere is cut before a byte of the request leaves", async () => {
    received = "";
    const dial: Dial = (options) => systemDial({ ...options, address: "127.0.0.1", port });
    const error = await refused("http://public.example/secret", { dial });
    expect(error.code).toBe("target_not_allowed");
    expect(received).toBe("");
  });

  test("loopback opens only for the listed host and port", async () => {
    const guard = createGuardFetch({
      clock: new ManualClock(),
      userAgent: "test",
      allowLoopback: [`127.0.0.1:${port}`],
    });
    expect((await guard.fetch(`http://127.0.0.1:${port}/`)).text()).toBe("ok");
    for (const url of [
      `http://127.0.0.1:${port + 1}/`,
      `http://127.0.0.2:${port}/`,
      `http://[::1]:${port}/`,
      `http://localhost:${port}/`,
    ]) {
      expect(
        await guard.fetch(url).then(
          () => "",
          (e: GuardError) => e.code,
        ),
      ).toBe("target_not_allowed");
    }
    guard.close();
  });

  const inward = (p: number) => [
    `http://127.0.0.2:${p}/`,
    `http://[::1]:${p}/`,
    `http://localhost:${p}/`,
    "http://169.254.169.254/latest/meta-data/",
    "http://10.0.0.1/",
    "//192.168.0.1/",
    "file:///etc/passwd",
    "http://user@127.0.0.1/",
    "http://private4.example/",
    "http://2130706433/",
    "gopher://127.0.0.1/",
  ];
  test("every redirect is checked again: inward hops are refused", async () => {
    for (const to of inward(port)) {
      const before = connections;
      const allowLoopback = [`127.0.0.1:${port}`];
      const error = await refused(`http://127.0.0.1:${port}/to?${encodeURIComponent(to)}`, {
        allowLoopback,
        dial: systemDial,
      });
      expect(["target_not_allowed", "invalid_url"]).toContain(error.code);
      expect(connections - before).toBe(1);
    }
  });

  test("private networks open by setting, metadata services never do", async () => {
    dialed.length = 0;
    const allowNetworks = ["10.0.0.0/8", "169.254.0.0/16", "fd00::/8"];
    expect((await refused("http://10.1.2.3:8080/", { allowNetworks })).code).toBe("upstream_unreachable");
    expect((await refused("http://n8n/", { allowNetworks })).code).toBe("upstream_unreachable");
    expect(dialed).toEqual(["10.1.2.3", "10.9.8.7"]);
    for (const url of [
      "http://169.254.169.254/",
      "http://[fd00:ec2::254]/",
      "http://192.168.0.1/",
      "http://localhost/",
    ]) {
      const resolver = async () => ["127.0.0.1"];
      expect((await refused(url, { allowNetworks, resolver })).code).toBe("target_not_allowed");
    }
  });

  test("public addresses pass the check", async () => {
    const guard = guarded({ resolver: async () => [PUBLIC, "2606:4700:4700::1111"] });
    for (const url of [
      "http://public.example/",
      "https://public.example./x",
      "https://8.8.8.8/",
      "https://[2606:4700:4700::1111]/",
      "http://bücher.example/",
    ]) {
      await guard.check(url);
    }
    guard.close();
  });
});
