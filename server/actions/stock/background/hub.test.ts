// The hub: the latest per symbol for a slow reader, one encoding for all, resume by id.
import { describe, expect, test } from "bun:test";
import { ManualClock } from "../../../lib/clock.ts";
import type { SseStream } from "../../../lib/sse-stream.ts";
import { buildQuote } from "../engine/quote/build.ts";
import { emptyDraft } from "../engine/quote/model.ts";
import { ServedQuote } from "../engine/quote/serve.ts";
import { createHub } from "./hub.ts";

function quote(symbol: string, price: string): ServedQuote {
  const trade = { price, size: 1, at: "2026-11-03T15:00:00Z", venue: null, conditions: [] };
  const draft = { ...emptyDraft(symbol, "ticks"), quotedIn: "USD", trade, sequence: price };
  const built = buildQuote(draft, { instrument: null, mic: null, calendar: null, receivedAt: "2026-11-03T15:00:00Z" });
  if (!built.ok) throw new Error(built.message);
  return new ServedQuote(built.quote, null);
}

/** A reader whose socket takes nothing until `release` is called. */
function reader(slow = false) {
  const frames: Uint8Array[] = [];
  let waiting: (() => void) | null = null;
  const stream = {
    sendBytes: (bytes: Uint8Array) => frames.push(bytes) > 0,
    drained: () => (slow ? new Promise<void>((go) => (waiting = go)) : Promise.resolve()),
    close() {},
  } as unknown as SseStream;
  const prices = () => frames.map((f) => JSON.parse(/data: (.*)\n/.exec(new TextDecoder().decode(f))![1]).last.price);
  const ids = () => frames.map((f) => /id: (\S+)/.exec(new TextDecoder().decode(f))![1]);
  return { stream, frames, prices, ids, release: () => waiting?.() };
}

const turn = () => new Promise((go) => setImmediate(go));

describe("hub", () => {
  test("a slow reader gets the first and then only the latest; a fast one gets every change", async () => {
    const hub = createHub(new ManualClock());
    const slow = reader(true);
    const fast = reader();
    hub.open(slow.stream, ["a", "b"], null);
    hub.open(fast.stream, ["a", "b"], null);
    for (let i = 1; i <= 1000; i++) {
      hub.publish("a", quote("A", String(i)));
      await Promise.resolve();
      await Promise.resolve();
    }
    hub.publish("b", quote("B", "7"));
    await turn();
    expect(slow.prices()).toEqual(["1"]);
    slow.release();
    await turn();
    expect(slow.prices()).toEqual(["1", "1000", "7"]);
    expect(fast.prices().at(-2)).toBe("1000");
    expect(fast.frames.length).toBeGreaterThan(100);
    expect(fast.frames.at(-1)).toBe(slow.frames.at(-1)!);
  });

  test("the same quote twice is sent once, and nobody listening costs nothing", async () => {
    const hub = createHub(new ManualClock());
    hub.publish("a", quote("A", "1"));
    const one = reader();
    const leave = hub.open(one.stream, ["a"], null);
    hub.publish("a", quote("A", "2"));
    hub.publish("a", quote("A", "2"));
    await turn();
    expect(one.prices()).toEqual(["2"]);
    leave();
    hub.publish("a", quote("A", "3"));
    await turn();
    expect(one.prices()).toEqual(["2"]);
  });

  test("Last-Event-ID of this run brings only what is newer; of another run, everything", async () => {
    const hub = createHub(new ManualClock());
    const keeper = reader();
    hub.open(keeper.stream, ["a", "b"], null);
    hub.publish("a", quote("A", "1"));
    hub.publish("b", quote("B", "2"));
    await turn();
    const back = reader();
    hub.open(back.stream, ["a", "b"], keeper.ids()[0]);
    const stranger = reader();
    hub.open(stranger.stream, ["a", "b"], "elsewhere.99");
    await turn();
    expect([back.prices(), stranger.prices()]).toEqual([["2"], ["1", "2"]]);
  });
});
