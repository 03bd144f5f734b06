// The scanner: the tree of ordinary pages, of broken ones, and time on hostile ones.
import { expect, test } from "bun:test";
import { decodeEntities } from "./entities.ts";
import { decodePage } from "./charset.ts";
import { attribute, attributes, clean, textOf } from "./query.ts";
import { scan } from "./scan.ts";
import type { Tree } from "./tree.ts";
import { tag, tagNames } from "./tags.ts";

const outline = (tree: Tree): string => {
  const show = (from: number, to: number): string => {
    let out = "";
    for (let i = from; i < to; i = tree.after[i]!) {
      out += tree.tag[i] === 0 ? clean(textOf(tree, i)) : `${tagNames[tree.tag[i]!]}(${show(i + 1, tree.after[i]!)})`;
    }
    return out;
  };
  return show(0, tree.count);
};

test.each([
  ["<div><p>a<p>b</div>", "div(p(a)p(b))"],
  ["<ul><li>1<li>2<ul><li>3</ul></ul>", "ul(li(1)li(2ul(li(3))))"],
  ["<table><tr><td>a<td>b<tr><td>c</table>", "table(tr(td(a)td(b))tr(td(c)))"],
  ["<div><span>a</div>b</span>", "div(span(a))b"],
  ["<p>a</b></p>c", "p(a)c"],
  ["<script>if (a < b) document.write('</p>')</script><b>x</b>", "script()b(x)"],
  ["<textarea><b></textarea><br/>x", "textarea(<b>)br()x"],
  ["<!-- <b> --><i>x</i><!doctype html>", "i(x)"],
  ["a < b <i>c", "a<bi(c)"],
  ["<img src=a.png>x<input disabled>", "img()xinput()"],
  ["<select><option>1<option>2</select>", "select(option(1)option(2))"],
])("%s", (html, expected) => expect(outline(scan(html))).toBe(expected));

test("attributes of every quoting, with entities", () => {
  const tree = scan(`<a href='x&amp;y' Class=big data-x = "1 > 2" hidden>t</a>`);
  expect(attribute(tree, 0, "href")).toBe("x&y");
  expect(attribute(tree, 0, "class")).toBe("big");
  expect(attribute(tree, 0, "data-x")).toBe("1 > 2");
  expect(attribute(tree, 0, "hidden")).toBe("");
  expect(attribute(tree, 0, "id")).toBeNull();
  expect(attributes(tree, 0).get("data-x")).toBe("1 > 2");
  expect(tree.tag[0]).toBe(tag("a"));
});

test("entities by name and number; unknown ones stay", () => {
  expect(decodeEntities("&euro;1&nbsp;2&#8364;&#x20AC;&#128;&bogus;&amp")).toBe("€1\u00a02€€€&bogus;&");
});

test("the charset of the bytes is found", () => {
  expect(decodePage(new Uint8Array([0xef, 0xbb, 0xbf, 0xc3, 0xa9]))).toContain("é");
  expect(decodePage(Buffer.from("<meta charset=windows-1251>\xcf\xf0", "latin1"))).toContain("Пр");
  expect(decodePage(Buffer.from("caf\xe9", "latin1"))).toBe("café");
  expect(decodePage(Buffer.from("\xa3", "latin1"), "text/html; charset=iso-8859-1")).toBe("£");
});

/** Work per byte must not grow with the length: twice the input, at most about twice the nodes touched. */
test.each([
  ["open tags", "<div>"],
  ["stray ends", "<b><div></b>"],
  ["unclosed quotes", '<a href="'],
  ["less-than signs", "<"],
  ["scripts", "<script></scrip"],
  ["comments", "<!--"],
  ["cells", "<table><tr><td>"],
  ["attributes", "<a x=1 "],
])("hostile input is bounded: %s", (_, piece) => {
  const tree = scan(piece.repeat(Math.floor(2_000_000 / piece.length)));
  expect(tree.count).toBeLessThanOrEqual(100_002);
});
