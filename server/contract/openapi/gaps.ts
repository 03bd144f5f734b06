// What a reader of the document would miss: members without words, operations without an example, unnamed objects.

import { flattened } from "./extend.ts";

/** Every gap, in words; a document without gaps gives none. */
export function gapsOf(document: any): string[] {
  const gaps: string[] = [];
  const { schemas, parameters } = document.components;
  const wordsOf = (schema: any): string | undefined =>
    schema.description ??
    (schema.$ref ? schemas[schema.$ref.split("/").at(-1)]?.description : undefined) ??
    (schema.anyOf ?? []).map(wordsOf).find(Boolean);
  for (const [name, schema] of Object.entries<any>(schemas))
    for (const [member, property] of Object.entries<any>(flattened(schema, schemas).properties ?? {})) {
      if (!wordsOf(property)) gaps.push(`${name}.${member} has no description`);
      if (isInline(property)) gaps.push(`${name}.${member} is an object without a name`);
    }
  for (const [path, operations] of Object.entries<any>(document.paths))
    for (const [method, operation] of Object.entries<any>(operations)) {
      const at = `${method.toUpperCase()} ${path}`;
      for (const parameter of operation.parameters ?? [])
        if (!parameter.$ref && !parameter.description) gaps.push(`${at}: ${parameter.name} has no description`);
      if (!hasExample(operation, document)) gaps.push(`${at} has no example`);
      if (!document.tags.some((tag: any) => operation.tags.includes(tag.name)))
        gaps.push(`${at}: the tag ${operation.tags[0]} has no description; add it to server/contracts.ts`);
    }
  for (const parameter of Object.values<any>(parameters))
    if (!parameter.description) gaps.push(`the parameter ${parameter.name} has no description`);
  return gaps;
}

const isInline = (schema: any): boolean =>
  Boolean(schema.properties) || Boolean(schema.items && isInline(schema.items)) || (schema.anyOf ?? []).some(isInline);

function hasExample(operation: any, document: any): boolean {
  const [, answer] = Object.entries<any>(operation.responses).find(([status]) => status.startsWith("2"))!;
  const whole = answer.$ref ? document.components.responses[answer.$ref.split("/").at(-1)] : answer;
  const media = [...Object.values<any>(whole.content), ...Object.values<any>(operation.requestBody?.content ?? {})];
  return media.some((type) => type.example !== undefined || type.examples !== undefined);
}
