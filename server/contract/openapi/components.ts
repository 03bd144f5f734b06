// The named schemas of the document: every object of the contract becomes a component once, and a $ref everywhere else.
import type { Naming } from "./names.ts";
import { pascal, singular, structureOf } from "./names.ts";

/** `in` is sent by the caller and strict; `out` is answered by the service and open: v1 may add members. */
export type Direction = "in" | "out";

/** The schema as the document shows it: objects by $ref. */
type Place = (schema: any, direction: Direction, suggested: string) => any;

export interface Components {
  place: Place;
  schemas(): Record<string, any>;
}

const BOUNDS_OF_SENDERS = [
  "pattern",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "uniqueItems",
  "maxProperties",
  "examples",
  "alsoAs",
];
/** Every reader knows what these look like. */
const TIMES = ["date-time", "time-or-asap"];
const OUR_OWN = ["title", "words", "exactlyOne"];
const REF = "#/components/schemas/";

export function createComponents(naming: Naming, choices: Map<string, string>): Components {
  const schemas = new Map<string, any>();
  const byStructure = new Map<string, string>();

  function place(schema: any, direction: Direction, suggested: string): any {
    if (!schema || typeof schema !== "object" || Object.keys(schema).length === 0) return {};
    if (schema.alsoAs) return withForms(place, schema, direction, suggested);
    if (schema.anyOf) return placeUnion(schema, direction, suggested);
    if (schema.type === "array")
      return { ...bare(schema, direction), items: place(schema.items, direction, single(suggested)) };
    if (schema.enum && direction === "in") return placeChoice(schema, choices, schemas);
    if (schema.type !== "object") return bare(schema, direction);
    if (!schema.properties || Object.keys(schema.properties).length === 0)
      return placeMap(place, schema, direction, suggested);
    return reference(schema, direction, pageName(schema, direction, suggested), (name) => {
      const properties = Object.entries<any>(schema.properties).map(([field, property]) => [
        field,
        describe(place(property, direction, nestedName(name, direction, field)), property),
      ]);
      const strict = direction === "in" ? { additionalProperties: false } : {};
      const choice = direction === "in" ? exactlyOne(schema.exactlyOne) : {};
      return { ...bare(schema, direction), ...choice, properties: Object.fromEntries(properties), ...strict };
    });
  }

  /** Registers a schema under one name per structure and direction, before its members are placed. */
  function reference(schema: any, direction: Direction, suggested: string, make: (name: string) => any): any {
    const key = `${direction} ${naming.given(schema, direction) ?? structureOf(schema)}`;
    let name = byStructure.get(key);
    if (!name) {
      const wanted = naming.nameOf(schema, direction, suggested);
      const taken = (word: string) => schemas.has(word);
      name =
        taken(wanted) || naming.isReserved(wanted, schema, direction) ? otherName(wanted, direction, taken) : wanted;
      byStructure.set(key, name);
      schemas.set(name, null);
      schemas.set(name, make(name));
    }
    const words = schema.words ?? schema.description;
    const known = schemas.get(name) ?? schema;
    return { $ref: REF + name, ...(words && words !== known.description ? { description: words } : {}) };
  }

  /** A union of objects has a name of its own; `x | null` becomes a type list where x is plain. */
  function placeUnion(schema: any, direction: Direction, suggested: string): any {
    const { anyOf, words, ...own } = schema;
    const outer = words ? { ...own, description: words } : own;
    const rest = anyOf.filter((option: any) => option.type !== "null");
    const nullable = rest.length < anyOf.length;
    if (rest.length === 1) {
      const { description, ...others } = outer;
      const inner = { ...rest[0], ...others, ...(description ? { words: description } : {}) };
      return nullableOf(place(inner, direction, suggested), nullable);
    }
    if (rest.every((option: any) => option.const !== undefined))
      return nullableOf(
        place({ ...outer, enum: rest.map((option: any) => option.const) }, direction, suggested),
        nullable,
      );
    if (rest.every((option: any) => option.type === "object" && option.properties)) {
      const union = reference({ anyOf: rest, ...outer }, direction, suggested, (name) => ({
        ...outer,
        anyOf: rest.map((option: any, i: number) => place(option, direction, `${name}${variantWord(option, i)}`)),
      }));
      return nullableOf(union, nullable);
    }
    const options = rest.map((option: any, i: number) => place(option, direction, `${suggested}${i + 1}`));
    return { ...outer, anyOf: nullable ? [...options, { type: "null" }] : options };
  }

  /** `DeliveryPage` for a list of deliveries. */
  function pageName(schema: any, direction: Direction, suggested: string): string {
    const { items, has_more, next_cursor } = schema.properties;
    if (!items?.items || !has_more || !next_cursor) return suggested;
    const item = place(items.items, direction, suggested.replace(/Result$/, "Item"));
    return item.$ref ? `${item.$ref.slice(REF.length)}Page` : suggested;
  }

  return {
    place,
    schemas: () => Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** A wider pattern is shown as such; other forms stand beside the schema, so that generated types stay plain. */
function withForms(place: Place, { alsoAs, ...main }: any, direction: Direction, suggested: string): any {
  const placed = place(main, direction, suggested);
  if (direction === "out") return placed;
  const forms = alsoAs.map((form: any) => form.schema);
  const others = forms.filter((form: any) => form.type);
  const wider = Object.assign({}, ...forms.filter((form: any) => !form.type));
  return { ...placed, ...wider, ...(others.length > 0 ? { "x-also-as": others } : {}) };
}

/** A choice that several requests share has a name of its own. */
function placeChoice(schema: any, choices: Map<string, string>, schemas: Map<string, any>): any {
  const name = choices.get(schema.enum.join());
  if (!name) return bare(schema, "in");
  const { enum: values, type, ...rest } = bare(schema, "in");
  schemas.set(name, { type, enum: values });
  return { $ref: REF + name, ...rest };
}

function placeMap(place: Place, schema: any, direction: Direction, suggested: string): any {
  const { patternProperties, properties: _, ...rest } = bare(schema, direction);
  const [pattern, value] = Object.entries<any>(patternProperties ?? {})[0] ?? [];
  if (value === undefined) return { ...rest, ...(direction === "in" ? { additionalProperties: false } : {}) };
  const names = pattern === "^.*$" || direction === "out" ? {} : { propertyNames: { pattern } };
  return { ...rest, ...names, additionalProperties: place(value, direction, single(suggested)) };
}

function otherName(wanted: string, direction: Direction, taken: (name: string) => boolean): string {
  const other = direction === "in" ? `${wanted}Input` : `${wanted}Data`;
  if (!taken(other)) return other;
  for (let n = 2; ; n++) if (!taken(other + n)) return other + n;
}

/** Said with `not`, which code generators pass over, rather than with `oneOf`, which makes them lose the fields. */
function exactlyOne(names: string[] | undefined): Record<string, unknown> {
  if (!names) return {};
  const pairs = names.flatMap((a, i) => names.slice(i + 1).map((b) => ({ required: [a, b] })));
  const none = { not: { anyOf: names.map((name) => ({ required: [name] })) } };
  return { not: { anyOf: [...pairs, none] }, "x-exactly-one": names };
}

/** A schema as the document shows it in answers. Bounds bind those who send: an answer may outgrow them in v1. */
export function answered(schema: any): any {
  if (Array.isArray(schema)) return schema.map(answered);
  if (!schema || typeof schema !== "object") return schema;
  const kept = Object.entries<any>(schema).filter(([key]) => !BOUNDS_OF_SENDERS.includes(key));
  return Object.fromEntries(
    kept.map(([key, value]) => [key, key === "properties" ? mapValues(value, answered) : answered(value)]),
  );
}

const mapValues = (members: any, change: (value: any) => any) =>
  Object.fromEntries(Object.entries<any>(members).map(([key, value]) => [key, change(value)]));

/** Without what only the service needs. */
function bare(schema: any, direction: Direction): any {
  const kept = Object.entries<any>(schema).filter(([key]) => !OUR_OWN.includes(key) && key !== "additionalProperties");
  const words = schema.words && !schema.properties ? { description: schema.words } : {};
  const whole = typed({ ...Object.fromEntries(kept), ...words });
  if (TIMES.includes(whole.format)) delete whole.examples;
  return direction === "out" ? opened(whole) : whole;
}

/** v1 may answer with values that are not known today: a closed enum would break generated clients that meet one. */
function opened({ enum: values, ...schema }: any): any {
  if (!values) return schema;
  return values.every((value: unknown) => typeof value === "string")
    ? { ...schema, "x-extensible-enum": values }
    : { ...schema, enum: values };
}

/** A choice says its type too: many generators ask for it. */
function typed(schema: any): any {
  const values = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  if (!values || schema.type) return schema;
  const types = new Set(values.map((value: unknown) => (value === null ? "null" : typeof value)));
  return { ...schema, type: types.size === 1 ? [...types][0] : [...types] };
}

/** The words of a field stand beside its $ref; those of `x | null` may stand inside. */
function describe(placed: any, property: any): any {
  if (placed.description || placed.$ref) return placed;
  const inner = (property.anyOf ?? []).map((option: any) => option.description).find(Boolean);
  return inner ? { ...placed, description: inner } : placed;
}

function nullableOf(schema: any, nullable: boolean): any {
  if (!nullable) return schema;
  const { description, ...rest } = schema;
  const said = description ? { description } : {};
  if (rest.enum) return typed({ ...rest, ...said, type: undefined, enum: [...rest.enum, null] });
  if (typeof rest.type === "string" && rest.const === undefined) return { ...schema, type: [rest.type, "null"] };
  return { ...said, anyOf: [rest, { type: "null" }] };
}

/** Request types end in Request at the top and in Input below it, so that answers keep the short names. */
const nestedName = (name: string, direction: Direction, field: string) =>
  direction === "in"
    ? `${name.replace(/(Request|Input|Query)$/, "")}${pascal(field)}Input`
    : name.replace(/Response$/, "") + pascal(field);

const single = (name: string) => (name.endsWith("Input") ? `${singular(name.slice(0, -5))}Input` : singular(name));

/** What tells a variant from its siblings: its constant, else its number. */
function variantWord(schema: any, index: number): string {
  const constant = Object.entries<any>(schema.properties).find(
    ([, p]) => p.const !== undefined || p.enum?.length === 1,
  );
  if (!constant) return String(index + 1);
  const value = constant[1].const ?? constant[1].enum[0];
  return typeof value === "boolean" ? `${value ? "" : "Not"}${pascal(constant[0])}` : pascal(String(value));
}
