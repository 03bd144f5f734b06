// robots.txt: groups, longest match, wildcards, escapes.
import { describe, expect, test } from "bun:test";
import { decodeRobots, isAllowed, parseRobots, rulesFor } from "./robots.ts";

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

describe("where robots.txt files go wrong", () => {
  const closed = (first: string) => may(`${first}User-agent: *\nDisallow: /x`, "/x") === false;
  test("a byte-order mark at the start is skipped, whole, broken off or read as Latin-1", () => {
    for (const mark of ["\ufeff", "\ufffd", "\u00ef\u00bb\u00bf", "\u00ef\u00bb", "\u00ef"])
      expect(closed(mark)).toBe(true);
    expect(decodeRobots(Buffer.from([0xef, 0xbb, 0x41]))).toBe("\ufffdA");
  });
  test("elsewhere it spoils its line, and no other", () => {
    expect(closed("\ufffd\u0011\ufffd")).toBe(false);
    const text = "User-agent: *\n\ufeffDisallow: /a\nDisallow: /b";
    expect([may(text, "/a"), may(text, "/b")]).toEqual([true, false]);
  });
  test("an allowed index page stands for its folder, and for nothing else in it", () => {
    const text = "User-agent: *\nDisallow: /\nAllow: /shop/index.html";
    expect(["/shop/", "/shop/index.html", "/shop/index.htm", "/shop/a", "/"].map((path) => may(text, path))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
  test("an escaped letter: allowed only where RFC 9309 and Google agree, refused where one of them refuses", () => {
    const allow = "User-agent: *\nDisallow: /\nAllow: /foo/%62%61%7A";
    expect([may(allow, "/foo/%62%61%7A"), may(allow, "/foo/%62%61%7a"), may(allow, "/foo/baz")]).toEqual([
      true,
      true,
      false,
    ]);
    const refuse = "User-agent: *\nDisallow: /foo/%62%61%7A";
    expect([may(refuse, "/foo/baz"), may(refuse, "/foo/%62%61%7A"), may(refuse, "/foo/bar")]).toEqual([
      false,
      false,
      true,
    ]);
  });
  test("NUL is left out: no store keeps it", () =>
    expect(decodeRobots(Buffer.from("User\0-agent: *"))).toBe("User-agent: *"));
});
