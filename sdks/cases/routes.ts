// One more story, made from openapi.json: every call of every language reaches its route, with every field it can send.
import type { Step, Story } from "./story.ts";

export function routeStory(document: any): Story {
  const steps = Object.entries<any>(document.paths).flatMap(([path, verbs]) =>
    Object.entries<any>(verbs).flatMap(([verb, operation]) => stepOf(path, verb.toUpperCase(), operation)),
  );
  return { name: "every call reaches its route with every field", client: { max_retries: 0 }, steps };
}

function stepOf(path: string, verb: string, operation: any): Step[] {
  const answers = Object.entries<any>(operation.responses).find(([status]) => status.startsWith("2"))![1].content;
  // A stream has no end to wait for; stories of their own tell of streams.
  if (answers["text/event-stream"]) return [];
  const of = (where: string) => operation.parameters.filter((p: any) => p.in === where);
  const schema = operation.requestBody?.content?.["application/json"]?.schema;
  const body = schema?.properties || schema?.anyOf ? sample(schema) : undefined;
  const query = Object.fromEntries(of("query").map((p: any) => [p.name, sample(p.schema)]));
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

/** A value with every field, and with the zeros and falsehoods that careless writers leave out. */
function sample(schema: any): unknown {
  const options = (schema.anyOf ?? schema.oneOf)?.filter((o: any) => o.type !== "null");
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (options && !schema.properties) return sample(options[0]);
  if (schema.type === "array") return [sample(schema.items ?? {})];
  if (schema.properties)
    return Object.fromEntries(Object.entries<any>(schema.properties).map(([name, p]) => [name, sample(p)]));
  if (schema.type === "object")
    return { k: sample(schema.additionalProperties || Object.values(schema.patternProperties ?? {})[0] || {}) };
  if (schema.type === "boolean") return false;
  if (schema.type === "integer" || schema.type === "number") return 0;
  return "a & ü";
}
