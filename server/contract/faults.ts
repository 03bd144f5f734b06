// Turns a value that failed its schema into faults a person can correct: each hint ends with an example that can be
// pasted as it stands. The compiled check decides; this explains.
import type { TSchema } from "typebox";
import { escapePointer } from "../lib/json.ts";
import { nearest } from "../lib/nearest.ts";
import type { Fault } from "./errors.ts";
import { exampleOf } from "./example.ts";
import { formats } from "./formats.ts";
import { meantBy } from "./synonyms.ts";

/** The part of a request; an example is written as that part is. */
export type Part = "body" | "query" | "path";

const MAX_FAULTS = 50;
const MAX_SHOWN = 400;

/** All faults of `value`, each naming its field in words and by JSON pointer. */
export function findFaults(schema: TSchema, value: unknown, part: Part): Fault[] {
  const faults: Fault[] = [];
  const report: Report = (pointer, code, detail, hint) => {
    if (faults.length < MAX_FAULTS) faults.push({ pointer, code, detail: `${nameOf(pointer, part)} ${detail}`, hint });
  };
  walk(schema as any, value, { pointer: "", part, report, isFull: () => faults.length >= MAX_FAULTS });
  return faults;
}

type Report = (pointer: string, code: string, detail: string, hint: string) => void;

interface Place {
  pointer: string;
  part: Part;
  report: Report;
  /** Whether enough faults are known: the work of explaining is bounded, however much was sent. */
  isFull(): boolean;
}

const below = (place: Place, name: string): Place => ({
  ...place,
  pointer: `${place.pointer}/${escapePointer(name.slice(0, 100))}`,
});

function nameOf(pointer: string, part: Part): string {
  if (pointer === "") return `The ${part}`;
  return pointer.slice(1).replaceAll("/", ".").replaceAll("~1", "/").replaceAll("~0", "~").slice(0, 200);
}

/** `Send e.g. "USD"` in a body, `Send e.g. currency=USD` in a query. */
function sendHint(schema: any, { pointer, part }: Place, value: unknown = exampleOf(schema)): string {
  const [, name] = pointer.split("/");
  if (part === "body") return `Send e.g. ${JSON.stringify(value)}`;
  return part === "query" && name ? `Send e.g. ${pair(name, value)}` : `Send e.g. ${plainText(value)}`;
}

/** `Add "currency":"USD"` in a body, `Add currency=USD` in a query. */
function addHint(schema: any, name: string, part: Part): string {
  return part === "body" ? `Add ${member(name, exampleOf(schema))}` : `Add ${pair(name, exampleOf(schema))}`;
}

const member = (name: string, value: unknown) => `${JSON.stringify(name)}:${JSON.stringify(value)}`;
const plainText = (value: unknown) => (Array.isArray(value) ? value.join(",") : String(value));
const pair = (name: string, value: unknown) => `${name}=${encodeURIComponent(plainText(value))}`;

/** For a field that is not known: the one that is meant, by its meaning or its spelling, with an example of it. */
export function unknownHint(name: string, properties: Record<string, any>, part: Part): string {
  const known = Object.keys(properties);
  const near = meantBy(name, known) ?? nearest(name, known) ?? holderOf(name, properties);
  if (near) {
    const example = exampleOf(properties[near]);
    const shown = part === "body" ? member(near, example) : pair(near, example);
    return `Did you mean "${near}"? Send e.g. ${shown}`;
  }
  return known.length > 0 ? `Remove it; known here: ${shorten(known.join(", "))}` : "Remove it";
}

/** The field below which the name is known: `time` belongs into `pickup`. */
function holderOf(name: string, properties: Record<string, any>): string | null {
  const holder = Object.entries(properties).find(([, property]) => Object.hasOwn(property.properties ?? {}, name));
  return holder?.[0] ?? null;
}

const shorten = (text: string) => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)} …` : text);

function walk(schema: any, value: unknown, place: Place): void {
  const { pointer, report } = place;
  if (schema.anyOf) return walkAny(schema, value, place);
  if (schema.enum) {
    if (schema.enum.includes(value)) return;
    const near = typeof value === "string" ? nearest(value, schema.enum) : null;
    const said = near ? `Did you mean ${JSON.stringify(near)}? ` : "";
    const hint = said + sendHint(schema, place, near ?? exampleOf(schema));
    return report(pointer, "enum", `must be one of ${shorten(list(schema.enum))}`, hint);
  }
  if ("const" in schema) {
    if (value === schema.const) return;
    return report(pointer, "const", `must be ${JSON.stringify(schema.const)}`, sendHint(schema, place, schema.const));
  }
  if (schema.type && !hasType(schema.type, value)) {
    return report(pointer, "type", `must be ${article(schema.type)}, not ${kindOf(value)}`, sendHint(schema, place));
  }
  if (schema.type === "object") walkObject(schema, value as Record<string, unknown>, place);
  else if (schema.type === "array") walkArray(schema, value as unknown[], place);
  else if (schema.type === "string") walkString(schema, value as string, place);
  else if (schema.type === "number" || schema.type === "integer") walkNumber(schema, value as number, place);
}

/** Of several alternatives, explains the one the caller most likely meant: the one of the right type. */
function walkAny(schema: any, value: unknown, place: Place): void {
  const attempts = schema.anyOf.map((option: any) => {
    const found: Parameters<Report>[] = [];
    walk(option, value, {
      ...place,
      report: (...fault) => found.push(fault),
      isFull: () => found.length >= MAX_FAULTS,
    });
    return { option, found };
  });
  if (attempts.some((a: any) => a.found.length === 0)) return;
  const consts = schema.anyOf.filter((o: any) => "const" in o).map((o: any) => o.const);
  if (consts.length === schema.anyOf.length) return walk({ enum: consts }, value, place);
  const typed = attempts.filter((a: any) => !a.option.type || hasType(a.option.type, value));
  const best = (typed.length > 0 ? typed : attempts).sort((a: any, b: any) => a.found.length - b.found.length)[0];
  for (const fault of best.found) place.report(...(fault as Parameters<Report>));
}

function walkObject(schema: any, value: Record<string, unknown>, place: Place): void {
  const { part, report } = place;
  const properties = schema.properties ?? {};
  for (const name of schema.required ?? []) {
    if (!Object.hasOwn(value, name))
      report(below(place, name).pointer, "required", "is required", addHint(properties[name], name, part));
  }
  countMembers(schema, value, place);
  for (const name of Object.keys(value)) {
    if (place.isFull()) return;
    const inside = below(place, name);
    const property = Object.hasOwn(properties, name) ? properties[name] : patternOf(schema, name);
    if (property) walk(property, value[name], inside);
    else if (schema.patternProperties)
      report(inside.pointer, "name", "is not a name that can be used here", sendNameHint(schema));
    else if (schema.additionalProperties === false)
      report(inside.pointer, "unknown", "is not a known field", unknownHint(name, properties, part));
    else if (typeof schema.additionalProperties === "object") walk(schema.additionalProperties, value[name], inside);
  }
  reportChoice(schema, value, place);
}

const patternOf = (schema: any, name: string): any =>
  Object.entries<any>(schema.patternProperties ?? {}).find(([pattern]) => new RegExp(pattern, "u").test(name))?.[1];

const sendNameHint = (schema: any) =>
  `Use a name that matches ${Object.keys(schema.patternProperties)[0]}, or remove it`;

function countMembers(schema: any, value: Record<string, unknown>, place: Place): void {
  const count = Object.keys(value).length;
  const { minProperties = 0, maxProperties = Infinity } = schema;
  if (count < minProperties) {
    const detail = `must hold at least ${minProperties} field${minProperties > 1 ? "s" : ""}`;
    place.report(place.pointer, "minProperties", detail, sendHint(schema, place));
  } else if (count > maxProperties) {
    place.report(place.pointer, "maxProperties", `must hold at most ${maxProperties} fields`, sendHint(schema, place));
  }
}

/** Fields of which exactly one is to be sent. */
function reportChoice(schema: any, value: Record<string, unknown>, place: Place): void {
  const names: string[] = schema.exactlyOne ?? [];
  const given = names.filter((name) => value[name] !== undefined);
  if (names.length === 0 || given.length === 1) return;
  const words = `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
  const [first = names[0]] = given;
  const example = { ...exampleOf(schema), ...Object.fromEntries(names.map((name) => [name, undefined])) };
  example[first] = exampleOf(schema.properties[first]);
  const members = Object.entries(example).filter(([, v]) => v !== undefined);
  const shown = place.part === "body" ? JSON.stringify(example) : members.map(([name, v]) => pair(name, v)).join("&");
  const hint = `Send e.g. ${shown}`;
  place.report(place.pointer, "one_of", `must have exactly one of ${words}`, hint);
}

function walkArray(schema: any, value: unknown[], place: Place): void {
  const { pointer, report } = place;
  const { minItems = 0, maxItems = Infinity } = schema;
  if (value.length < minItems)
    report(
      pointer,
      "minItems",
      `must hold at least ${minItems} item${minItems > 1 ? "s" : ""}`,
      sendHint(schema, place),
    );
  if (value.length > maxItems)
    return report(pointer, "maxItems", `must hold at most ${maxItems} items`, sendHint(schema, place));
  for (let i = 0; schema.items && i < value.length && !place.isFull(); i++)
    walk(schema.items, value[i], below(place, String(i)));
  if (!schema.uniqueItems) return;
  const distinct = new Map(value.map((item) => [JSON.stringify(item), item]));
  if (distinct.size < value.length)
    report(pointer, "uniqueItems", "must not hold an item twice", sendHint(schema, place, [...distinct.values()]));
}

function walkString(schema: any, value: string, place: Place): void {
  const { pointer, report } = place;
  const hint = sendHint(schema, place);
  const length = [...value.slice(0, 4 * (schema.maxLength ?? value.length))].length;
  const { minLength = 0 } = schema;
  if (length < minLength) {
    const detail = minLength === 1 ? "must not be empty" : `must have at least ${minLength} characters`;
    return report(pointer, "minLength", detail, hint);
  }
  if (schema.maxLength !== undefined && length > schema.maxLength)
    return report(pointer, "maxLength", `must have at most ${schema.maxLength} characters`, hint);
  if (minLength > 0 && value.trim() === "") return report(pointer, "blank", "must not be blank", hint);
  const format = schema.format ? formats[schema.format] : undefined;
  if (format && !format.test(value))
    return report(pointer, "format", format.detail, `${format.advice ? `${format.advice}. ` : ""}${hint}`);
  if (schema.pattern && !new RegExp(schema.pattern, "u").test(value)) {
    const detail = schema.examples ? `must look like ${schema.examples[0]}` : `must match ${schema.pattern}`;
    report(pointer, "pattern", detail, hint);
  }
}

function walkNumber(schema: any, value: number, place: Place): void {
  const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum = -Infinity } = schema;
  const say = (code: string, words: string, limit: number) =>
    place.report(place.pointer, code, `must be ${words} ${limit}`, sendHint(schema, place));
  if (value < minimum) say("minimum", "at least", minimum);
  else if (value <= exclusiveMinimum) say("minimum", "more than", exclusiveMinimum);
  else if (value > maximum) say("maximum", "at most", maximum);
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
