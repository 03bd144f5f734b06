// The OpenAPI document as other people's tools read it.
import { expect, test } from "bun:test";
import { Compile } from "typebox/compile";
import { contract } from "../contracts.ts";
import { buildOpenapi, errorsOf, renderOpenapi } from "./openapi.ts";
import { flattened } from "./openapi/extend.ts";
import { gapsOf } from "./openapi/gaps.ts";

const document = buildOpenapi(contract);
const text = JSON.stringify(document);

test("every property is described, every operation has an example, every tag has words", () => {
  expect(gapsOf(document)).toEqual([]);
});

test("every reference leads somewhere, and every component is used", () => {
  const used = new Set([...text.matchAll(/"\$ref":"#\/components\/(\w+\/[^"]+)"/g)].map(([, ref]) => ref));
  const known = Object.entries<any>(document.components)
    .filter(([kind]) => kind !== "securitySchemes")
    .flatMap(([kind, all]) => Object.keys(all).map((name) => `${kind}/${name}`));
  expect([...used].filter((ref) => !known.includes(ref))).toEqual([]);
  expect(known.filter((ref) => !used.has(ref))).toEqual([]);
});

test("at least 95 of 100 object schemas are references", () => {
  const count = { references: 0, inline: 0 };
  const see = (value: any, name = ""): void => {
    if (!value || typeof value !== "object" || name === "example" || name === "examples") return;
    if (typeof value.$ref === "string" && value.$ref.includes("/schemas/")) count.references++;
    if (value.properties) count.inline++;
    for (const [key, member] of Object.entries(value)) see(member, key);
  };
  see(document.paths);
  see(document.components.responses);
  for (const schema of Object.values<any>(document.components.schemas)) see(schema.properties ?? schema.anyOf ?? {});
  const share = count.references / (count.references + count.inline);
  console.log(`${count.references} references, ${count.inline} inline objects`);
  expect(share).toBeGreaterThanOrEqual(0.95);
});

test("answers are open, requests are strict", () => {
  const reached = (root: any): Set<string> => {
    const names = new Set<string>();
    const see = (part: any): void => {
      for (const [, name] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
        if (names.has(name)) continue;
        names.add(name);
        see(document.components.schemas[name]);
      }
    };
    see(root);
    return names;
  };
  const operations = Object.values<any>(document.paths).flatMap((verbs) => Object.values<any>(verbs));
  const isStrict = (name: string) => document.components.schemas[name].additionalProperties === false;
  const asked = [...reached(operations.map((o) => o.requestBody ?? {}))];
  const answered = [...reached([document.components.responses, document.webhooks])];
  const objects = asked.filter((name) => document.components.schemas[name].properties);
  expect(objects.filter((name) => !isStrict(name))).toEqual([]);
  expect(answered.filter(isStrict)).toEqual([]);
});

test("an answer that holds another whole extends it, and says the same fields as its contract", () => {
  const { schemas } = document.components;
  const extended = Object.entries<any>(schemas).filter(([, schema]) => schema.allOf);
  expect(extended.map(([name]) => name)).toContain("NewKey");
  expect(schemas.NewKey.allOf[0]).toEqual({ $ref: "#/components/schemas/Key" });
  const create = contract.routes.find((route) => route.id === "keys.create")!;
  const { properties, required } = flattened(schemas.NewKey, schemas);
  expect(Object.keys(properties).sort()).toEqual(Object.keys((create.answer as any).properties).sort());
  expect([...required].sort()).toEqual([...(create.answer as any).required].sort());
});

test("a link leads to what takes the id of the answer, and nothing leads on from what was deleted", () => {
  const { responses } = document.components;
  expect(Object.keys(responses).filter((name) => /Delete/.test(name) && responses[name].links)).toEqual([]);
  expect(responses.TrackerResponse.links.get.parameters).toEqual({ id: "$response.body#/data/id" });
});

test("every error has an example, and webhook.test is declared", () => {
  const codes = contract.routes.filter((route) => route.mount !== "root").flatMap((route) => errorsOf(route));
  for (const code of codes) expect(document.components.examples[code]).toBeDefined();
  expect(document.webhooks["webhook.test"]).toBeDefined();
});

test("a pattern means the same in every language: no class or dot that each of them reads in its own way", () => {
  const patterns = [...text.matchAll(/"pattern":("(?:[^"\\\\]|\\\\.)*")/g)].map(
    ([, quoted]) => JSON.parse(quoted) as string,
  );
  const bare = (pattern: string) => pattern.replace(/\\[^dwb]/gi, "").replace(/\[[^\]\\]*\]/g, "");
  expect(patterns.length).toBeGreaterThan(20);
  expect(patterns.filter((pattern) => /\\[dwb]|\./i.test(bare(pattern)))).toEqual([]);
});

test("the examples of requests fit their contracts", () => {
  for (const route of contract.routes.filter((r) => r.body && r.mount !== "root")) {
    const operation = document.paths[`/api/v1${route.path}`][route.method.toLowerCase()];
    const { example } = operation.requestBody.content["application/json"];
    expect([route.id, Compile(route.body!).Check(example)]).toEqual([route.id, true]);
  }
});

test("the committed form has a line for each operation and component", () => {
  const lines = renderOpenapi(contract).split("\n");
  expect(JSON.parse(lines.join("\n"))).toEqual(document);
  const operations = Object.values<any>(document.paths).flatMap((verbs) => Object.keys(verbs)).length;
  expect(lines.length).toBeGreaterThan(operations + Object.keys(document.components.schemas).length);
});
