import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type Harness, startHarness } from "../../../../tests/harness.ts";

// The owned clock is walked through hours, which takes a busy machine a while.
setDefaultTimeout(120_000);

let app: Harness;
beforeAll(async () => {
  app = await startHarness();
});
afterAll(() => app.stop());

const MINUTE = 60_000;
const make = async (body: object) =>
  (await app.call("POST", "/alerts/create", { body: { channels: [{ type: "ntfy", topic: "t" }], ...body } })).body
    .data as { id: string };
const push = async (body: object) => {
  await app.call("POST", "/alerts/content", { body });
  await app.service.settle();
};
const forward = async (ms: number) => {
  await app.clock.advance(ms);
  await app.service.settle();
};
/** When each message was made, in minutes after `from`, and how many matches it told of; the oldest first. */
const told = async ({ id }: { id: string }, from: number) =>
  (await app.call("GET", `/alerts/${id}/deliveries`)).body.data.items
    .map((d: any) => [(Date.parse(d.created_at) - from) / MINUTE, d.total])
    .reverse();
const now = () => app.clock.now();

describe("rules of delivery, by the owned clock", () => {
  test("groups cool down apart", async () => {
    const from = now();
    const alert = await make({ tag: "grouped", delivery: { cooldown_s: 600, group_by: ["source"] } });
    for (const [source, text] of [
      ["a", "grouped 1"],
      ["a", "grouped 2"],
      ["b", "grouped 3"],
      ["b", "grouped 4"],
      ["b", "grouped 5"],
    ])
      await push({ source, text });
    await forward(10 * MINUTE);
    expect(await told(alert, from)).toEqual([
      [0, 1],
      [0, 1],
      [10, 1],
      [10, 2],
    ]);
  });

  test("quiet hours hold everything until they end, by the reader's wall", async () => {
    const from = now();
    const clock = (ms: number) =>
      new Date(ms).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: "Asia/Kolkata" });
    const quiet = { from: clock(from + 30 * MINUTE), to: clock(from + 90 * MINUTE), timezone: "Asia/Kolkata" };
    const alert = await make({ tag: "quiet", delivery: { quiet_hours: [quiet] } });
    await push({ text: "quiet 1" });
    await forward(45 * MINUTE);
    await push({ text: "quiet 2" });
    await push({ text: "quiet 3" });
    await forward(44 * MINUTE);
    expect(await told(alert, from)).toEqual([[0, 1]]);
    await forward(MINUTE);
    expect(await told(alert, from)).toEqual([
      [0, 1],
      [90, 2],
    ]);
  });

  test("a cap per hour lets no more through, and loses nothing", async () => {
    const from = now();
    const alert = await make({ tag: "capped", delivery: { max_per_hour: 2 } });
    for (let i = 0; i < 6; i++) await push({ text: `capped ${i}` });
    for (let k = 0; k < 8; k++) await forward(10 * MINUTE);
    const messages = await told(alert, from);
    expect(messages.filter(([at]: [number, number]) => at < 60)).toEqual([
      [0, 1],
      [0, 1],
    ]);
    expect(messages.reduce((sum: number, [, total]: [number, number]) => sum + total, 0)).toBe(6);
  });

  test("a cooldown that drops says with the next message how much", async () => {
    const from = now();
    const alert = await make({ tag: "dropped", delivery: { cooldown_s: 600, cooldown_mode: "drop" } });
    for (let i = 0; i < 4; i++) await push({ text: `dropped ${i}` });
    await forward(10 * MINUTE);
    await push({ text: "dropped last" });
    expect(await told(alert, from)).toEqual([
      [0, 1],
      [10, 1],
    ]);
    const [event] = (await app.call("GET", "/events?type=alert.matched")).body.data.items.filter(
      (e: any) => e.data.alert.id === alert.id && e.data.matches[0].item.summary === "dropped last",
    );
    expect(event.data.suppressed_since_last).toMatchObject({ cooldown: 3 });
  });

  test("a digest that was asked to come empty comes every hour", async () => {
    const from = now();
    const digest = { every: "hour", at: "00:20", send_empty: true };
    const alert = await make({ tag: "nothing", delivery: { mode: "digest", digest } });
    const wait = ((80 - ((from / MINUTE) % 60)) % 60 || 60) * MINUTE;
    await forward(wait - 1000);
    expect(await told(alert, from + wait)).toEqual([]);
    await forward(1000);
    for (let hour = 0; hour < 2; hour++) await forward(60 * MINUTE);
    expect(await told(alert, from + wait)).toEqual([
      [0, 0],
      [60, 0],
      [120, 0],
    ]);
  });

  test("a snooze until the condition clears ends when it does", async () => {
    const alert = await make({ tag: "snoozed", condition: { field: "price", op: "lt", value: 30 } });
    expect((await app.call("POST", `/alerts/${alert.id}/snooze`, { body: { until_clear: true } })).status).toBe(200);
    for (const price of [20, 40, 25]) await push({ text: `snoozed at ${price}`, numbers: { price } });
    const { items } = (await app.call("GET", `/alerts/${alert.id}/matches`)).body.data;
    expect(items.map((m: any) => [m.state, m.reason, m.item.numbers.price])).toEqual([
      ["notified", null, "25"],
      ["suppressed", "snoozed", "20"],
    ]);
  });
});
