// An OpenAPI document without references: what a $ref points at stands in its place. For tools that compare or sample.

import { flattened } from "../../server/contract/openapi/extend.ts";

export function inlined(document: any): any {
  const place = (value: any): any => {
    if (Array.isArray(value)) return value.map(place);
    if (!value || typeof value !== "object") return value;
    const { $ref, ...rest } = value;
    const members = Object.fromEntries(Object.entries(rest).map(([key, member]) => [key, place(member)]));
    return flattened(typeof $ref === "string" ? { ...place(target(document, $ref)), ...members } : members, {});
  };
  return { ...document, paths: place(document.paths), webhooks: place(document.webhooks ?? {}) };
}

function target(document: any, ref: string): any {
  const path = ref.slice(2).split("/");
  return path.reduce((at, key) => at?.[key.replaceAll("~1", "/").replaceAll("~0", "~")], document);
}
