// What the text of an address becomes: numbers as JSON writes them, lists at their commas.
import { expect, test } from "bun:test";
import Type from "typebox";
import { route } from "./define.ts";
import { bindRoute } from "./registry.ts";
import { QueryTags, Shape } from "./shapes.ts";

const bound = bindRoute(
  route({
    id: "shopping.probe",
    method: "GET",
    path: "/shopping/probe",
    summary: "Probe",
    scope: null,
    query: Shape({
      percent: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
      count: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
      tags: Type.Optional(QueryTags()),
    }),
  }),
);
const read = (text: string) => bound.bind({}, new URLSearchParams(text), undefined).query;

test("numbers are read as JSON writes them", () => {
  expect(read("percent=1.08e-174")).toEqual({ percent: 1.08e-174 });
  expect(read("percent=2.5E1&count=1e2")).toEqual({ percent: 25, count: 100 });
  expect(read("count=7.0")).toEqual({ count: 7 });
});

test.each(["1e999", "0x10", "1e", "Infinity", "", " 5", "1_000"])("%p is no number", (text) => {
  expect(() => read(`percent=${encodeURIComponent(text)}`)).toThrow();
});

test("a comma separates items, however it is encoded", () => {
  expect(read("tags=a,b%2Cc")).toEqual({ tags: ["a", "b", "c"] });
  expect(read("tags=")).toEqual({ tags: [] });
});
