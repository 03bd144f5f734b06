// What an SDK is generated from: operations and named types, read from the OpenAPI document. Knows no language.
import { createNaming, pascal, singular, structureOf, type Naming } from "./naming.ts";

export type Type = (
  | { kind: "string" | "integer" | "number" | "boolean" | "unknown" }
  | { kind: "choice"; values: (string | number | boolean)[] }
  | { kind: "list"; item: Type }
  | { kind: "map"; value: Type }
  | { kind: "named"; name: string }
  | { kind: "union"; of: Type[] }
) & { nullable?: true };

export interface Field {
  name: string;
  type: Type;
  required: boolean;
  doc: string;
}

/** `in` is sent by the caller, `out` is answered by the service: only the first may have surprises removed. */
export type Direction = "in" | "out";

export interface NamedType {
  name: string;
  direction: Direction;
  doc: string;
  fields: Field[];
  /** Set when it is one of several shapes; `fields` then holds all their fields together. */
  variants?: string[];
}

export interface Operation {
  id: string;
  namespace: string;
  method: string;
  verb: string;
  /** Under /api/v1: `/delivery/{id}`. */
  path: string;
  doc: string;
  params: { name: string; doc: string }[];
  query: NamedType | null;
  /** Whether the query may be left out altogether. */
  queryOptional: boolean;
  body: Type | null;
  bodyOptional: boolean;
  /** Media types taken besides JSON. */
  consumes: string[];
  answer:
    | { kind: "json"; type: Type }
    | { kind: "page"; item: Type }
    | { kind: "stream"; item: Type }
    | { kind: "raw"; mediaType: string };
}

export interface Model {
  version: string;
  operations: Operation[];
  types: NamedType[];
  /** Event type → shape of its data. */
  events: { type: string; doc: string; data: Type }[];
  errorCodes: string[];
}

/** What a stream's events carry, which the document cannot say. A stream that is not named here carries anything. */
const streamed: Record<string, string> = {
  "events.stream": "Event",
  "stock.stream": "StockQuote",
  "alerts.stream": "Event",
};

export function readModel(document: any): Model {
  const raw = rawOperations(document);
  const naming = createNaming(raw.map(({ id, operation }) => ({ id, ...schemasOf(operation) })));
  const types = new Map<string, NamedType>();
  const reader = createReader(naming, types);
  const operations = raw.map((r) => readOperation(r, reader));
  for (const operation of operations) {
    const name = streamed[operation.id];
    if (operation.answer.kind === "stream" && types.has(name)) operation.answer.item = { kind: "named", name };
  }
  const events = Object.entries<any>(document.webhooks ?? {}).map(([type, { post }]) => ({
    type,
    doc: post.summary as string,
    data: reader.read(
      post.requestBody.content["application/json"].schema.properties.data,
      "out",
      `${pascal(type)}Data`,
    ),
  }));
  return {
    version: document.info.version,
    operations,
    types: [...types.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    events: events.sort((a, b) => (a.type < b.type ? -1 : 1)),
    errorCodes: [...document.components.schemas.Error.properties.code.enum].sort(),
  };
}

interface RawOperation {
  id: string;
  path: string;
  verb: string;
  operation: any;
}

function rawOperations(document: any): RawOperation[] {
  return Object.entries<any>(document.paths).flatMap(([path, verbs]) =>
    Object.entries<any>(verbs).map(([verb, operation]) => ({
      id: operation.operationId as string,
      path: path.replace(/^\/api\/v1/, ""),
      verb: verb.toUpperCase(),
      operation,
    })),
  );
}

const successOf = (operation: any) =>
  Object.entries<any>(operation.responses).find(([status]) => status.startsWith("2"))![1].content as Record<
    string,
    any
  >;

function schemasOf(operation: any) {
  const answer = successOf(operation)["application/json"]?.schema?.properties?.data;
  const item = pageItem(answer);
  return {
    body: operation.requestBody?.content?.["application/json"]?.schema,
    answer: item ?? answer,
    query: operation.parameters.filter((p: any) => p.in === "query"),
  };
}

/** The item of a list answer, if it is one. */
function pageItem(answer: any): any {
  const properties = answer?.properties;
  return properties?.items?.items && properties.has_more && properties.next_cursor ? properties.items.items : undefined;
}

type Reader = ReturnType<typeof createReader>;

function readOperation({ id, path, verb, operation }: RawOperation, reader: Reader): Operation {
  const dot = id.indexOf(".");
  const [namespace, method] = [id.slice(0, dot), id.slice(dot + 1)];
  const name = pascal(namespace) + pascal(method);
  const of = (where: string) => operation.parameters.filter((p: any) => p.in === where);
  const query = of("query");
  const content = operation.requestBody?.content ?? {};
  const bodySchema = content["application/json"]?.schema;
  const hasFields = bodySchema && Object.keys(bodySchema).length > 0;
  return {
    id,
    namespace,
    method,
    verb,
    path,
    doc: sentence(operation.summary) + (operation.description ? ` ${operation.description}` : ""),
    params: of("path").map((p: any) => ({ name: p.name, doc: p.description ?? "" })),
    query: query.length > 0 ? reader.record(`${name}Query`, "in", query) : null,
    queryOptional: query.every((p: any) => !p.required),
    body: hasFields ? reader.read(bodySchema, "in", `${name}Params`) : null,
    bodyOptional:
      operation.requestBody?.required === false ||
      (hasFields && !(bodySchema.required?.length > 0) && !bodySchema.anyOf),
    consumes: Object.keys(content).filter((type) => type !== "application/json"),
    answer: readAnswer(successOf(operation), name, reader),
  };
}

function readAnswer(content: Record<string, any>, name: string, reader: Reader): Operation["answer"] {
  const data = content["application/json"]?.schema?.properties?.data;
  if (data) {
    const item = pageItem(data);
    return item
      ? { kind: "page", item: reader.read(item, "out", `${name}Item`) }
      : { kind: "json", type: reader.read(data, "out", `${name}Result`) };
  }
  const [mediaType] = Object.keys(content);
  return mediaType === "text/event-stream" ? { kind: "stream", item: { kind: "unknown" } } : { kind: "raw", mediaType };
}

const single = (name: string) => (name.endsWith("Input") ? `${singular(name.slice(0, -5))}Input` : singular(name));
const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Turns schemas into types, registering every object it meets under one name per structure and direction. */
function createReader(naming: Naming, types: Map<string, NamedType>) {
  const byStructure = new Map<string, string>();

  function read(schema: any, direction: Direction, suggested: string): Type {
    if (!schema || typeof schema !== "object" || Object.keys(schema).length === 0) return { kind: "unknown" };
    const options = schema.anyOf ?? schema.oneOf;
    if (options) return readUnion(schema, options, direction, suggested);
    if (schema.allOf) return read(merge(schema.allOf), direction, suggested);
    if (schema.const !== undefined) return { kind: "choice", values: [schema.const] };
    if (schema.enum) return { kind: "choice", values: schema.enum };
    if (Array.isArray(schema.type))
      return readUnion(
        schema,
        schema.type.map((type: string) => ({ ...schema, type })),
        direction,
        suggested,
      );
    if (schema.type === "array") return { kind: "list", item: read(schema.items, direction, single(suggested)) };
    if (schema.type === "object" || schema.properties) return readObject(schema, direction, suggested);
    if (["string", "integer", "number", "boolean"].includes(schema.type)) return { kind: schema.type };
    return { kind: "unknown" };
  }

  function readUnion(schema: any, options: any[], direction: Direction, suggested: string): Type {
    const rest = options.filter((o) => o.type !== "null");
    const mark = rest.length < options.length ? { nullable: true as const } : {};
    if (rest.length === 1) return { ...read(rest[0], direction, suggested), ...mark };
    if (rest.every((o) => o.const !== undefined || o.enum)) {
      return { kind: "choice", values: rest.flatMap((o) => o.enum ?? [o.const]), ...mark };
    }
    if (rest.every((o) => o.type === "object" && o.properties))
      return { ...readVariants(schema, rest, direction, suggested), ...mark };
    if (schema.properties && rest.every((o) => !o.properties))
      return { ...readObject(schema, direction, suggested), ...mark };
    const of = rest.map((o, i) => read(o, direction, `${suggested}${i + 1}`));
    const distinct = of.filter((type, i) => of.findIndex((t) => JSON.stringify(t) === JSON.stringify(type)) === i);
    return distinct.length === 1 ? { ...distinct[0], ...mark } : { kind: "union", of: distinct, ...mark };
  }

  function readVariants(schema: any, options: any[], direction: Direction, suggested: string): Type {
    const key = `${direction} ${structureOf({ anyOf: options })}`;
    const known = byStructure.get(key);
    if (known) return { kind: "named", name: known };
    const name = free(naming.nameOf({ anyOf: options }, direction, suggested), direction, { anyOf: options });
    byStructure.set(key, name);
    types.set(name, { name, direction, doc: schema.description ?? "", fields: [], variants: [] });
    const variants = options.map((o, i) => read(o, direction, `${name}${variantWord(o, i)}`));
    const names = variants.map((v) => (v as { name: string }).name);
    types.set(name, {
      name,
      direction,
      doc: schema.description ?? "",
      fields: together(names.map((n) => types.get(n)!.fields)),
      variants: names,
    });
    return { kind: "named", name };
  }

  function readObject(schema: any, direction: Direction, suggested: string): Type {
    if (!schema.properties || Object.keys(schema.properties).length === 0) {
      const value =
        typeof schema.additionalProperties === "object"
          ? schema.additionalProperties
          : Object.values(schema.patternProperties ?? {})[0];
      return { kind: "map", value: read(value, direction, single(suggested)) };
    }
    const key = `${direction} ${structureOf(schema)}`;
    const known = byStructure.get(key);
    if (known) return { kind: "named", name: known };
    const name = free(naming.nameOf(schema, direction, suggested), direction, schema);
    byStructure.set(key, name);
    types.set(name, { name, direction, doc: schema.description ?? "", fields: [] });
    types.get(name)!.fields = Object.entries<any>(schema.properties).map(([field, property]) => ({
      name: field,
      type: read(property, direction, nested(name, direction) + pascal(field) + (direction === "in" ? "Input" : "")),
      required: (schema.required ?? []).includes(field),
      doc: docOf(property),
    }));
    return { kind: "named", name };
  }

  function free(wanted: string, direction: Direction, schema: any): string {
    if (!types.has(wanted) && !naming.isReserved(wanted, schema, direction)) return wanted;
    const other = direction === "in" ? `${wanted}Input` : `${wanted}Data`;
    if (!types.has(other)) return other;
    for (let n = 2; ; n++) if (!types.has(other + n)) return other + n;
  }

  function record(name: string, direction: Direction, parameters: any[]): NamedType {
    const fields = parameters.map((p) => ({
      name: p.name,
      type: read(p.schema, direction, name + pascal(p.name)),
      required: p.required === true,
      doc: p.description ?? "",
    }));
    const made = { name: free(name, direction, {}), direction, doc: "", fields };
    types.set(made.name, made);
    return made;
  }

  return { read, record };
}

/** Request types end in Params at the top and in Input below it, so that answers keep the short names. */
const nested = (name: string, direction: Direction) =>
  direction === "in" ? name.replace(/(Params|Input|Query)$/, "") : name;

const docOf = (property: any): string =>
  property.description ?? (property.anyOf ?? []).map((o: any) => o.description).find(Boolean) ?? "";

/** What tells a variant from its siblings: its constant, else its number. */
function variantWord(schema: any, index: number): string {
  const constant = Object.entries<any>(schema.properties).find(
    ([, p]) => p.const !== undefined || p.enum?.length === 1,
  );
  if (!constant) return String(index + 1);
  const value = constant[1].const ?? constant[1].enum[0];
  return typeof value === "boolean" ? `${value ? "" : "Not"}${pascal(constant[0])}` : pascal(String(value));
}

function together(lists: Field[][]): Field[] {
  const fields = new Map<string, Field>();
  for (const list of lists) {
    for (const field of list) {
      const known = fields.get(field.name);
      if (!known) fields.set(field.name, { ...field });
      else known.type = widest(known.type, field.type);
    }
  }
  for (const field of fields.values())
    field.required = lists.every((list) => list.some((f) => f.name === field.name && f.required));
  return [...fields.values()];
}

function widest(a: Type, b: Type): Type {
  if (JSON.stringify(a) === JSON.stringify(b)) return a;
  const mark = a.nullable || b.nullable ? { nullable: true as const } : {};
  if (a.kind === "choice" && b.kind === "choice")
    return { kind: "choice", values: [...new Set([...a.values, ...b.values])], ...mark };
  if (a.kind === b.kind && a.kind !== "named" && a.kind !== "union") return { ...a, ...mark };
  return { kind: "unknown", ...mark };
}

function merge(schemas: any[]): any {
  const merged: any = { type: "object", properties: {}, required: [] };
  for (const schema of schemas) {
    Object.assign(merged.properties, schema.properties);
    merged.required.push(...(schema.required ?? []));
  }
  return merged;
}
