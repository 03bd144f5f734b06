// Every route of the service, with its compiled checks. It binds a request's parts to their shapes and explains faults.
import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import type { Route } from "./define.ts";
import { type Fault, invalidFields } from "./errors.ts";
import { choiceCheckOf } from "./choices.ts";
import { findFaults, type Part, unknownHint } from "./faults.ts";
import { normaliserOf } from "./shorthand.ts";

export interface Bound {
  route: Route;
  /** Throws a Failure with every fault of all three parts together; `rawBody` leaves the body to its handler. */
  bind(
    params: Record<string, string>,
    query: URLSearchParams | null,
    body: unknown,
    rawBody?: boolean,
  ): { params: any; query: any; body: any };
}

export function bindRoute(route: Route): Bound {
  const parts = {
    params: partOf(route.params, "path"),
    query: partOf(route.query, "query"),
    body: partOf(route.body, "body"),
  };
  return {
    route,
    bind(givenParams, givenQuery, givenBody, rawBody = false) {
      const faults: Fault[] = [];
      const params = parts.params.read(givenParams, faults);
      const query = givenQuery || route.query ? parts.query.read(readQuery(route, givenQuery, faults), faults) : {};
      const skip = rawBody || !route.body || (route.bodyOptional && givenBody === undefined);
      const body = skip ? givenBody : parts.body.read(givenBody, faults);
      if (faults.length > 0) throw invalidFields(faults);
      return { params, query, body };
    },
  };
}

/** Well-formed values pass one compiled check; only others are read as shorthand, checked again and explained. */
function partOf(schema: TSchema | undefined, part: Part) {
  if (!schema) return { read: (value: unknown, _faults: Fault[]) => value };
  const compiled = Compile(schema);
  const normalise = normaliserOf(schema);
  const chosen = choiceCheckOf(schema);
  const fits = (value: unknown) => compiled.Check(value) && (!chosen || chosen(value));
  return {
    read(given: unknown, faults: Fault[]): unknown {
      if (given !== undefined && fits(given)) return given;
      if (faults.length > 0 && given === undefined) return given;
      const whole = given === undefined ? {} : given;
      const value = normalise ? normalise(whole) : whole;
      if (given !== undefined && fits(value)) return value;
      const found = findFaults(schema, value, part);
      faults.push(...(found.length > 0 ? found : [unexplained(part)]));
      return value;
    },
  };
}

/** The check refused what the walk could not explain: refusing stands, however poor the words. */
function unexplained(part: Part): Fault {
  const detail = `The ${part} does not have the documented shape`;
  return { pointer: "", code: "shape", detail, hint: "Compare it with /openapi.json" };
}

/** Query text becomes what the schema says it is; what cannot is left as text for the check to explain. */
function readQuery(route: Route, given: URLSearchParams | null, faults: Fault[]): Record<string, unknown> {
  const properties: Record<string, any> = (route.query as any)?.properties ?? {};
  const query: Record<string, unknown> = {};
  for (const [name, text] of given ?? []) {
    if (!Object.hasOwn(properties, name)) {
      const hint = unknownHint(name, properties, "query");
      faults.push({
        pointer: `/${name.slice(0, 100)}`,
        code: "unknown",
        detail: `${name.slice(0, 100)} is not a known query parameter`,
        hint,
      });
    } else if (Object.hasOwn(query, name)) {
      faults.push({ pointer: `/${name}`, code: "duplicate", detail: `${name} is given twice`, hint: "Send it once" });
    } else if (!text.isWellFormed() || text.includes("\0")) {
      faults.push({
        pointer: `/${name}`,
        code: "unicode",
        detail: `${name} holds a NUL or a broken character`,
        hint: "Remove that character",
      });
    } else query[name] = readText(properties[name], text);
  }
  for (const [name, schema] of Object.entries(properties)) {
    if (schema.default !== undefined && !Object.hasOwn(query, name)) query[name] = schema.default;
  }
  return query;
}

function readText(schema: any, text: string): unknown {
  if (schema.type === "integer" || schema.type === "number") return readNumber(text);
  if (schema.type === "boolean") return text === "true" ? true : text === "false" ? false : text;
  if (schema.type === "array")
    return text === "" ? [] : text.split(",").map((item) => readText(schema.items ?? {}, item.trim()));
  return text;
}

/** As JSON writes numbers, exponents included; what no number can hold stays text. */
function readNumber(text: string): number | string {
  const value = Number(text);
  return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) && Number.isFinite(value) ? value : text;
}
