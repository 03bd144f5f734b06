// Works off what is due: so many things at a time, shared out by account, so that what is slow for one account keeps nobody
// else waiting.
import { type Clock, sleep } from "./clock.ts";
import { SECOND_MS } from "./time.ts";

export interface FairWork<Item> {
  clock: Clock;
  /** How many things are under way at most. An account that is alone has half of them, so that the next one finds room. */
  concurrency: number;
  /** Takes things that are due, but none of the accounts `without`. */
  claim(limit: number, without: number[]): Promise<Item[]>;
  accountOf(item: Item): number;
  work(item: Item): Promise<void>;
  onError(error: unknown, item: Item): void;
}

/** Ends when nothing is due and nothing under way, or when the signal aborts and what is under way has ended. */
export async function workFairly<Item>(options: FairWork<Item>, signal: AbortSignal): Promise<void> {
  const { clock, concurrency, claim, accountOf, work, onError } = options;
  const underWay = new Map<Promise<void>, number>();
  const begin = (item: Item): void => {
    const done: Promise<void> = work(item)
      .catch((error) => onError(error, item))
      .finally(() => underWay.delete(done));
    underWay.set(done, accountOf(item));
  };
  while (!signal.aborted) {
    const free = concurrency - underWay.size;
    // Half of what is free: the other half is for accounts of which nothing was claimed yet.
    const limit = Math.min(free, Math.ceil(free / 2));
    const claimed = limit > 0 ? await claim(limit, accountsWithShare(underWay.values(), concurrency)) : [];
    claimed.forEach(begin);
    if (underWay.size === 0) return;
    if (claimed.length === 0) await oneEnds(underWay.keys(), clock);
  }
  await Promise.all(underWay.keys());
}

/** The accounts that have as much under way as leaves room for one more account. */
export function accountsWithShare(underWay: Iterable<number>, concurrency: number): number[] {
  const counts = new Map<number, number>();
  for (const account of underWay) counts.set(account, (counts.get(account) ?? 0) + 1);
  const share = Math.max(1, Math.floor(concurrency / (counts.size + 1)));
  return [...counts].filter(([, count]) => count >= share).map(([account]) => account);
}

/** Waits until something ends; not for long, since other things may be due by then. */
async function oneEnds(underWay: Iterable<Promise<void>>, clock: Clock): Promise<void> {
  const waiting = new AbortController();
  await Promise.race([...underWay, sleep(clock, SECOND_MS, waiting.signal).catch(() => {})]);
  waiting.abort();
}
