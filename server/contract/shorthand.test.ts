// Natural shorthand with one reading is taken, and means what it says; over real HTTP.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Harness, startHarness } from "../../tests/harness.ts";
import { Compile } from "typebox/compile";
import { ChannelSpec } from "../actions/alerts/contract/requests.ts";
import { asChannelAddress } from "../actions/alerts/contract/shorthand.ts";
import { contract } from "../contracts.ts";
import { asNumber, type Form } from "./shorthand.ts";

let app: Harness;
beforeAll(async () => {
  app = await startHarness();
});
afterAll(() => app.stop());

const alert = async (body: object) => (await app.call("POST", "/alerts/create", { body })).body;

describe("alerts", () => {
  test("tags as a list", async () => {
    const list = await alert({ tags: ["kettle", "teapot"] });
    const whole = await alert({ tags: { any: ["kettle", "teapot"] } });
    expect(list.data.query.canonical).toBe(whole.data.query.canonical);
  });

  test("one tag as text", async () => {
    const one = await alert({ tag: "kettle" });
    const list = await alert({ tags: ["kettle"] });
    expect(one.data.query.canonical).toBe('"kettle"');
    expect(list.data.query.canonical).toBe(one.data.query.canonical);
  });

  test.each([
    ["tag", { tag: "🎉" }],
    ["tags", { tags: ["🎉"] }],
    ["query", { query: "🎉 OR kettle" }],
  ])("an emoji in %s matches it in a text, as a hashtag and as a tag", async (_, watched) => {
    const content = [{ text: "We launched 🎉 today" }, { text: "#🎉" }, { text: "x", tags: ["🎉"] }, { text: "🎈" }];
    const reply = await app.call("POST", "/alerts/preview", { body: { ...watched, content } });
    expect([reply.status, reply.body.data.preview?.matched]).toEqual([200, 3]);
  });

  test("a feed's address as a source", async () => {
    const { data } = await alert({ tag: "kettle", sources: ["https://feeds.demo.test/news.xml"] });
    expect(data.sources).toMatchObject([{ type: "feed", url: "https://feeds.demo.test/news.xml" }]);
  });

  test("a mail address as a channel", async () => {
    const { data } = await alert({ tag: "kettle", channels: ["mailto:ada@example.com"] });
    expect(data.channels).toMatchObject([{ type: "email" }]);
  });

  test.each<[string, object]>([
    ["mailto:ada@example.com", { type: "email", to: "ada@example.com" }],
    ["https://example.com/hook", { type: "webhook", url: "https://example.com/hook" }],
    ["jsons://example.com/hook", { type: "webhook", url: "https://example.com/hook" }],
    ["slack://A/%/C", { type: "slack", url: "https://hooks.slack.com/services/A/%/C" }],
    ["slack://A/B/C", { type: "slack", url: "https://hooks.slack.com/services/A/B/C" }],
    ["discord://123/tok", { type: "discord", url: "https://discord.com/api/webhooks/123/tok" }],
    ["tgram://123:tok/-100", { type: "telegram", token: "123:tok", chat_id: "-100" }],
    ["ntfy://kettle", { type: "ntfy", topic: "kettle" }],
    ["ntfys://push.example/kettle", { type: "ntfy", topic: "kettle", base_url: "https://push.example" }],
    ["gotifys://push.example/tok", { type: "gotify", token: "tok", base_url: "https://push.example" }],
    ["mmosts://chat.example/tok", { type: "mattermost", url: "https://chat.example/hooks/tok" }],
    [
      "matrixs://tok@m.example/!r:m.example",
      { type: "matrix", token: "tok", room_id: "!r:m.example", base_url: "https://m.example" },
    ],
    ["pagerduty://key@api", { type: "pagerduty", routing_key: "key" }],
  ])("%s", (text, channel) => {
    expect(asChannelAddress.read(text)).toEqual(channel);
  });

  test.each([
    `mailto:0@${"0".repeat(600)}`,
    `mailto:${"a".repeat(65)}@example.com`,
    "ada@example.com",
    `ntfy://${"t".repeat(65)}`,
    "ntfy://push.example/a b",
    "ntfy://user@kettle",
    `tgram://tok/${"1".repeat(101)}`,
    "matrix://tok@m.example/%41",
    "matrix://tok@m.example/%21r",
    `slack://A/B/${"C".repeat(1880)}`,
    `pagerduty://${"k".repeat(501)}`,
    "discord://123",
    "gotify://h/t?priority=5",
  ])("%s is refused by its pattern or becomes a channel that is taken", (text) => {
    const form = Compile(asChannelAddress.schema as any);
    expect(!form.Check(text) || Compile(ChannelSpec).Check(asChannelAddress.read(text))).toBe(true);
  });

  test("an address of no known channel stays text, and is refused with an example", async () => {
    const { error } = await alert({ tag: "kettle", channels: ["slack://only-one-part"] });
    expect([error.errors[0].pointer, error.hint]).toEqual([
      "/channels/0",
      'Send e.g. {"type":"email","to":"ada@example.com"}',
    ]);
  });
});

describe("every form that the contract declares becomes a value that is taken", () => {
  const samples = [
    -1.1,
    0,
    0.5,
    1e-7,
    2_000_000,
    "http://",
    "http://a",
    "a",
    "ab",
    "usd",
    ["a"],
    ["\t"],
    "x".repeat(64),
  ];
  const found = new Map<string, { main: any; form: Form }>();
  const see = (schema: any): void => {
    if (!schema || typeof schema !== "object") return;
    for (const form of schema.alsoAs ?? [])
      found.set(JSON.stringify([form.schema, schema.pattern]), { main: schema, form });
    for (const member of Object.values(schema)) see(member);
  };
  for (const route of contract.routes) for (const part of [route.params, route.query, route.body]) see(part);

  test.each([...found])("%s", (_, { main, form }) => {
    const [fits, isTaken] = [Compile(form.schema as any), Compile(main)];
    for (const sample of samples) {
      const value = fits.Check(sample) ? form.read(sample) : undefined;
      expect([sample, value === undefined || isTaken.Check(value)]).toEqual([sample, true]);
    }
  });
});

test("a number where decimal text is meant, if it is exact", async () => {
  expect([12.5, 300, 0.1, 1e-7, -2.5e-9].map(asNumber.read)).toEqual([
    "12.5",
    "300",
    "0.1",
    "0.0000001",
    "-0.0000000025",
  ]);
  expect([1e21, 0.1 + 0.2, 1.08e-174, 1e-13].map(asNumber.read)).toEqual(Array(4).fill(undefined));
  const level = await app.call("POST", "/stock/levels", { body: { symbol: "AAPL", above: 300.5 } });
  expect([level.status, level.body.data.above]).toEqual([201, "300.5"]);
});

test("leading zeros are refused with an example, not with a crash", async () => {
  const made = await app.call("POST", "/stock/levels", { body: { symbol: "AAPL", above: "9000" } });
  const reply = await app.call("PATCH", `/stock/levels/${made.body.data.id}`, { body: { above: "00" } });
  expect([reply.status, reply.body.error.hint]).toEqual([400, 'Send e.g. "12.50"']);
});

test("codes in lower case", async () => {
  const tariff = { base: "3.00", currency: "usd" };
  const settings = await app.call("PATCH", "/delivery/settings", { body: { tariff } });
  expect([settings.status, settings.body.data?.tariff?.currency]).toEqual([200, "USD"]);
  const market = await app.call("GET", "/stock/markets/xnys");
  expect([market.status, market.body.data.mic]).toEqual([200, "XNYS"]);
  const list = await app.call("GET", "/stock/markets?country=us");
  expect([list.status, new Set(list.body.data.items.map((m: any) => m.country))]).toEqual([200, new Set(["US"])]);
});

test("a line break in an address reads as a comma; one tag as text", async () => {
  const body = {
    pickup: { address: "350 5th Ave,\r\n\nNew York, NY 10118\n", time: "2026-11-02T15:00:00Z" },
    dropoff: { address: "Downtown Brooklyn" },
    tags: "bakery",
  };
  const { data } = (await app.call("POST", "/delivery/schedule", { body })).body;
  expect([data.tags, data.pickup.address]).toEqual([["bakery"], "350 5th Ave, New York, NY 10118"]);
  // The text must be a tag: what the contract shows beside the list is what is taken.
  const empty = await app.call("POST", "/delivery/schedule", { body: { ...body, tags: "" } });
  expect(empty.body.error.errors).toMatchObject([{ pointer: "/tags", code: "type" }]);
});
