// What a reader has scrolled to stays when the head of a list is loaded again.
import { expect, test } from "bun:test";
import { type Page, renewHead } from "./paging.ts";

const page = (text: string, cursor: string | null = null): Page<string> => ({ items: [...text], next_cursor: cursor });
const renew = (known: Page<string>, fresh: Page<string>) => renewHead(known, fresh, (item) => item.toLowerCase());

test("new items come first, changed ones are replaced, and the pages behind stay", () => {
  expect(renew(page("defghi", "more"), page("cDe", "second"))).toEqual(page("cDefghi", "more"));
});

test("an item that left the first page is gone", () => {
  expect(renew(page("abcdef", "more"), page("acd", "second"))).toEqual(page("acdef", "more"));
});

test("a fresh page that does not meet the known list replaces it, so that no gap is hidden", () => {
  expect(renew(page("def", "old"), page("abc", "new"))).toEqual(page("abc", "new"));
  expect(renew(page("abc", null), page("", null))).toEqual(page("", null));
});

test("a list of one page takes the fresh cursor", () => {
  expect(renew(page("abc", null), page("abc", "new"))).toEqual(page("abc", "new"));
});
