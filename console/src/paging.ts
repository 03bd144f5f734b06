// A list that was loaded page after page, and how a fresh first page is laid over it.

export interface Page<T> {
  items: T[];
  next_cursor: string | null;
}

/** The fresh first page, then what was known behind its last item. Where they do not meet, the fresh page alone. */
export function renewHead<T>(known: Page<T>, fresh: Page<T>, idOf: (item: T) => string): Page<T> {
  const last = fresh.items.at(-1);
  const meet = last === undefined ? -1 : known.items.findIndex((item) => idOf(item) === idOf(last));
  const tail = meet < 0 ? [] : known.items.slice(meet + 1);
  return tail.length === 0 ? fresh : { items: [...fresh.items, ...tail], next_cursor: known.next_cursor };
}
