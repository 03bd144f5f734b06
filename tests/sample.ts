// A valid value for a schema, made from its own examples, choices and limits; the base of matrix and fuzz tests.
import type { TSchema } from "typebox";

const byFormat: Record<string, string> = {
  "date-time": "2026-11-02T15:00:00Z",
  text: "sample",
  "multi-line": "sample",
  decimal: "12.50",
  email: "ada@example.com",
  url: "https://example.com/page",
  cidr: "203.0.113.0/24",
};

export function sampleOf(schema: TSchema | undefined): any {
  const s = schema as any;
  if (!s) return undefined;
  if (s.examples) return s.examples[0];
  if (s.default !== undefined) return s.default;
  if (s.enum) return s.enum[0];
  if ("const" in s) return s.const;
  if (s.anyOf) return sampleOf(s.anyOf[0]);
  if (s.type === "object") return sampleObject(s);
  if (s.type === "array") return Array.from({ length: s.minItems ?? 0 }, () => sampleOf(s.items));
  if (s.type === "string") return (byFormat[s.format] ?? "sample").padEnd(s.minLength ?? 0, "x");
  if (s.type === "integer" || s.type === "number") return s.minimum ?? 1;
  if (s.type === "boolean") return true;
  return null;
}

function sampleObject(s: any): Record<string, unknown> {
  const needed: string[] = s.required ?? [];
  const spare = Object.keys(s.properties ?? {}).filter((name) => !needed.includes(name));
  const names = [...needed, ...spare.slice(0, Math.max(0, (s.minProperties ?? 0) - needed.length))];
  return Object.fromEntries(names.map((name) => [name, sampleOf(s.properties[name])]));
}

/** The path with well-formed ids that belong to nobody. */
export function samplePath(path: string, params: TSchema | undefined): string {
  const properties = (params as any)?.properties ?? {};
  return path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(sampleOf(properties[name]) ?? "none")));
}

/** The required query parameters, as text behind a question mark. */
export function sampleQuery(query: TSchema | undefined): string {
  const s = query as any;
  const given = (s?.required ?? []).map((name: string) => [name, String(sampleOf(s.properties[name]))]);
  return given.length > 0 ? `?${new URLSearchParams(given)}` : "";
}
