// Over the whole contract: whatever is wrong with the shape of a request, its hint can be pasted, and the fault is gone.
import { expect, test } from "bun:test";
import { routes } from "../contracts.ts";
import type { Route } from "./define.ts";
import { Failure, type Fault } from "./errors.ts";
import { exampleOf } from "./example.ts";
import { type Bound, bindRoute } from "./registry.ts";

type PartName = "params" | "query" | "body";
interface Case {
  route: Route;
  part: PartName;
  /** The whole part with one thing wrong. */
  value: any;
  /** What was done to it. */
  what: string;
}

const PARTS: PartName[] = ["params", "query", "body"];
const clone = <T>(value: T): T => structuredClone(value);

/** Every field filled in, one value for each way that rival fields can be chosen. */
function wholeExamples(schema: any): any[] {
  const rivals: string[] = schema.exactlyOne ?? [];
  return (rivals.length > 0 ? rivals : [null]).map((chosen) => {
    const fields = Object.entries<any>(schema.properties ?? {}).filter(
      ([name]) => chosen === null || name === chosen || !rivals.includes(name),
    );
    const limited = schema.maxProperties ? fields.slice(0, schema.maxProperties) : fields;
    return Object.fromEntries(limited.map(([name, property]) => [name, whole(property)]));
  });
}

function whole(schema: any): any {
  const option = schema.anyOf?.[0] ?? schema;
  if (option.type === "object" && option.properties) return wholeExamples(option)[0];
  if (option.type === "array" && option.items?.properties)
    return Array.from({ length: option.minItems ?? 1 }, () => whole(option.items));
  return exampleOf(option);
}

/** Every way in which one value can be wrong. */
function* wrongValues(schema: any): Generator<[string, any]> {
  const option = schema.anyOf?.[0] ?? schema;
  yield ["another type", option.type === "object" ? "text" : { odd: true }];
  if (option.type !== "array") yield ["a list", [[]]];
  if (option.type !== "boolean") yield ["a boolean", true];
  if (!schema.anyOf) yield ["null", null];
  if (option.enum) yield ["a misspelt choice", `${option.enum[0]}x`];
  if (option.enum) yield ["no choice at all", "zzzzzzzz"];
  if (option.type === "string") {
    if (option.minLength) yield ["too short", ""];
    if (option.maxLength && option.maxLength < 5000) yield ["too long", "x".repeat(option.maxLength + 1)];
    if (option.pattern) yield ["the wrong look", "\u0001 ?"];
    if (option.format) yield ["the wrong format", "\u0001"];
  }
  if (option.minimum !== undefined) yield ["too small", option.minimum - 1];
  if (option.maximum !== undefined) yield ["too large", option.maximum + 1];
  if (option.type === "array") {
    if (option.maxItems && option.maxItems < 200)
      yield ["too many", Array.from({ length: option.maxItems + 1 }, () => exampleOf(option.items))];
    if (option.minItems) yield ["too few", []];
    if (option.uniqueItems) yield ["one twice", [exampleOf(option.items), exampleOf(option.items)]];
  }
}

const MEANT = ["ticker", "email", "text", "keyword", "link", "zzqqxx", "adress", "tagz"];

/** The base with one thing wrong, at every place of the schema. */
function* spoil(schema: any, value: any, put: (changed: any) => any): Generator<[string, any]> {
  const option = schema.anyOf?.[0] ?? schema;
  if (option.type === "array" && option.items && Array.isArray(value) && value.length > 0) {
    for (const [what, wrong] of wrongValues(option.items)) yield [`item ${what}`, put([wrong])];
    yield* spoil(option.items, value[0], (changed) => put([changed]));
    return;
  }
  if (option.type !== "object" || !option.properties || !value || typeof value !== "object") return;
  for (const name of option.required ?? []) {
    const { [name]: _, ...rest } = value;
    yield [`without ${name}`, put(rest)];
  }
  for (const odd of MEANT) if (!option.properties[odd]) yield [`unknown ${odd}`, put({ ...value, [odd]: "x" })];
  for (const name of Object.keys(option.properties).slice(0, 3))
    if (!option.properties[`${name}x`]) yield [`unknown ${name}x`, put({ ...value, [`${name}x`]: "x" })];
  if (option.minProperties || option.exactlyOne)
    yield ["empty", put(Object.fromEntries((option.required ?? []).map((n: string) => [n, value[n]])))];
  for (const rival of option.exactlyOne ?? [])
    if (value[rival] === undefined)
      yield [`also ${rival}`, put({ ...value, [rival]: whole(option.properties[rival]) })];
  for (const [name, property] of Object.entries<any>(option.properties)) {
    if (value[name] === undefined) continue;
    for (const [what, wrong] of wrongValues(property)) yield [`${name} ${what}`, put({ ...value, [name]: wrong })];
    yield* spoil(property, value[name], (changed) => put({ ...value, [name]: changed }));
  }
}

function faultsOf({ route, part, value }: Case): Fault[] {
  const given = {
    params: part === "params" ? value : exampleParams(route),
    query: null as any,
    body: undefined as any,
  };
  if (part === "query") given.query = queryOf(value);
  else if (route.query) given.query = queryOf(exampleOf(route.query));
  given.body = part === "body" ? value : route.body ? exampleOf(route.body) : undefined;
  try {
    boundOf(route).bind(given.params, given.query, given.body);
    return [];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return error.options.errors ?? [];
  }
}

const bounds = new Map<Route, Bound>();
function boundOf(route: Route): Bound {
  const bound = bounds.get(route) ?? bindRoute(route);
  bounds.set(route, bound);
  return bound;
}

const exampleParams = (route: Route) => (route.params ? exampleOf(route.params) : {});
const queryOf = (value: Record<string, any>) =>
  new URLSearchParams(
    Object.entries(value)
      .filter(([, v]) => v !== undefined)
      .map(([name, v]) => [
        name,
        Array.isArray(v) ? v.join(",") : typeof v === "object" ? JSON.stringify(v) : String(v),
      ]),
  );

/** Does what the hint says, reading nothing but the hint and the pointer. */
function paste(fault: Fault, value: any, part: PartName): any {
  const path = fault.pointer
    .split("/")
    .slice(1)
    .map((p) => p.replaceAll("~1", "/").replaceAll("~0", "~"));
  const name = path.at(-1)!;
  const [, verb, text] = /(?:^|[.?] )(Send e\.g\.|Add) (.*)$/s.exec(fault.hint) ?? [];
  const changed = clone(value);
  const parent = part === "query" ? changed : path.slice(0, -1).reduce((at, key) => at[key], changed);
  if (fault.code === "unknown" || fault.code === "name") {
    const old = parent[name];
    delete parent[name];
    if (text && old !== undefined)
      for (const [near, v] of pairs(text, part)) if (parent[near] === undefined) parent[near] = v;
    return changed;
  }
  if (text === undefined) throw new Error(`no example in: ${fault.hint}`);
  if (path.length === 0) return part === "query" ? Object.fromEntries(pairs(text, part)) : JSON.parse(text);
  if (part === "params") parent[name] = text;
  else if (part === "query") Object.assign(changed, Object.fromEntries(pairs(text, part)));
  else if (verb === "Add") for (const [key, v] of pairs(text, part)) parent[key] = v;
  else parent[name] = JSON.parse(text);
  return changed;
}

function pairs(text: string, part: PartName): [string, any][] {
  return part === "query" ? [...new URLSearchParams(text)] : Object.entries(JSON.parse(`{${text}}`));
}

const cases: Case[] = routes
  .filter((route) => route.mount !== "root")
  .flatMap((route) =>
    PARTS.flatMap((part) => {
      const schema = route[part] as any;
      if (!schema) return [];
      return wholeExamples(schema).flatMap((base) =>
        [...spoil(schema, base, (changed) => changed)]
          // A path has no names that could be unknown.
          .filter(([what]) => part !== "params" || !what.startsWith("unknown"))
          .map(([what, value]) => ({ route, part, value, what })),
      );
    }),
  );

test("every example of the contract fits its own schema", () => {
  const bad = routes
    .filter((route) => route.mount !== "root")
    .flatMap((route) =>
      PARTS.flatMap((part) =>
        route[part]
          ? wholeExamples(route[part]).flatMap((value) =>
              faultsOf({ route, part, value, what: "" }).map((f) => `${route.id} ${part}: ${f.detail}`),
            )
          : [],
      ),
    );
  expect([...new Set(bad)]).toEqual([]);
});

test("sending back the hint's example removes the fault, at over 1,000 places", () => {
  let faults = 0;
  const kept: string[] = [];
  for (const one of cases) {
    for (const fault of faultsOf(one)) {
      faults++;
      try {
        const value = paste(fault, one.value, one.part);
        const left = faultsOf({ ...one, value }).some((f) => f.pointer === fault.pointer && f.code === fault.code);
        if (left) kept.push(`${one.route.id} ${one.part} ${one.what}: ${fault.pointer} ${fault.code}: ${fault.hint}`);
      } catch (error) {
        kept.push(`${one.route.id} ${one.part} ${one.what}: ${fault.hint} → ${(error as Error).message}`);
      }
    }
  }
  console.log(`${cases.length} spoilt requests, ${faults} faults, ${kept.length} kept`);
  expect(kept.slice(0, 20)).toEqual([]);
  expect(faults).toBeGreaterThan(1000);
});
