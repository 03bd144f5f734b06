// An OpenAPI document without references: what a $ref points at stands in its place. For tools that compare or sample.

export function inlined(document: any): any {
  const place = (value: any): any => {
    if (Array.isArray(value)) return value.map(place);
    if (!value || typeof value !== "object") return value;
    const { $ref, ...rest } = value;
    const members = Object.fromEntries(Object.entries(rest).map(([key, member]) => [key, place(member)]));
    return merged(typeof $ref === "string" ? { ...place(target(document, $ref)), ...members } : members);
  };
  return { ...document, paths: place(document.paths), webhooks: place(document.webhooks ?? {}) };
}

/** A schema that extends another, with the fields of both. */
function merged({ allOf, ...rest }: any): any {
  if (!allOf) return rest;
  const properties = Object.assign({}, ...allOf.map((part: any) => part.properties));
  return { type: "object", ...rest, properties, required: allOf.flatMap((part: any) => part.required ?? []) };
}

function target(document: any, ref: string): any {
  const path = ref.slice(2).split("/");
  return path.reduce((at, key) => at?.[key.replaceAll("~1", "/").replaceAll("~0", "~")], document);
}
