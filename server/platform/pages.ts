// Lists and single things as routes hand them out: pages with a cursor, and the one 404.
import { Failure } from "../contract/errors.ts";
import type { Cursors } from "../lib/cursor.ts";

export interface PageQuery {
  limit?: number;
  cursor?: string;
}

export interface PageRequest<Row, Item> {
  cursors: Cursors;
  /** Names the list with its tenant and filters: a cursor of one list is refused by every other. */
  list: string;
  query: PageQuery;
  /** Up to `count` rows behind the position, in order. */
  read(after: string | null, count: number): Promise<Row[]>;
  /** Where a row lies; the next page begins behind it. */
  position(row: Row): string;
  view(row: Row): Item;
}

export interface Page<Item> {
  items: Item[];
  has_more: boolean;
  next_cursor: string | null;
}

const DEFAULT_LIMIT = 20;

export async function readPage<Row, Item>(request: PageRequest<Row, Item>): Promise<Page<Item>> {
  const { cursors, list, query, read, position, view } = request;
  const limit = query.limit ?? DEFAULT_LIMIT;
  const after = query.cursor === undefined ? null : cursors.decode(list, query.cursor);
  if (query.cursor !== undefined && after === null) {
    throw new Failure("invalid_cursor", "cursor was not made by this list.");
  }
  const rows = await read(after, limit + 1);
  const more = rows.length > limit;
  const items = more ? rows.slice(0, limit) : rows;
  const next = more ? cursors.encode(list, position(items.at(-1)!)) : null;
  return { items: items.map(view), has_more: more, next_cursor: next };
}

/** The one 404: a foreign object gets the very same as an unknown one. */
export function notFound(what: string): Failure {
  return new Failure("not_found", `There is no such ${what}.`);
}

/** What was looked for, or the one 404. */
export async function findOr404<T>(
  what: string,
  found: Promise<T | null | undefined> | T | null | undefined,
): Promise<T> {
  const value = await found;
  if (value === null || value === undefined) throw notFound(what);
  return value;
}
