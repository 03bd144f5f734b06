// Answers that hold another one whole and a little more (a new key is a key with its secret) say so with `allOf`, so that
// each field is described once and a generated client knows that one is the other.

const REF = "#/components/schemas/";
/** Below this many shared fields a reader is better off with the fields themselves. */
const MIN_SHARED = 6;

export function extendSchemas(schemas: Record<string, any>): Record<string, any> {
  const written = new Map<string, Map<string, string>>();
  for (const [name, schema] of Object.entries(schemas)) if (isOpen(schema)) written.set(name, fieldsOf(schema));
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const base = written.has(name) ? baseOf(name, written, schemas) : undefined;
      return [name, base ? extension(base, schemas[base], schema) : schema];
    }),
  );
}

const isOpen = (schema: any) => schema.type === "object" && schema.properties && schema.additionalProperties !== false;

const fieldsOf = (schema: any): Map<string, string> =>
  new Map(Object.entries(schema.properties).map(([field, property]) => [field, JSON.stringify(property)]));

/** The largest other schema of which this one has every field, said and required alike. */
function baseOf(name: string, written: Map<string, Map<string, string>>, schemas: Record<string, any>) {
  const own = written.get(name)!;
  const required = new Set<string>(schemas[name].required ?? []);
  const isBase = (other: string, fields: Map<string, string>) => {
    const needed = new Set<string>(schemas[other].required ?? []);
    const same = ([field, text]: [string, string]) =>
      own.get(field) === text && needed.has(field) === required.has(field);
    return other !== name && fields.size >= MIN_SHARED && fields.size < own.size && [...fields].every(same);
  };
  const bases = [...written].filter(([other, fields]) => isBase(other, fields));
  return bases.sort((a, b) => b[1].size - a[1].size)[0]?.[0];
}

function extension(base: string, { properties: known }: any, schema: any) {
  const { type, properties, required = [], ...rest } = schema;
  const added = Object.entries(properties).filter(([field]) => !Object.hasOwn(known, field));
  const needed = required.filter((field: string) => !Object.hasOwn(known, field));
  const own = { type, ...(needed.length > 0 ? { required: needed } : {}), properties: Object.fromEntries(added) };
  return { ...rest, allOf: [{ $ref: REF + base }, own] };
}

/** The fields of a schema, those of the one it extends included. */
export function flattened(schema: any, schemas: Record<string, any>): any {
  if (!schema?.allOf) return schema;
  const { allOf, ...rest } = schema;
  const parts = allOf.map((part: any) => flattened(part.$ref ? schemas[part.$ref.slice(REF.length)] : part, schemas));
  return {
    ...rest,
    type: "object",
    required: parts.flatMap((part: any) => part.required ?? []),
    properties: Object.assign({}, ...parts.map((part: any) => part.properties)),
  };
}
