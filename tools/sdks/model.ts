// What an SDK is generated from: operations and named types, read from the OpenAPI document. Knows no language.
import { flattened } from "../../server/contract/openapi/extend.ts";
import { pascal } from "../../server/contract/openapi/names.ts";
import { type Field, together, type Type } from "./types.ts";

export type { Field, Type } from "./types.ts";

/** `in` is sent by the caller, `out` is answered by the service: only the first may have surprises removed. */
export type Direction = "in" | "out";

export interface NamedType {
  name: string;
  direction: Direction;
  doc: string;
  fields: Field[];
  /** Set when it is one of several shapes; `fields` then holds all their fields together. */
  variants?: string[];
  /** Exactly one of these optional fields must be sent. */
  exactlyOne?: string[];
}

export interface Operation {
  id: string;
  /** Where the call is found: `["delivery", "couriers"]`. */
  resource: string[];
  method: string;
  verb: string;
  /** Under /api/v1: `/delivery/{id}`. */
  path: string;
  doc: string;
  params: Field[];
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

/** A namespace of the client: its calls, and the namespaces below it. */
export interface Resource {
  name: string;
  path: string[];
  operations: Operation[];
  children: Resource[];
}

export interface Model {
  version: string;
  operations: Operation[];
  resources: Resource[];
  types: NamedType[];
  typeOf(name: string): NamedType;
  /** Event type → shape of its data. */
  events: { type: string; doc: string; data: Type }[];
  errorCodes: string[];
}

/** What a stream's events carry, which the document cannot say. A stream that is not named here carries anything. */
const STREAMED: Record<string, string> = {
  "events.stream": "Event",
  "stock.stream": "StockQuote",
  "alerts.stream": "Event",
};
const NOT_SDK_TYPES = new Set(["Error", "ErrorFault", "ErrorResponse", "ServerSentEvent"]);
const REF = "#/components/schemas/";

export function readModel(document: any): Model {
  const types = new Map<string, NamedType>();
  const reader = createReader(document, types);
  const operations = Object.entries<any>(document.paths).flatMap(([path, verbs]) =>
    Object.entries<any>(verbs).map(([verb, operation]) => readOperation(path, verb, operation, reader, document)),
  );
  for (const operation of operations) {
    const name = STREAMED[operation.id];
    if (operation.answer.kind === "stream" && types.has(name)) operation.answer.item = { kind: "named", name };
  }
  const events = Object.entries<any>(document.webhooks ?? {}).map(([type, { post }]) => ({
    type,
    doc: sentence(post.summary),
    data: reader.read(post.requestBody.content["application/json"].schema.allOf[1].properties.data, "out"),
  }));
  return {
    version: document.info.version,
    operations,
    resources: treeOf(operations),
    types: [...types.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    typeOf: (name) => types.get(name)!,
    events: events.sort((a, b) => (a.type < b.type ? -1 : 1)),
    errorCodes: [...document.components.schemas.Error.properties.code.enum].sort(),
  };
}

function treeOf(operations: Operation[]): Resource[] {
  const top: Resource[] = [];
  for (const operation of operations) {
    let level = top;
    let found: Resource | undefined;
    operation.resource.forEach((name, depth) => {
      found = level.find((resource) => resource.name === name);
      if (!found) {
        found = { name, path: operation.resource.slice(0, depth + 1), operations: [], children: [] };
        level.push(found);
      }
      level = found.children;
    });
    found!.operations.push(operation);
  }
  const clash = (resources: Resource[]): void => {
    for (const { path, operations: own, children } of resources) {
      const twice = children.find((child) => own.some((o) => o.method === child.name));
      if (twice) throw new Error(`${[...path, twice.name].join(".")} is a call and a namespace; rename one of them.`);
      clash(children);
    }
  };
  clash(top);
  return top;
}

export const allResources = (resources: Resource[]): Resource[] =>
  resources.flatMap((resource) => [...allResources(resource.children), resource]);

type Reader = ReturnType<typeof createReader>;

function readOperation(path: string, verb: string, operation: any, reader: Reader, document: any): Operation {
  const id: string = operation.operationId;
  const resource = id.split(".");
  const method = resource.pop()!;
  const parameters = (operation.parameters ?? []).map((p: any) => reader.resolve(p));
  const of = (where: string) => parameters.filter((p: any) => p.in === where);
  const query = of("query");
  const content = operation.requestBody?.content ?? {};
  const bodySchema = content["application/json"]?.schema;
  const body = bodySchema ? reader.read(bodySchema, "in") : null;
  const named = body?.kind === "named" ? reader.type(body.name) : null;
  const success = Object.entries<any>(operation.responses).find(([status]) => status.startsWith("2"))![1];
  return {
    id,
    resource,
    method,
    verb: verb.toUpperCase(),
    path: path.replace(/^\/api\/v1/, ""),
    doc: sentence(operation.summary) + (operation.description ? ` ${sentence(operation.description)}` : ""),
    params: reader.fields(of("path")),
    query: query.length > 0 ? reader.record(`${pascal(id)}Query`, query, operation["x-exactly-one"]) : null,
    queryOptional: query.every((p: any) => !p.required) && !operation["x-exactly-one"],
    body: body?.kind === "unknown" ? null : body,
    bodyOptional:
      operation.requestBody?.required === false ||
      (named !== null && !named.exactlyOne && !named.variants && mayBeEmpty(bodySchema, document)),
    consumes: Object.keys(content).filter((type) => type !== "application/json"),
    answer: readAnswer(reader.resolve(success).content, reader),
  };
}

/** A body whose fields are all optional may be left out, unless at least one is asked for. */
function mayBeEmpty(schema: any, document: any): boolean {
  const target = document.components.schemas[schema.$ref?.slice(REF.length)] ?? schema;
  return !(target.required?.length > 0) && !target.minProperties;
}

function readAnswer(content: Record<string, any>, reader: Reader): Operation["answer"] {
  const envelope = reader.resolve(content["application/json"]?.schema);
  const data = envelope?.properties?.data;
  if (data) {
    const { items, has_more, next_cursor } = reader.resolve(data).properties ?? {};
    return items && has_more && next_cursor
      ? { kind: "page", item: reader.read(items.items, "out") }
      : { kind: "json", type: reader.read(data, "out") };
  }
  const [mediaType] = Object.keys(content);
  return mediaType === "text/event-stream" ? { kind: "stream", item: { kind: "unknown" } } : { kind: "raw", mediaType };
}

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Turns schemas into types, registering every component that it meets. */
function createReader(document: any, types: Map<string, NamedType>) {
  const resolve = (value: any): any =>
    value?.$ref
      ? value.$ref
          .slice(2)
          .split("/")
          .reduce((at: any, key: string) => at[key], document)
      : value;

  function read(schema: any, direction: Direction): Type {
    if (!schema || typeof schema !== "object" || Object.keys(schema).length === 0) return { kind: "unknown" };
    const { "x-also-as": forms, ...main } = schema;
    if (forms) {
      const { nullable, ...first } = read(main, direction) as Type & { nullable?: true };
      const of = [first as Type, ...forms.map((form: any) => read(form, direction))];
      return { kind: "union", of, forms: true, ...(nullable ? { nullable } : {}) };
    }
    if (schema.$ref) return readNamed(schema.$ref.slice(REF.length), direction);
    if (schema.anyOf) return readUnion(schema.anyOf, direction);
    const list = Array.isArray(schema.type) ? schema.type : [schema.type];
    const mark = list.includes("null") || schema.enum?.includes(null) ? { nullable: true as const } : {};
    const [type] = list.filter((t: string) => t !== "null");
    if (schema.const !== undefined) return { kind: "choice", values: [schema.const] };
    if (schema["x-extensible-enum"]) return { kind: "choice", values: schema["x-extensible-enum"], ...mark };
    if (schema.enum) return { kind: "choice", values: schema.enum.filter((v: unknown) => v !== null), ...mark };
    if (type === "array") return { kind: "list", item: read(schema.items, direction), ...mark };
    if (type === "object") return { kind: "map", value: read(schema.additionalProperties, direction), ...mark };
    if (type === "string")
      return { kind: ["date-time", "time-or-asap"].includes(schema.format) ? "time" : "string", ...mark };
    if (["integer", "number", "boolean"].includes(type)) return { kind: type, ...mark };
    return { kind: "unknown" };
  }

  function readUnion(options: any[], direction: Direction): Type {
    const rest = options.filter((option) => option.type !== "null");
    const mark = rest.length < options.length ? { nullable: true as const } : {};
    const of = rest.map((option) => read(option, direction));
    const distinct = of.filter((type, i) => of.findIndex((t) => JSON.stringify(t) === JSON.stringify(type)) === i);
    return distinct.length === 1 ? { ...distinct[0], ...mark } : { kind: "union", of: distinct, ...mark };
  }

  function readNamed(name: string, direction: Direction): Type {
    const type: Type = { kind: "named", name };
    if (types.has(name) || NOT_SDK_TYPES.has(name)) return type;
    const schema = flattened(document.components.schemas[name], document.components.schemas);
    if (!schema.anyOf && !schema.properties) return read(schema, direction);
    const made: NamedType = { name, direction, doc: schema.description ?? "", fields: [] };
    types.set(name, made);
    if (schema.anyOf) {
      made.variants = schema.anyOf.map((option: any) => (read(option, direction) as { name: string }).name);
      made.fields = together(made.variants!.map((variant) => types.get(variant)!.fields));
      return type;
    }
    made.fields = Object.entries<any>(schema.properties ?? {}).map(([field, property]) => ({
      name: field,
      type: read(property, direction),
      required: (schema.required ?? []).includes(field),
      doc: property.description ?? resolve(property).description ?? "",
    }));
    if (schema["x-exactly-one"]) made.exactlyOne = schema["x-exactly-one"];
    return type;
  }

  const fields = (parameters: any[]): Field[] =>
    parameters.map((p) => ({
      name: p.name,
      type: read(p.schema, "in"),
      required: p.required === true,
      doc: p.description ?? "",
    }));

  function record(name: string, parameters: any[], exactlyOne?: string[]): NamedType {
    const made: NamedType = { name, direction: "in", doc: "", fields: fields(parameters), exactlyOne };
    types.set(name, made);
    return made;
  }

  return { read, record, fields, resolve, type: (name: string) => types.get(name) ?? null };
}
