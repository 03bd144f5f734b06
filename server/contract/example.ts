// A valid value for a schema, made from its own examples, choices and limits: for hints, for OpenAPI and for tests.

const BY_FORMAT: Record<string, string> = {
  "date-time": "2026-12-01T15:00:00Z",
  text: "sample",
  address: "Boston, MA",
  "time-or-asap": "2026-12-01T15:00:00Z",
  "time-zone": "Europe/Berlin",
  "multi-line": "sample",
  decimal: "12.50",
  email: "ada@example.com",
  url: "https://example.com/page",
  cidr: "203.0.113.0/24",
};

/** What must be there and nothing more: a caller can paste it. */
export function exampleOf(schema: any): any {
  return build(schema, false, 0);
}

/** Every member that an answer always has. */
export function answerExampleOf(schema: any): any {
  return build(schema, true, 0);
}

function build(schema: any, answer: boolean, depth: number): any {
  if (!schema) return null;
  if (schema.examples) return schema.examples[0];
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  if ("const" in schema) return schema.const;
  if (schema.anyOf) return buildUnion(schema, answer, depth);
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case "object":
      return buildObject(schema, answer, depth);
    case "array": {
      const count = Math.max(schema.minItems ?? 0, answer && depth < 2 ? 1 : 0);
      return Array.from({ length: count }, () => build(schema.items, answer, depth + 1));
    }
    case "string":
      return (BY_FORMAT[schema.format] ?? "sample").padEnd(schema.minLength ?? 0, "x").slice(0, schema.maxLength);
    case "integer":
    case "number":
      return smallest(schema);
    case "boolean":
      return true;
    default:
      return null;
  }
}

/** An answer that may be null is shown as null, unless it is a plain value that says more. */
function buildUnion(schema: any, answer: boolean, depth: number): any {
  const [first, ...rest] = schema.anyOf;
  const nullable = rest.some((option: any) => option.type === "null");
  const large = first.type === "object" || first.type === "array";
  return answer && nullable && large && depth > 0 && !first.examples ? null : build(first, answer, depth);
}

function buildObject(schema: any, answer: boolean, depth: number): Record<string, unknown> {
  const properties = schema.properties ?? {};
  const needed: string[] = schema.required ?? [];
  const choice: string[] = (schema.exactlyOne ?? []).slice(0, 1);
  const spare = Object.keys(properties).filter((name) => !needed.includes(name) && !choice.includes(name));
  const missing = Math.max(0, (schema.minProperties ?? 0) - needed.length - choice.length);
  const names = Object.keys(properties).filter(
    (name) => needed.includes(name) || choice.includes(name) || spare.slice(0, missing).includes(name),
  );
  return Object.fromEntries(names.map((name) => [name, build(properties[name], answer, depth + 1)]));
}

function smallest({ minimum, maximum, exclusiveMinimum }: any): number {
  const least = exclusiveMinimum === undefined ? (minimum ?? 1) : exclusiveMinimum + 1;
  return Math.min(least, maximum ?? least);
}
