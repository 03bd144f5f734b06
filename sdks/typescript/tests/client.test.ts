// What needs no service: settings, redaction, header and event-stream reading, webhook signatures.
import { afterEach, describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import {
  ActionConnector,
  type ClientOptions,
  NotFoundError,
  readQuota,
  signWebhook,
  SseParser,
  unwrapWebhook,
  verifyWebhook,
  version,
  WebhookVerificationError,
  withDates,
} from "../src/index.ts";
import { createLog } from "../src/log.ts";
import { fakeFetch, type FakeRequest, Refusal } from "../src/testing.ts";
import { readRetryAfter } from "../src/retry.ts";

const vectors = JSON.parse(readFileSync(join(import.meta.dir, "../../cases/vectors.json"), "utf8"));
const now = vectors.now * 1000;

test("the version is that of the package", () => {
  expect(JSON.parse(readFileSync(join(import.meta.dir, "../package.json"), "utf8")).version).toBe(version);
});

describe("the shared vectors", () => {
  test("Retry-After", () => {
    for (const { headers, ms } of vectors.retry_after) expect(readRetryAfter(new Headers(headers), now)).toBe(ms);
  });

  test("quota headers", () => {
    for (const { headers, none, reset_in, ...want } of vectors.quota) {
      const seen = readQuota(new Headers(headers), now);
      if (none) expect(seen).toBeNull();
      else
        expect({
          policy: seen!.policy,
          limit: seen!.limit,
          remaining: seen!.remaining,
          window_seconds: seen!.windowSeconds,
          at: seen!.resetAt,
        }).toEqual({ ...want, at: now + reset_in * 1000 });
    }
  });

  test("event streams, in pieces and character by character", () => {
    for (const { pieces, events, retry_ms } of vectors.events) {
      for (const given of [pieces, [...pieces.join("")]]) {
        const parser = new SseParser();
        expect(given.flatMap((piece: string) => parser.push(piece))).toEqual(events);
        expect(parser.retryMs).toBe(retry_ms ?? null);
      }
    }
  });

  test("base addresses", () => {
    for (const { given, base } of vectors.base_urls) {
      const make = () => new ActionConnector({ apiKey: vectors.keys.good, baseUrl: given }).baseUrl;
      if (base) expect(make()).toBe(base);
      else expect(make).toThrow("base address");
    }
  });
});

describe("settings", () => {
  afterEach(() => {
    delete process.env.ACTION_CONNECTOR_API_KEY;
    delete process.env.ACTION_CONNECTOR_BASE_URL;
  });

  test("come from the environment, and are asked for by name when missing", () => {
    expect(() => new ActionConnector()).toThrow("ACTION_CONNECTOR_API_KEY");
    process.env.ACTION_CONNECTOR_API_KEY = vectors.keys.good;
    expect(() => new ActionConnector()).toThrow("ACTION_CONNECTOR_BASE_URL");
    process.env.ACTION_CONNECTOR_BASE_URL = "https://api.example.com";
    expect(new ActionConnector().baseUrl).toBe("https://api.example.com/api/v1");
  });

  test("a key that cannot be one is refused without being shown", () => {
    for (const apiKey of vectors.keys.bad.filter(Boolean)) {
      expect(() => new ActionConnector({ apiKey, baseUrl: "https://x.example" })).toThrow(/^The API key holds/);
    }
  });

  test("no way of printing shows the key", () => {
    const client = new ActionConnector({ apiKey: vectors.keys.good, baseUrl: "https://x.example" });
    const prints = [
      String(client),
      inspect(client, { depth: 9, showHidden: true }),
      JSON.stringify(client),
      `${client.delivery}`,
      inspect(client.delivery, { depth: 9, showHidden: true }),
      Bun.inspect(client),
    ];
    for (const text of prints) expect(text).not.toContain(vectors.keys.good);
    expect(prints[0]).toContain(vectors.keys.shown);
  });
});

test("pacing: calls side by side never spend more than is left", async () => {
  let clock = now;
  let left = 3;
  const sentAt: number[] = [];
  const answer = () =>
    new Response('{"success":true,"data":{}}', {
      headers: { RateLimit: `"free";r=${left};t=10`, "RateLimit-Policy": '"free";q=3;w=10' },
    });
  const client = new ActionConnector({
    apiKey: vectors.keys.good,
    baseUrl: "https://x.example",
    pacing: true,
    fetch: async () => {
      if (clock >= now + 10_000 && left === 0) left = 3;
      left--;
      sentAt.push(clock - now);
      expect(left).toBeGreaterThanOrEqual(0);
      return answer();
    },
    runtime: {
      now: () => clock,
      sleep: async (ms) => {
        await new Promise((go) => setImmediate(go));
        clock = Math.max(clock, now + 10_000 * Math.ceil(Math.min(ms, 10_000) / 10_000));
      },
    },
  });
  await client.user.profile();
  await Promise.all(Array.from({ length: 4 }, () => client.user.profile()));
  expect(sentAt.slice(0, 3)).toEqual([0, 0, 0]);
  expect(sentAt.slice(3).every((at) => at >= 10_000)).toBe(true);
});

const sign = (secret: string, id: string, timestamp: number, body: string) =>
  `v1,${createHmac("sha256", Buffer.from(secret.replace(/^whsec_/, ""), "base64"))
    .update(`${id}.${timestamp}.${body}`)
    .digest("base64")}`;

describe("webhooks", () => {
  const secret = `whsec_${Buffer.from("a secret of twenty-four!").toString("base64")}`;
  const other = `whsec_${Buffer.from("another one, just as long").toString("base64")}`;
  const body = JSON.stringify({ id: "evt_1", type: "delivery.scheduled", data: { note: "zwölf €" } });
  const headers = {
    "Webhook-Id": "evt_1",
    "webhook-timestamp": String(vectors.now),
    "webhook-signature": sign(secret, "evt_1", vectors.now, body),
  };

  test("are unwrapped with any of several secrets, as text or bytes", async () => {
    expect(((await unwrapWebhook(body, headers, [other, secret], { now })) as any).data.note).toBe("zwölf €");
    await verifyWebhook(new TextEncoder().encode(body), new Headers(headers), secret, { now });
  });

  test("are refused when changed, stale or signed by another", async () => {
    const refused = async (...given: Parameters<typeof verifyWebhook>) =>
      expect(verifyWebhook(...given)).rejects.toBeInstanceOf(WebhookVerificationError);
    await refused(`${body} `, headers, secret, { now });
    await refused(body, headers, other, { now });
    await refused(body, headers, secret, { now: now + 301_000 });
    await refused(body, headers, secret, { now: now - 301_000 });
    await refused(body, { ...headers, "webhook-signature": "v1," }, secret, { now });
    await verifyWebhook(body, headers, secret, { now: now + 600_000, toleranceSeconds: 600 });
  });
});

describe("signatures and event streams, the same cases in every language", () => {
  const read = (name: string) => JSON.parse(readFileSync(join(import.meta.dir, "../../cases", name), "utf8"));
  const webhooks = read("signatures.json");
  for (const v of webhooks.sign) {
    test(`signature: ${v.name}`, async () => {
      const headers = { "webhook-id": v.id, "webhook-timestamp": String(v.timestamp), "webhook-signature": v.expected };
      await verifyWebhook(v.payload, headers, v.public ?? v.secret, { now: v.timestamp * 1000 });
      await expect(
        verifyWebhook(`${v.payload} `, headers, v.public ?? v.secret, { now: v.timestamp * 1000 }),
      ).rejects.toThrow();
    });
  }
  for (const v of webhooks.verify) {
    test(`verify: ${v.name}`, async () => {
      const timestamp = vectors.now + v.timestamp_offset_s;
      const right = sign(v.secret, v.id, timestamp, v.payload);
      const cut = (text: string) =>
        text.replace(/\{sig(?::(\d+):(\d+))?\}/g, (_, from, to) => (from ? right.slice(+from, +to) : right));
      const headers: Record<string, string> = {
        "webhook-id": v.id,
        "webhook-timestamp": String(timestamp),
        "webhook-signature": right,
      };
      for (const [name, value] of Object.entries<string | null>(v.header_overrides))
        value === null ? delete headers[name] : (headers[name] = cut(value));
      const accepted = await verifyWebhook(v.payload, headers, v.secret, { now }).then(
        () => true,
        () => false,
      );
      expect(accepted).toBe(v.accept);
    });
  }
  for (const { secret } of webhooks.bad_secrets) {
    test(`bad secret ${JSON.stringify(secret)}`, async () => {
      await expect(verifyWebhook("", {}, secret)).rejects.toBeInstanceOf(TypeError);
    });
  }
  for (const c of read("streams.json")) {
    test(`event stream: ${c.name}`, () => {
      for (const pieces of [[c.stream], [...c.stream]]) {
        const parser = new SseParser();
        const seen = pieces.flatMap((piece: string) => parser.push(piece));
        expect(seen.map(({ event, data }) => ({ event, data }))).toEqual(
          c.events.map(({ event, data }: any) => ({ event, data })),
        );
        c.events.forEach((e: any, n: number) => e.lastEventId !== undefined && expect(seen[n].id).toBe(e.lastEventId));
      }
    });
  }
});

describe("for the tests of users", () => {
  const clientOf = (routes: Parameters<typeof fakeFetch>[0], more: Partial<ClientOptions> = {}) => {
    const fetch = fakeFetch(routes);
    const client = new ActionConnector({ apiKey: "acn_test_fake", baseUrl: "https://fake.example", fetch, ...more });
    return { client, requests: fetch.requests };
  };

  test("a fake answers, refuses and remembers", async () => {
    const { client, requests } = clientOf({
      "POST /delivery/couriers": ({ body }: FakeRequest) => ({ id: "crr_1", name: body.name }),
      "GET /delivery/{id}": new Refusal(404, "not_found", "No such delivery."),
    });
    expect((await client.delivery.couriers.create({ name: "Ada" })).id).toBe("crr_1");
    const refused = await client.delivery.get("dlv_1").catch((error) => error);
    expect(refused).toBeInstanceOf(NotFoundError);
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /delivery/couriers",
      "GET /delivery/dlv_1",
    ]);
  });

  test("any route can be called by hand", async () => {
    const { client, requests } = clientOf({ "GET /later/route": { later: true } });
    const response = await client.request({ method: "GET", path: "/later/route", query: { a: 1 } });
    expect([response.status, (await response.json()).data]).toEqual([200, { later: true }]);
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual(["GET /later/route"]);
  });

  test("a signed webhook passes, and webhook.test is a known type", async () => {
    const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    const body = JSON.stringify({ id: "evt_1", type: "webhook.test", data: { webhook_id: "whk_1" } });
    const event = await unwrapWebhook(body, await signWebhook(body, secret, { id: "evt_1" }), secret);
    expect(event.type === "webhook.test" && event.data.webhook_id).toBe("whk_1");
  });

  test("dates are sent as times, and the times of an answer become dates", async () => {
    const { client, requests } = clientOf({
      "POST /delivery/schedule": ({ body }: FakeRequest) => ({ pickup: { scheduled_time: body.pickup.time } }),
      "GET /delivery": { items: [], has_more: false, next_cursor: null },
    });
    const time = new Date("2026-12-01T15:00:00Z");
    const params = { pickup: { address: "350 5th Ave", time }, dropoff: { address: "Downtown Brooklyn" } };
    const delivery = withDates(await client.delivery.schedule(params));
    expect(delivery.pickup.scheduled_time.getTime()).toBe(time.getTime());
    await client.delivery.list({ from: time });
    expect(requests.map((r) => r.body?.pickup.time ?? r.query.from)).toEqual([
      "2026-12-01T15:00:00.000Z",
      "2026-12-01T15:00:00.000Z",
    ]);
  });

  test("each attempt is one line of the log, without the key", async () => {
    const lines: string[] = [];
    const log = (line: string) => void lines.push(line.replace(/\d+ ms/, "N ms"));
    const { client } = clientOf({ "GET /user/profile": {} }, { log });
    await client.user.profile();
    expect(lines).toEqual(["action-connector: GET /user/profile 200 N ms req_fake"]);
  });

  test("ACTION_CONNECTOR_LOG turns the log on", () => {
    process.env.ACTION_CONNECTOR_LOG = "error";
    expect(createLog(undefined, undefined).level).toBe("error");
    delete process.env.ACTION_CONNECTOR_LOG;
    expect(createLog(undefined, undefined).level).toBe("off");
  });

  test("a call that can only fail does not compile", () => {
    const { client } = clientOf({});
    const never = () => [
      // @ts-expect-error neither symbol nor symbols
      client.stock.quote({}),
      // @ts-expect-error both
      client.stock.quote({ symbol: "AAPL", symbols: ["VOD.L"] }),
      // @ts-expect-error nothing to watch for
      client.alerts.create({}),
      // @ts-expect-error no page
      client.shopping.track(),
      client.stock.quote({ symbol: "AAPL" }),
    ];
    expect(typeof never).toBe("function");
  });
});
