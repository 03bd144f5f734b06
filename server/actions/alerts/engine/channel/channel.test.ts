import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { discord, mattermost, slack, teams } from "./chat.ts";
import { email } from "./email.ts";
import { cut, cutBytes, disarm, utf8Length, type ChannelRequest, type Message } from "./message.ts";
import { gotify, matrix, ntfy, pagerduty, telegram } from "./push.ts";
import { payloadOf } from "./webhook.ts";

const nasty = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc.string({ maxLength: 6000 }),
  fc.constantFrom(
    "@everyone <!channel> <@U1> @here @all",
    "a\r\nBcc: x@y.z",
    "<b>&amp;\"'",
    "](javascript:x)",
    "\u202eevil",
    "😀".repeat(2000),
    "*_~`|>[]()#-\\".repeat(400),
  ),
);
const messages: fc.Arbitrary<Message> = fc
  .record({
    id: fc.constant("ntf_1"),
    type: fc.constantFrom("alert.match", "alert.digest", "alert.test", "alert.state"),
    at: fc.constant(1_800_000_000_000),
    timezone: fc.constant("Europe/Berlin"),
    alert: fc.record({
      id: fc.constant("alt_1"),
      name: nasty,
      severity: fc.constantFrom("info", "warning", "critical"),
      labels: fc.constant({}),
      url: fc.constant("https://c/alerts/alt_1"),
    }),
    items: fc.array(
      fc.record({
        id: fc.constant("mch_1"),
        title: nasty,
        url: fc.oneof(fc.webUrl(), fc.constant(null), nasty),
        summary: fc.oneof(nasty, fc.constant(null)),
        source: fc.oneof(nasty, fc.constant(null)),
        publishedAt: fc.constantFrom(null, 1_700_000_000_000),
        terms: fc.array(nasty, { maxLength: 3 }),
      }),
      { maxLength: 60 },
    ),
    total: fc.constant(0),
    suppressed: fc.constant({ cooldown: 2, duplicate: 0 }),
    note: fc.oneof(nasty, fc.constant(null)),
  })
  .map((m) => ({ ...m, total: m.items.length + 3 }) as Message);

const url = "https://hooks.example/x";
const channels: Record<string, { make(m: Message): ChannelRequest[]; fits(body: any): void }> = {
  slack: {
    make: (m) => slack(m, { url }),
    fits(b) {
      expect(b.blocks.length).toBeLessThanOrEqual(50);
      for (const s of b.blocks) if (s.type === "section") expect(s.text.text.length).toBeLessThanOrEqual(3000);
      expect(JSON.stringify(b)).not.toMatch(/<[!@#]/);
    },
  },
  discord: {
    make: (m) => discord(m, { url }),
    fits(b) {
      expect(b.allowed_mentions).toEqual({ parse: [] });
      expect(b.content.length).toBeLessThanOrEqual(2000);
      expect(b.embeds.length).toBeLessThanOrEqual(10);
      for (const e of b.embeds)
        expect([e.title.length <= 256, (e.description ?? "").length <= 4096]).toEqual([true, true]);
      expect(
        b.embeds.reduce(
          (n: number, e: any) => n + e.title.length + (e.description ?? "").length + (e.footer?.text ?? "").length,
          0,
        ),
      ).toBeLessThanOrEqual(6000);
    },
  },
  teams: {
    make: (m) => teams(m, { url }),
    fits: (b) => expect(utf8Length(JSON.stringify(b))).toBeLessThanOrEqual(28_000),
  },
  mattermost: { make: (m) => mattermost(m, { url }), fits: (b) => expect(b.text.length).toBeLessThanOrEqual(4000) },
  telegram: {
    make: (m) => telegram(m, { token: "1:a", chatId: "2" }),
    fits(b) {
      expect(b.text.length).toBeLessThanOrEqual(4096);
      expect(b.text.replace(/<\/?(?:b|i)>|<a href="[^"<>]*">|<\/a>/g, "")).not.toMatch(/[<>]/);
    },
  },
  ntfy: {
    make: (m) => ntfy(m, { topic: "t" }),
    fits: (b) => expect([utf8Length(b.title) <= 200, utf8Length(b.message) <= 4096]).toEqual([true, true]),
  },
  gotify: {
    make: (m) => gotify(m, { baseUrl: "https://g/", token: "t" }),
    fits: (b) => expect(b.message.length).toBeLessThanOrEqual(8000),
  },
  matrix: {
    make: (m) => matrix(m, { baseUrl: "https://m/", roomId: "!r:m", token: "t" }),
    fits: (b) => expect(utf8Length(JSON.stringify(b))).toBeLessThanOrEqual(65_000),
  },
  pagerduty: {
    make: (m) => pagerduty(m, { routingKey: "k" }),
    fits: (b) =>
      expect([
        b.payload.summary.length <= 1024,
        b.dedup_key.length <= 255,
        utf8Length(JSON.stringify(b)) <= 512_000,
      ]).toEqual([true, true, true]),
  },
};

describe("every channel", () => {
  for (const [name, { make, fits }] of Object.entries(channels)) {
    test(`${name} stays inside its limits and calls nobody, whatever the content`, () => {
      fc.assert(
        fc.property(messages, (message) => {
          for (const request of make(message)) {
            const body = JSON.parse(request.body);
            fits(body);
            if (!["ntfy", "gotify", "pagerduty"].includes(name))
              expect(request.body).not.toMatch(/@(?:everyone|here|all|channel)\b/);
            // In the Markdown channels a bracket of the content must not make a link.
            if (["teams", "mattermost"].includes(name))
              expect(request.body.replaceAll("\\\\", "\\")).not.toMatch(/[^\\]\]\(javascript/);
            expect(request.url).toStartWith("https://");
          }
        }),
        { numRuns: 60 },
      );
    });
  }

  test("e-mail: one line of subject, one click to end it", () => {
    fc.assert(
      fc.property(messages, (message) => {
        const mail = email(message, { to: "a@b.c", unsubscribeUrl: "https://c/u?t=1", domain: "c" });
        expect(mail.subject).not.toMatch(/[\r\n]/);
        expect(mail.subject.length).toBeLessThanOrEqual(200);
        expect(mail.html).not.toMatch(/<script|href="javascript/i);
        expect(mail.headers["List-Unsubscribe-Post"]).toBe("List-Unsubscribe=One-Click");
      }),
      { numRuns: 60 },
    );
  });

  test("webhook bodies hold at most 20 kB and say when they were cut", () => {
    fc.assert(
      fc.property(messages, (message) => {
        const payload = payloadOf(message);
        expect(utf8Length(JSON.stringify(payload))).toBeLessThanOrEqual(20_000);
        expect(payload.data.truncated).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  test("cuts fall between characters", () => {
    expect([cut("a😀b", 3), cutBytes("ééé", 5), disarm("@everyone a@b 5 @ 3")]).toEqual([
      "a…",
      "é…",
      "@\u2060everyone a@\u2060b 5 @ 3",
    ]);
  });
});
