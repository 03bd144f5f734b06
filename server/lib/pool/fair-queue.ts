// Work that waits, one list for each account: the accounts take turns, and each has room for so much.

export type Account = number | string;

export class FairQueue<T> {
  /** In the order in which the accounts have their next turn. */
  readonly #lists = new Map<Account, T[]>();
  readonly #maxPerAccount: number;
  readonly #maxInAll: number;
  #size = 0;

  constructor(maxPerAccount: number, maxInAll: number) {
    this.#maxPerAccount = maxPerAccount;
    this.#maxInAll = maxInAll;
  }

  get size(): number {
    return this.#size;
  }

  /** False when there is no room. */
  push(account: Account, item: T): boolean {
    const list = this.#lists.get(account);
    if (this.#size >= this.#maxInAll || (list?.length ?? 0) >= this.#maxPerAccount) return false;
    if (list) list.push(item);
    else this.#lists.set(account, [item]);
    this.#size++;
    return true;
  }

  /** The next item of the first account that may have its turn; that account then waits for all the others. */
  take(mayRun: (account: Account) => boolean): T | undefined {
    for (const [account, list] of this.#lists) {
      if (!mayRun(account)) continue;
      const item = list.shift()!;
      this.#lists.delete(account);
      if (list.length > 0) this.#lists.set(account, list);
      this.#size--;
      return item;
    }
    return undefined;
  }

  /** Empties it. */
  takeAll(): T[] {
    const items = [...this.#lists.values()].flat();
    this.#lists.clear();
    this.#size = 0;
    return items;
  }
}
