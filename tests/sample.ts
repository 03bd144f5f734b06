// Sample requests for a route, made from its contract; the base of matrix and fuzz tests.
import type { TSchema } from "typebox";
import { exampleOf } from "../server/contract/example.ts";

export const sampleOf = (schema: TSchema | undefined): any => (schema ? exampleOf(schema) : undefined);

/** The path with well-formed ids that belong to nobody. */
export function samplePath(path: string, params: TSchema | undefined): string {
  const properties = (params as any)?.properties ?? {};
  return path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(sampleOf(properties[name]) ?? "none")));
}

/** The required query parameters, as text behind a question mark. */
export function sampleQuery(query: TSchema | undefined): string {
  const given = Object.entries(query ? exampleOf(query) : {}).map(([name, value]) => [name, String(value)]);
  return given.length > 0 ? `?${new URLSearchParams(given)}` : "";
}
