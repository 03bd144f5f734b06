// What the types of an SDK are made of, and how the fields of several variants become one list for languages without unions.

export type Type = (
  | { kind: "string" | "time" | "integer" | "number" | "boolean" | "unknown" }
  | { kind: "choice"; values: (string | number | boolean)[] }
  | { kind: "list"; item: Type }
  | { kind: "map"; value: Type }
  | { kind: "named"; name: string }
  /** With `forms`, the first is the value itself and the others are shorthand for it. */
  | { kind: "union"; of: Type[]; forms?: true }
) & { nullable?: true };

export interface Field {
  name: string;
  type: Type;
  required: boolean;
  doc: string;
}

/** A field is required where every variant requires it; its type is the widest of theirs. */
export function together(lists: Field[][]): Field[] {
  const fields = new Map<string, Field>();
  for (const list of lists) {
    for (const field of list) {
      const known = fields.get(field.name);
      if (!known) fields.set(field.name, { ...field });
      else known.type = widest(known.type, field.type);
    }
  }
  for (const field of fields.values())
    field.required = lists.every((list) => list.some((f) => f.name === field.name && f.required));
  return [...fields.values()];
}

function widest(a: Type, b: Type): Type {
  if (JSON.stringify(a) === JSON.stringify(b)) return a;
  const mark = a.nullable || b.nullable ? { nullable: true as const } : {};
  if (a.kind === "choice" && b.kind === "choice")
    return { kind: "choice", values: [...new Set([...a.values, ...b.values])], ...mark };
  if (a.kind === b.kind && a.kind !== "named" && a.kind !== "union") return { ...a, ...mark };
  return { kind: "unknown", ...mark };
}
