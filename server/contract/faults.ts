// Turns a value that failed its schema into faults a person can hint. The compiled check decides; this explains.
import type { TSchema } from "typebox";
import { escapePointer } from "../lib/json.ts";
import { nearest } from "../lib/nearest.ts";
import type { Fault } from "./errors.ts";
import { formats } from "./formats.ts";

const maxFaults = 50;

/** All faults of `value`, each naming its field in words and by JSON pointer. */
export function findFaults(schema: TSchema, value: unknown, where: string): Fault[] {
  const faults: Fault[] = [];
  walk(schema as any, value, "", (pointer, code, detail, hint) => {
    if (faults.length >= maxFaults) return;
    faults.push({ pointer, code, detail: `${nameOf(pointer, where)} ${detail}`, hint });
  });
  return faults;
}

type Report = (pointer: string, code: string, detail: string, hint: string) => void;

function nameOf(pointer: string, where: string): string {
  if (pointer === "") return `The ${where}`;
  return pointer.slice(1).replaceAll("/", ".").replaceAll("~1", "/").replaceAll("~0", "~").slice(0, 200);
}

function walk(schema: any, value: unknown, pointer: string, report: Report): void {
  if (schema.anyOf) return walkAny(schema, value, pointer, report);
  if (schema.enum) {
    if (schema.enum.includes(value)) return;
    const near = typeof value === "string" ? nearest(value, schema.enum) : null;
    const hint = near ? `Did you mean "${near}"?` : `Send one of ${list(schema.enum)}`;
    return report(pointer, "enum", `must be one of ${list(schema.enum)}`, hint);
  }
  if ("const" in schema) {
    if (value !== schema.const)
      report(pointer, "const", `must be ${JSON.stringify(schema.const)}`, `Send ${JSON.stringify(schema.const)}`);
    return;
  }
  if (schema.type && !hasType(schema.type, value)) {
    return report(pointer, "type", `must be ${article(schema.type)}, not ${kindOf(value)}`, exampleHint(schema));
  }
  if (schema.type === "object") walkObject(schema, value as Record<string, unknown>, pointer, report);
  else if (schema.type === "array") walkArray(schema, value as unknown[], pointer, report);
  else if (schema.type === "string") walkString(schema, value as string, pointer, report);
  else if (schema.type === "number" || schema.type === "integer") walkNumber(schema, value as number, pointer, report);
}

/** Of several alternatives, explains the one the caller most likely meant: the one of the right type. */
function walkAny(schema: any, value: unknown, pointer: string, report: Report): void {
  const attempts = schema.anyOf.map((option: any) => {
    const found: Parameters<Report>[] = [];
    walk(option, value, pointer, (...fault) => found.push(fault));
    return { option, found };
  });
  if (attempts.some((a: any) => a.found.length === 0)) return;
  const consts = schema.anyOf.filter((o: any) => "const" in o).map((o: any) => o.const);
  if (consts.length === schema.anyOf.length) return walk({ enum: consts }, value, pointer, report);
  const typed = attempts.filter((a: any) => !a.option.type || hasType(a.option.type, value));
  const best = (typed.length > 0 ? typed : attempts).sort((a: any, b: any) => a.found.length - b.found.length)[0];
  for (const fault of best.found) report(...(fault as Parameters<Report>));
}

function walkObject(schema: any, value: Record<string, unknown>, pointer: string, report: Report): void {
  const properties = schema.properties ?? {};
  for (const name of schema.required ?? []) {
    if (!Object.hasOwn(value, name))
      report(`${pointer}/${escapePointer(name)}`, "required", "is required", exampleHint(properties[name], name));
  }
  if (schema.minProperties && Object.keys(value).length < schema.minProperties) {
    report(
      pointer,
      "minProperties",
      `must hold at least ${schema.minProperties} field`,
      `Send one of ${list(Object.keys(properties))}`,
    );
  }
  for (const name of Object.keys(value)) {
    const inside = `${pointer}/${escapePointer(name.slice(0, 100))}`;
    if (Object.hasOwn(properties, name)) walk(properties[name], value[name], inside, report);
    else if (schema.additionalProperties === false) {
      const near = nearest(name, Object.keys(properties));
      const known = Object.keys(properties);
      const hint = near
        ? `Did you mean "${near}"?`
        : known.length > 0
          ? `Remove it; known here: ${known.join(", ")}`
          : "Remove it";
      report(inside, "unknown", "is not a known field", hint);
    } else if (typeof schema.additionalProperties === "object")
      walk(schema.additionalProperties, value[name], inside, report);
  }
}

function walkArray(schema: any, value: unknown[], pointer: string, report: Report): void {
  const { minItems = 0, maxItems = Infinity } = schema;
  if (value.length < minItems)
    report(pointer, "minItems", `must hold at least ${minItems} items`, `Send ${minItems} or more`);
  if (value.length > maxItems)
    return report(pointer, "maxItems", `must hold at most ${maxItems} items`, `Send ${maxItems} or fewer`);
  if (schema.items) value.forEach((item, i) => walk(schema.items, item, `${pointer}/${i}`, report));
  if (schema.uniqueItems && new Set(value.map((v) => JSON.stringify(v))).size < value.length) {
    report(pointer, "uniqueItems", "must not hold an item twice", "Remove the repetition");
  }
}

function walkString(schema: any, value: string, pointer: string, report: Report): void {
  const length = [...value.slice(0, 4 * (schema.maxLength ?? value.length))].length;
  const { minLength = 0 } = schema;
  if (length < minLength) {
    const detail = minLength === 1 ? "must not be empty" : `must have at least ${minLength} characters`;
    return report(
      pointer,
      "minLength",
      detail,
      exampleOr(schema, `Send at least ${minLength === 1 ? "one character" : `${minLength} characters`}`),
    );
  }
  if (schema.maxLength !== undefined && length > schema.maxLength) {
    return report(
      pointer,
      "maxLength",
      `must have at most ${schema.maxLength} characters`,
      `Shorten it to ${schema.maxLength} characters`,
    );
  }
  if (minLength > 0 && value.trim() === "")
    return report(pointer, "blank", "must not be blank", exampleOr(schema, "Send text with something to read"));
  const format = schema.format ? formats[schema.format] : undefined;
  if (format && !format.test(value)) return report(pointer, "format", format.detail, format.hint);
  if (schema.pattern && !new RegExp(schema.pattern, "u").test(value)) {
    report(
      pointer,
      "pattern",
      schema.examples ? `must look like ${schema.examples[0]}` : `must match ${schema.pattern}`,
      exampleOr(schema, `Send text that matches ${schema.pattern}`),
    );
  }
}

function walkNumber(schema: any, value: number, pointer: string, report: Report): void {
  const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum = -Infinity } = schema;
  if (value < minimum) report(pointer, "minimum", `must be at least ${minimum}`, `Send ${minimum} or more`);
  else if (value <= exclusiveMinimum)
    report(pointer, "minimum", `must be more than ${exclusiveMinimum}`, `Send more than ${exclusiveMinimum}`);
  else if (value > maximum) report(pointer, "maximum", `must be at most ${maximum}`, `Send ${maximum} or less`);
}

function hasType(type: string, value: unknown): boolean {
  if (type === "integer") return Number.isInteger(value);
  if (type === "number") return typeof value === "number" && Number.isFinite(value);
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return typeof value === "object" && value !== null && !Array.isArray(value);
  return typeof value === type;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return article(typeof value);
}

const article = (type: string) => (type === "null" ? "null" : /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`);

const list = (values: unknown[]) => values.map((v) => (typeof v === "string" ? v : JSON.stringify(v))).join(", ");

/** For a value of the right type but the wrong content: to name the type again would help nobody. */
const exampleOr = (schema: any, otherwise: string) => (schema.examples ? exampleHint(schema) : otherwise);

function exampleHint(schema: any, name?: string): string {
  const example = schema?.examples?.[0];
  if (example !== undefined) return `Send e.g. ${typeof example === "string" ? example : JSON.stringify(example)}`;
  if (schema?.enum) return `Send one of ${list(schema.enum)}`;
  if (name) return `Add ${name}${schema?.type ? `, ${article(schema.type)}` : ""}`;
  return schema?.type ? `Send ${article(schema.type)}` : "Send a value of the documented shape";
}
