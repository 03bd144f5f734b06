// Names for the choices (enums) that several requests share, so that a generated client has one type for each.
import type { Route } from "../define.ts";
import { pascal, singular } from "./names.ts";

/** The values of a choice, joined by commas → its name. A choice with one use has none. */
export function nameChoices(routes: Route[]): Map<string, string> {
  const found = new Map<string, { uses: number; field: string; namespaces: Set<string> }>();
  for (const { id, query, body } of routes)
    for (const schema of [query, body])
      visitChoices(schema, "", (values, field) => {
        const known = found.get(values) ?? { uses: 0, field, namespaces: new Set() };
        known.uses++;
        found.set(values, { ...known, namespaces: known.namespaces.add(id.split(".")[0]) });
      });
  const names = new Map<string, string>();
  for (const [values, { uses, field, namespaces }] of found) {
    if (uses < 2) continue;
    const [namespace] = namespaces.size === 1 ? namespaces : [""];
    const base = `${singular(pascal(namespace))}${singular(pascal(field))}Choice`;
    const taken = [...names.values()].filter((name) => name.startsWith(base)).length;
    names.set(values, taken > 0 ? `${base}${taken + 1}` : base);
  }
  return names;
}

function visitChoices(schema: any, field: string, see: (values: string, field: string) => void): void {
  if (!schema || typeof schema !== "object") return;
  const constants = (schema.anyOf ?? []).flatMap((option: any) => option.const ?? []);
  const values: unknown[] = schema.enum ?? (constants.length > 1 ? constants : []);
  if (values.length > 1 && values.every((value) => typeof value === "string")) see(values.join(), field);
  for (const option of schema.anyOf ?? []) visitChoices(option, field, see);
  visitChoices(schema.items, field, see);
  for (const [name, property] of Object.entries(schema.properties ?? {})) visitChoices(property, name, see);
}
