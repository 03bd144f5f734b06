// The one shape that JSON-LD, microdata and RDFa are read into, and the look-ups on it.

export type Value = string | number | boolean | Item;

export interface Item {
  /** As written: full addresses or short names. */
  types: string[];
  id: string | null;
  /** By short name: `offers`, `price`, `query-input`. */
  props: Map<string, Value[]>;
  /** The element it was read from; -1 where it came from a script. */
  node: number;
}

export const isItem = (value: Value | undefined): value is Item => typeof value === "object" && value !== null;

/** `http://schema.org/Product`, `schema:Product`, `Product` → `Product`. */
export function shortName(name: string): string {
  const cut = Math.max(name.lastIndexOf("/"), name.lastIndexOf("#"), name.lastIndexOf(":"));
  return cut < 0 ? name : name.slice(cut + 1);
}

export const hasType = (item: Item, ...names: string[]): boolean =>
  item.types.some((type) => names.includes(shortName(type)));

export function add(item: Item, name: string, value: Value): void {
  const known = item.props.get(name);
  if (known) known.push(value);
  else item.props.set(name, [value]);
}

/** All values of the first of these properties that is there. */
export function all(item: Item, ...names: string[]): Value[] {
  for (const name of names) {
    const values = item.props.get(name);
    if (values && values.length > 0) return values;
  }
  return [];
}

/** The first text of these properties; a nested item gives its name, its value or its address. */
export function text(item: Item, ...names: string[]): string | null {
  for (const name of names) {
    for (const value of item.props.get(name) ?? []) {
      const found = textOfValue(value);
      if (found) return found;
    }
  }
  return null;
}

function textOfValue(value: Value): string | null {
  if (isItem(value)) return text(value, "name", "value", "url", "contentUrl") ?? value.id;
  const out = String(value).trim();
  return out === "" ? null : out;
}

export const items = (item: Item, ...names: string[]): Item[] => all(item, ...names).filter(isItem);

/** Every item below this one, itself first; `seen` guards against rings. */
export function* walk(item: Item, seen: Set<Item> = new Set()): Generator<Item> {
  if (seen.has(item) || seen.size > 20_000) return;
  seen.add(item);
  yield item;
  for (const values of item.props.values()) for (const value of values) if (isItem(value)) yield* walk(value, seen);
}
