// Filters on event types: exact names, `delivery.*` for a family, nothing for all. Pure.
import { invalidFields } from "../../contract/errors.ts";
import { nearest } from "../../lib/nearest.ts";

export type TypeFilter = (type: string) => boolean;

/** The filter for a list of patterns; an empty list lets everything pass. */
export function typeFilter(patterns: string[]): TypeFilter {
  if (patterns.length === 0 || patterns.includes("*")) return () => true;
  const exact = new Set(patterns.filter((p) => !p.endsWith(".*")));
  const families = patterns.filter((p) => p.endsWith(".*")).map((p) => p.slice(0, -1));
  return (type) => exact.has(type) || families.some((family) => type.startsWith(family));
}

/** Refuses a pattern that could never match, with the nearest known one as the hint. */
export function refuseUnknownTypes(patterns: string[], known: string[], pointer: string): void {
  const families = [...new Set(known.map((type) => `${type.split(".")[0]}.*`))];
  const allowed = ["*", ...families, ...known];
  const faults = patterns.flatMap((pattern, i) => {
    if (allowed.includes(pattern)) return [];
    const near = nearest(pattern, allowed);
    const hint = near ? `Did you mean "${near}"?` : "See the event types in /openapi.json.";
    return [
      { pointer: pointer.replace("#", String(i)), code: "enum", detail: `"${pattern}" is not an event type`, hint },
    ];
  });
  if (faults.length > 0) throw invalidFields(faults);
}

/** `type=a,b.*` of a query string as patterns. */
export function readTypes(text: string | undefined): string[] {
  return (text ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);
}
