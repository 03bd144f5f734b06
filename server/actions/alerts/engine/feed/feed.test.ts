import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseFeedDate } from "./dates.ts";
import { discoverFeeds, hubOf } from "./discover.ts";
import { htmlToText, sanitise } from "./html/html.ts";
import { contentOf } from "./item-content.ts";
import { readFeed } from "./read.ts";
import { afterPoll, freshPoll, type PollAnswer } from "./schedule.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const RSS = `<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel>
<title>News &amp; more</title><link>https://n.example/</link><language>en</language><ttl>120</ttl>
<skipHours><hour>0</hour><hour>1</hour></skipHours>
<item><title>Acme &lt;b&gt;launch&lt;/b&gt;</title><link>/a?x=1&amp;y=2</link><guid isPermaLink="false">g1</guid>
<category>Kettles</category><description>Short</description><content:encoded><![CDATA[<p>Long <script>bad()</script>text</p>]]></content:encoded>
<pubDate>Sun, 15 Nov 2026 02:00:00 +0100</pubDate></item></channel></rss>`;

describe("reading a feed", () => {
  test("an item becomes what is matched", () => {
    const feed = readFeed(bytes(RSS), { url: "https://n.example/feed.xml" });
    expect([feed.format, feed.fault, feed.channel.ttlMinutes, feed.channel.skipHours]).toEqual([
      "rss20",
      null,
      120,
      [0, 1],
    ]);
    expect(contentOf(feed.items[0], feed)).toEqual({
      guid: "g1",
      title: "Acme launch",
      text: "Short\nLong text",
      tags: ["Kettles"],
      url: "https://n.example/a?x=1&y=2",
      author: undefined,
      lang: "en",
      source: "News & more",
      publishedAt: Date.parse("2026-11-15T01:00:00Z"),
    });
  });

  test("markup that could harm is gone, and addresses are absolute", () => {
    const dirty = `<a href="javascript:x()" onclick="y()">k</a><img src="/i.png" onerror=1><iframe src="//e"></iframe><style>b</style>`;
    expect(sanitise(dirty, (u) => new URL(u, "https://e.org").href)).toBe(`<a>k</a><img src="https://e.org/i.png" />`);
    expect(htmlToText("<p>a&nbsp;&lt;b</p><script>x</script><ul><li>c<li>d</ul>")).toBe("a <b\nc\nd");
  });

  test("a broken feed gives what can be read", () => {
    const feed = readFeed(bytes("<rss><channel><item><title>One &nbsp; & two</title><item><title>Three"));
    expect(feed.fault).not.toBeNull();
    expect(feed.items[0].title?.value).toBe("One \u00a0 & two");
  });

  test("nothing throws: any bytes, and feeds with bytes changed", () => {
    const base = bytes(RSS);
    const mutated = fc
      .array(fc.tuple(fc.nat(base.length - 1), fc.integer({ min: 0, max: 255 })), { maxLength: 40 })
      .map((changes) => changes.reduce((b, [at, to]) => b.with(at, to), base.slice()));
    const tags = fc
      .array(
        fc.constantFrom(
          "<rss>",
          "</rss>",
          "<item",
          ">",
          "<![CDATA[",
          "]]>",
          "<!--",
          "&#x110000;",
          "&a;",
          '<a b="',
          "'",
          "<feed>",
          "<?xml version='1.0' encoding='utf-16'?>",
          '<!DOCTYPE x [<!ENTITY a "b">]>',
          "</",
          "<title type='base64'>",
          "\u0000",
          "😀",
        ),
        { maxLength: 60 },
      )
      .map((parts) => bytes(parts.join("")));
    fc.assert(
      fc.property(
        fc.oneof(fc.uint8Array({ maxLength: 300 }), mutated, tags),
        fc.constantFrom(
          null,
          "text/xml",
          "application/xml; charset=utf-16",
          "text/html; charset=nonsense",
          "application/json",
        ),
        (input, contentType) => {
          const feed = readFeed(input, { contentType });
          for (const item of feed.items) contentOf(item, feed);
        },
      ),
      { numRuns: 3000, verbose: 1 },
    );
  });

  test("hostile nesting and entities stay small", () => {
    expect(readFeed(bytes("<rss>".repeat(100_000))).items).toEqual([]);
    const bomb = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><rss><channel><title>&b;</title></channel></rss>`;
    expect(readFeed(bytes(bomb)).channel.title?.value).toBe("&b;");
  });
});

describe("politeness", () => {
  const now = Date.parse("2026-11-15T20:00:00Z");
  const answer = (given: Partial<PollAnswer>): PollAnswer => ({
    status: 200,
    headers: {},
    error: null,
    movedTo: null,
    bodyHash: "h",
    channel: null,
    ...given,
  });
  const hours = (at: number | null) => (at! - now) / 3_600_000;

  test("validators are given back as they came", () => {
    const state = afterPoll(
      freshPoll("u", now),
      answer({ headers: { etag: 'W/"x"', "last-modified": "yesterday" } }),
      null,
      now,
      0,
    );
    expect([state.etag, state.lastModified]).toEqual(['W/"x"', "yesterday"]);
    expect([hours(state.nextAt), state.reason]).toEqual([1, "default"]);
    expect(afterPoll(state, answer({ status: 304 }), null, now, 0).etag).toBe('W/"x"');
  });

  test.each([
    ["ttl", { channel: { ttlMinutes: 180, skipHours: [], skipDays: [], updateSeconds: null } }, 300, 3],
    ["cache-control", { headers: { "cache-control": "public, max-age=7200" } }, 300, 2],
    ["skipHours", { channel: { ttlMinutes: null, skipHours: [21, 22], skipDays: [], updateSeconds: null } }, 3600, 3],
    ["skipHours", { channel: { ttlMinutes: null, skipHours: [], skipDays: ["sunday"], updateSeconds: null } }, 3600, 4],
    ["requested", {}, 900, 0.25],
    ["requested", {}, 1, 300 / 3600],
    ["no-validator", {}, null, 4],
    ["retry-after", { status: 503, headers: { "retry-after": "7200" } }, 300, 2],
  ])("%s decides", (reason, given, requested, expected) => {
    const state = afterPoll(freshPoll("u", now), answer(given as Partial<PollAnswer>), requested, now, 0);
    expect([state.reason as string, hours(state.nextAt)]).toEqual([reason, expected]);
  });

  test("failures back off, then fail after a day; 410 ends it; a redirect is kept", () => {
    const first = afterPoll(freshPoll("u", now), answer({ status: 500 }), 300, now, 0.5);
    expect([first.status, hours(first.nextAt) * 60]).toEqual(["backing_off", 5]);
    const later = afterPoll(first, answer({ status: 0, error: "timeout" }), 300, now + 25 * 3_600_000, 0.5);
    expect([later.status, later.lastError]).toEqual(["failing", "timeout"]);
    expect(afterPoll(later, answer({ status: 410 }), 300, now, 0).nextAt).toBeNull();
    expect(afterPoll(later, answer({ movedTo: "v" }), 300, now, 0)).toMatchObject({
      url: "v",
      status: "active",
      failures: 0,
    });
  });

  test("feeds and hubs are discovered", () => {
    const page = `<link rel="alternate" type="application/rss+xml" title="Comments" href="/c.xml"><link rel='alternate' type='application/atom+xml' href='a.xml'>`;
    expect(discoverFeeds(page, "https://e.org/blog/").map((f) => f.url)).toEqual([
      "https://e.org/blog/a.xml",
      "https://e.org/c.xml",
    ]);
    expect(hubOf(`<https://h/>; rel="hub", <https://s/>; rel=self`, { hub: "x", self: null })).toEqual({
      hub: "https://h/",
      topic: "https://s/",
    });
  });
});

describe("dates as feeds write them", () => {
  test.each([
    ["Sun, 15 Nov 2026 02:00:00 +0100", "2026-11-15T01:00:00Z"],
    ["15 Nov 26 02:00 GMT", "2026-11-15T02:00:00Z"],
    ["Sun, 15 Nov 2026 02:00:00 EST", "2026-11-15T07:00:00Z"],
    ["2026-11-15T02:00:00.250-05:00", "2026-11-15T07:00:00Z"],
    ["2026-11-15T02:00Z", "2026-11-15T02:00:00Z"],
    ["2026-11-15", "2026-11-15T00:00:00Z"],
    ["2026-11", "2026-11-01T00:00:00Z"],
    ["20261115T020000Z", "2026-11-15T02:00:00Z"],
    ["2026-319", "2026-11-15T00:00:00Z"],
    ["Sun Nov 15 02:00:00 2026", "2026-11-15T02:00:00Z"],
    ["", null],
    ["yesterday", null],
    ["2026-13-40T99:00:00Z", null],
  ])("%s", (written, instant) => {
    const at = parseFeedDate(written);
    expect(at === null ? null : Math.floor(at / 1000)).toBe(instant === null ? null : Date.parse(instant) / 1000);
  });
});

describe("JSON Feed", () => {
  const read = (feed: unknown) => readFeed(bytes(JSON.stringify(feed)), { contentType: "application/feed+json" });

  test("version 1 and 1.1: title, ids as text, content", () => {
    for (const version of ["1", "1.1"]) {
      const feed = read({
        version: `https://jsonfeed.org/version/${version}`,
        title: "Kettles",
        items: [
          { id: "two", content_text: "Second", url: "https://k.example/2" },
          { id: 1, content_html: "<p>First</p>", tags: ["steel"], date_published: "2026-11-15T02:00:00Z" },
        ],
      });
      expect(feed.format).toStartWith("json1");
      expect(feed.channel.title?.value).toBe("Kettles");
      expect(feed.items.map((item) => item.id)).toEqual(["two", "1"]);
      expect(contentOf(feed.items[1], feed)).toMatchObject({ text: "First", tags: ["steel"] });
    }
  });

  test("without items or with an item without id it is read all the same", () => {
    expect(read({ version: "https://jsonfeed.org/version/1.1", title: "Empty" }).items).toEqual([]);
    expect(read({ version: "https://jsonfeed.org/version/1.1", items: [{ title: "x" }] }).items[0].id).toBeNull();
  });
});
