// robots.txt: groups, longest match, wildcards, escapes.
import { describe, expect, test } from "bun:test";
import { isAllowed, parseRobots, rulesFor } from "./robots.ts";

const may = (text: string, path: string, agent = "ActionConnector") =>
  isAllowed(parseRobots(text), agent, `https://shop.example${path}`);

describe("robots.txt", () => {
  test("no file, no rules: everything is allowed", () => expect(may("", "/p")).toBe(true));
  test("the longest match wins, allow wins a tie", () => {
    const text = "User-agent: *\nDisallow: /p\nAllow: /p/public\nDisallow: /tie\nAllow: /tie";
    expect([may(text, "/p/1"), may(text, "/p/public/1"), may(text, "/tie")]).toEqual([false, true, true]);
  });
  test("its own group speaks alone", () => {
    const text = "User-agent: *\nDisallow: /\n\nUser-agent: actionconnector\nUser-agent: other\nDisallow: /cart";
    expect([may(text, "/p"), may(text, "/cart"), may(text, "/p", "Else")]).toEqual([true, false, false]);
  });
  test("wildcards and the end mark", () => {
    const text = "User-agent: *\nDisallow: /*?sort=\nDisallow: /*.pdf$";
    expect([may(text, "/l?sort=1"), may(text, "/a.pdf"), may(text, "/a.pdf?x"), may(text, "/l")]).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });
  test("escapes are compared as octets", () => expect(may("User-agent: *\nDisallow: /ä%7Ex", "/%C3%A4~x")).toBe(false));
  test("remarks, a byte order mark, odd case and Crawl-delay", () => {
    const robots = parseRobots(
      "\ufeffUSER-AGENT: * # all\nDISALLOW: /x # no\nCrawl-delay: 7\nSitemap: https://shop.example/s.xml",
    );
    expect(isAllowed(robots, "A", "https://shop.example/x")).toBe(false);
    expect(rulesFor(robots, "A").crawlDelayS).toBe(7);
    expect(robots.sitemaps).toEqual(["https://shop.example/s.xml"]);
  });
  test("a pattern of many stars takes no time", () =>
    expect(may(`User-agent: *\nDisallow: /${"*a".repeat(200)}b`, `/${"a".repeat(5000)}`)).toBe(true));
});
