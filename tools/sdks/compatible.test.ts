// What counts as breaking inside v1, and what does not.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { breakingChanges } from "../compatible.ts";
import { inlined } from "../../sdks/cases/inline.ts";

const released = inlined(JSON.parse(readFileSync(join(import.meta.dir, "../../openapi.json"), "utf8")));
const path = "/api/v1/delivery/schedule";
const after = (change: (operation: any, document: any) => void) => {
  const document = structuredClone(released);
  change(document.paths[path].post, document);
  return breakingChanges(released, document);
};
const bodyOf = (operation: any) => operation.requestBody.content["application/json"].schema;
const dataOf = (operation: any) => operation.responses["200"].content["application/json"].schema.properties.data;

describe("compatible", () => {
  test("the same document, a new optional field, a new route and a looser limit are fine", () => {
    expect(breakingChanges(released, released)).toEqual([]);
    expect(after((o) => (bodyOf(o).properties.colour = { type: "string" }))).toEqual([]);
    expect(after((_, d) => (d.paths["/api/v1/new"] = d.paths[path]))).toEqual([]);
    expect(after((o) => (bodyOf(o).properties.pickup.properties.address.maxLength = 900))).toEqual([]);
    expect(after((o) => (dataOf(o).properties.extra = { type: "string" }))).toEqual([]);
  });

  test.each<[string, (operation: any, document: any) => void, string]>([
    ["a route that is gone", (_, d) => delete d.paths[path], "is gone"],
    ["another id", (o) => (o.operationId = "delivery.plan"), "changed its id"],
    ["a field that is now required", (o) => bodyOf(o).required.push("notes"), "now requires notes"],
    ["a field that is no longer taken", (o) => delete bodyOf(o).properties.notes, "no longer takes notes"],
    ["a tighter limit", (o) => (bodyOf(o).properties.pickup.properties.address.maxLength = 10), "lowered maxLength"],
    ["a choice that is gone", (o) => bodyOf(o).properties.vehicle.enum.shift(), "no longer accepts"],
    ["an answer's field that is gone", (o) => delete dataOf(o).properties.eta, "no longer has eta"],
    ["a field that may now be absent", (o) => dataOf(o).required.splice(0, 1), "no longer always there"],
  ])("%s is breaking", (_, change, words) => {
    expect(after(change).join("\n")).toContain(words);
  });
});
