// An account names its own SMS gateway: wherever that address leads, the notice never reaches the inside of the network.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { ManualClock } from "../../../lib/clock.ts";
import { createGuardFetch } from "../../../lib/guard-fetch/index.ts";
import { plain, type RawServer, rawServer } from "../../../lib/guard-fetch/raw-server.ts";
import { noticeJob } from "./notices.ts";

let inside: RawServer;
let gateway: RawServer;
beforeAll(async () => {
  inside = await rawServer(({ socket }) => plain(socket, "secret"));
  gateway = await rawServer(({ socket, path }) => {
    const to = path.startsWith("/to/") ? decodeURIComponent(path.slice(4)) : null;
    plain(socket, "", to ? { Location: to } : {}, to ? 307 : 202);
  });
});
afterAll(async () => {
  await inside.stop();
  await gateway.stop();
});

/** Runs the job for one live delivery of an account with this gateway; says what was recorded. */
async function notice(smsUrl: string): Promise<string> {
  const clock = new ManualClock();
  const names: Record<string, string> = { "private.example": "10.0.0.1", "inward.example": "127.0.0.1" };
  const guard = createGuardFetch({
    clock,
    userAgent: "t",
    allowLoopback: [gateway.host],
    resolver: async (name) => [names[name] ?? "169.254.169.254"],
  });
  const sent: { status: string }[] = [];
  const view = {
    dropoff: {
      notify: { phone: "+4915112345678", email: null, language: "en", sent },
      estimated_arrival: "2026-11-15T12:00:00Z",
    },
    locations: { dropoff: { time_zone: "UTC" }, pickup: { time_zone: null } },
  };
  const row = { id: "dlv_1", tenantId: 1, mode: "live", view };
  const store = {
    find: async () => row,
    lock: async () => row,
    save: async () => {},
    notices: { isStopped: async () => false },
    facts: { get: async () => ({ settings: { sms_url: smsUrl, brand: null } }) },
  };
  const platform = { clock, guard, db: { sql: { begin: (work: (tx: object) => unknown) => work({}) } } };
  const job = noticeJob({ platform, store, mailer: null } as never);
  await job.run({ id: "dlv_1", tenantId: 1, event: "near" } as never, { attempt: 1 } as never);
  guard.close();
  return sent.map(({ status }) => status).join();
}

test("a gateway that may be reached takes the message", async () => {
  expect(await notice(`http://${gateway.host}/send`)).toBe("sent");
  expect(gateway.calls.at(-1)!.body).toContain("+4915112345678");
});

test("a gateway that points inward, however it is written, gets no connection and is not tried again", async () => {
  const hosts = ["127.0.0.1", "[::ffff:127.0.0.1]", "0x7f.1", "2130706433", "localhost", "[::1]", "inward.example"];
  const urls = hosts.map((host) => `http://${host}:${inside.port}/`);
  for (const url of [...urls, "http://private.example/", "http://metadata.example/", "http://169.254.169.254/"])
    expect([url, await notice(url)]).toEqual([url, "failed"]);
  expect(inside.connections()).toBe(0);
});

test("a redirect of the gateway is not followed", async () => {
  const to = encodeURIComponent(`http://${inside.host}/`);
  expect(await notice(`http://${gateway.host}/to/${to}`)).toBe("failed");
  expect(inside.connections()).toBe(0);
});
