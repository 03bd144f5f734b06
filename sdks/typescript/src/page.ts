// Lists: one page when awaited, every item when iterated.
import { Call, type WithResponse } from "./call.ts";

export interface PageData<T> {
  items: T[];
  has_more: boolean;
  next_cursor: string | null;
}

export class Page<T> implements PageData<T>, AsyncIterable<T> {
  readonly items: T[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
  readonly #next: (cursor: string) => PageCall<T>;

  constructor(data: PageData<T>, next: (cursor: string) => PageCall<T>) {
    this.items = data.items;
    this.has_more = data.has_more;
    this.next_cursor = data.next_cursor;
    this.#next = next;
  }

  /** The page after this one, or null at the end. */
  async nextPage(): Promise<Page<T> | null> {
    return this.has_more && this.next_cursor !== null ? this.#next(this.next_cursor) : null;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for (let page: Page<T> | null = this; page; page = await page.nextPage()) yield* page.items;
  }
}

/** `await` gives the first page; `for await` gives every item of every page. */
export class PageCall<T> extends Call<Page<T>> implements AsyncIterable<T> {
  constructor(result: Promise<WithResponse<PageData<T>>>, next: (cursor: string) => PageCall<T>) {
    super(result.then((first) => ({ ...first, data: new Page(first.data, next) })));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    yield* await this;
  }

  /** Every item in one array; `most` guards against a list without end. */
  async all(most = Number.POSITIVE_INFINITY): Promise<T[]> {
    const items: T[] = [];
    for await (const item of this) if (items.push(item) >= most) break;
    return items;
  }
}
