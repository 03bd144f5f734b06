// One more story, made from openapi.json: every call of every language reaches its route, with every field it can send.
import { inlined } from "./inline.ts";
import type { Step, Story } from "./story.ts";

export function routeStory(document: any): Story {
  const steps = Object.entries<any>(inlined(document).paths).flatMap(([path, verbs]) =>
    Object.entries<any>(verbs).flatMap(([verb, operation]) => stepOf(path, verb.toUpperCase(), operation)),
  );
  return { name: "every call reaches its route with every field", client: { max_retries: 0 }, steps };
}

function stepOf(path: string, verb: string, operation: any): Step[] {
  const answers = Object.entries<any>(operation.responses).find(([status]) => status.startsWith("2"))![1].content;
  // A stream has no end to wait for; stories of their own tell of streams.
  if (answers["text/event-stream"]) return [];
  const of = (where: string) => (operation.parameters ?? []).filter((p: any) => p.in === where);
  const schema = operation.requestBody?.content?.["application/json"]?.schema;
  const body = schema?.properties || schema?.anyOf ? sample(schema) : undefined;
  const asked = withoutRivals<any>(of("query"), operation["x-exactly-one"], (p) => p.name);
  const query = Object.fromEntries(asked.map((p: any) => [p.name, sample(p.schema)]));
  const ids = of("path").map((p: any, i: number) => `x ${i}/é`);
  const reached = ids.reduce((at: string, id: string) => at.replace(/\{\w+\}/, encodeURIComponent(id)), path);
  return [
    {
      call: operation.operationId,
      path: ids,
      ...(body === undefined ? {} : { body }),
      ...(Object.keys(query).length === 0 ? {} : { query }),
      ...(Object.keys(operation.requestBody?.content ?? {}).length > 1 ? { content: true } : {}),
      expect: { reaches: { method: verb, path: reached, query, body } },
    },
  ];
}

/** Of fields that exclude each other only the first. */
function withoutRivals<T>(fields: T[], rivals: string[] = [], nameOf: (field: T) => string): T[] {
  return fields.filter((field) => !rivals.slice(1).includes(nameOf(field)));
}

/** A value with every field, and with the zeros and falsehoods that careless writers leave out. */
function sample(schema: any): unknown {
  const options = (schema.anyOf ?? schema.oneOf)?.filter((o: any) => o.type !== "null");
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (options && !schema.properties) return sample(options[0]);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === "array") return [sample(schema.items ?? {})];
  if (schema.properties) {
    const fields = withoutRivals(Object.entries<any>(schema.properties), schema["x-exactly-one"], ([name]) => name);
    return Object.fromEntries(fields.map(([name, p]) => [name, sample(p)]));
  }
  if (type === "object")
    return { k: sample(schema.additionalProperties || Object.values(schema.patternProperties ?? {})[0] || {}) };
  if (type === "boolean") return false;
  if (type === "integer" || type === "number") return 0;
  return "a & ü";
}
