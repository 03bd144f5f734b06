// The suite every courier service passes, against a local server that speaks its documented shape.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createGuardFetch } from "../../../lib/guard-fetch/index.ts";
import { type Clock, ManualClock, systemClock } from "../../../lib/clock.ts";
import type { State } from "../contract/states.ts";
import { RANK } from "../machine.ts";
import type { Way } from "./ask.ts";
import { type CourierJob, type CourierProvider, ProviderFailure } from "./port.ts";

/** A local stand-in of a service. */
export interface Fake {
  url: string;
  /** Every request it got. */
  requests: { method: string; path: string; headers: Headers; body: any }[];
  /** Puts the delivery into one of the service's own states. */
  set(state: string): void;
  /** Makes the next requests fail: a status, or garbage, or a refusal to cancel. */
  fail(how: number | "garbage" | "no_cancel" | null): void;
  stop(): void;
}

export interface Conformance {
  name: string;
  start(): Fake;
  make(url: string, way: Way, clock: Clock): CourierProvider;
  /** Every state of theirs, and what it is in our words. */
  states: [theirs: string, ours: State][];
  /** A webhook as they send it, signed. */
  hook(state: string, ref: string): { headers: Record<string, string>; body: string; ours: State };
  /** Whether the request was authorised as documented. */
  authorised(headers: Headers): boolean;
}

export const job: CourierJob = {
  id: "dlv_01KB2M3N4P5Q6R7S8T9V0W1X2Y",
  pickup: { address: "350 5th Ave, New York", lat: 40.7484, lon: -73.9857, name: "Shop", phone: "+12125550100" },
  dropoff: { address: "1 Main St, Brooklyn", lat: null, lon: null, name: "Ada", phone: "+12125550101" },
  pickupMs: Date.parse("2026-11-01T15:00:00Z"),
  arriveMs: Date.parse("2026-11-01T15:50:00Z"),
  items: [{ name: "Lamp", quantity: 2 }],
  notes: "Ring twice",
  proof: ["photo"],
};

export function courierConformance(suite: Conformance): void {
  describe(`${suite.name} keeps the port's promises`, () => {
    let fake: Fake;
    let provider: CourierProvider;
    const clock = new ManualClock("2026-11-01T12:00:00Z");
    let guard: ReturnType<typeof createGuardFetch>;
    beforeAll(() => {
      fake = suite.start();
      guard = createGuardFetch({
        clock: systemClock,
        userAgent: "test",
        allowLoopback: [new URL(fake.url).host],
        ports: "any",
      });
      provider = suite.make(fake.url, way(), clock);
    });
    afterAll(() => {
      fake.stop();
      guard.close();
    });
    /** Without the politeness that would let one refused call block the next. */
    const way = (): Way => ({ fetch: (url, options) => guard.fetch(url, { ...options, polite: false }) });

    test("makes a delivery under our id, with credentials, and twice is once", async () => {
      const placed = await provider.create(job);
      expect(placed.ref.length).toBeGreaterThan(0);
      expect(fake.requests.every((r) => suite.authorised(r.headers) || r.path.includes("oauth"))).toBe(true);
      expect(JSON.stringify(fake.requests)).toContain(job.id);
      expect(JSON.stringify(fake.requests)).toContain("350 5th Ave, New York");
    });

    test("every state of theirs is one of ours", async () => {
      const { ref, dropoffRef } = await provider.create(job);
      for (const [theirs, ours] of suite.states) {
        fake.set(theirs);
        const report = await provider.read(ref, dropoffRef);
        expect([theirs, report.state]).toEqual([theirs, ours]);
        expect(RANK[report.state]).toBeDefined();
      }
    });

    test("cancels, and says when it is too late", async () => {
      const { ref, dropoffRef } = await provider.create(job);
      await provider.cancel(ref, dropoffRef);
      fake.fail("no_cancel");
      expect(await kindOf(provider.cancel(ref, dropoffRef))).toBe("not_cancelable");
      fake.fail(null);
    });

    test("a failure is told apart: ours to retry, theirs to refuse, wrong credentials, garbage", async () => {
      const expected: [number | "garbage", string][] = [
        [503, "unreachable"],
        [429, "unreachable"],
        [400, "refused"],
        [401, "unauthorized"],
        ["garbage", "garbled"],
      ];
      for (const [how, kind] of expected) {
        fake.fail(how);
        expect([how, await kindOf(provider.create(job))]).toEqual([how, kind]);
      }
      fake.fail(null);
      const nowhere = suite.make("http://127.0.0.1:1", way(), clock);
      expect(await kindOf(nowhere.create(job))).toBe("unreachable");
    });

    test("takes signed reports, refuses forged ones", async () => {
      const { ref, dropoffRef } = await provider.create(job);
      for (const [theirs] of suite.states.slice(0, 3)) {
        const { headers, body, ours } = suite.hook(theirs, dropoffRef ?? ref);
        const [report] = provider.receive(new Headers(headers), Buffer.from(body)) ?? [];
        expect([theirs, report.state, typeof report.eventId]).toEqual([theirs, ours, "string"]);
        expect(provider.receive(new Headers({}), Buffer.from(body))).toBeNull();
      }
      const { headers, body } = suite.hook(suite.states[0][0], ref);
      const forged = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [
          name,
          `${value.slice(0, -1)}${value.endsWith("0") ? "1" : "0"}`,
        ]),
      );
      expect(provider.receive(new Headers(forged), Buffer.from(body))).toBeNull();
    });
  });
}

async function kindOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "worked";
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    return error.kind;
  }
}

/** A local HTTP server around one function, keeping what it was asked. */
export function serveFake(
  answer: (
    request: Fake["requests"][number],
    failing: Parameters<Fake["fail"]>[0],
    state: string,
  ) => Response | unknown,
): Fake {
  const requests: Fake["requests"] = [];
  let failing: Parameters<Fake["fail"]>[0] = null;
  let state = "";
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const text = await request.text();
      const json = request.headers.get("content-type")?.includes("json");
      const seen = {
        method: request.method,
        path: pathname + search,
        headers: request.headers,
        body: json ? JSON.parse(text) : text,
      };
      requests.push(seen);
      if (typeof failing === "number" && !pathname.includes("oauth"))
        return Response.json({ code: "x", message: "no" }, { status: failing });
      if (failing === "garbage" && !pathname.includes("oauth")) return new Response("<html>oops", { status: 200 });
      const out = answer(seen, failing, state);
      return out instanceof Response ? out : Response.json(out);
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    requests,
    set: (to) => {
      state = to;
    },
    fail: (how) => {
      failing = how;
    },
    stop: () => void server.stop(true),
  };
}
