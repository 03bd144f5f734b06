// A token bucket for a source's published limit. Pure: the caller brings the time.

export class Bucket {
  #tokens: number;
  #at: number;

  readonly capacity: number;
  readonly perMs: number;

  constructor(capacity: number, perMs: number, now: number) {
    this.capacity = capacity;
    this.perMs = perMs;
    this.#tokens = capacity;
    this.#at = now;
  }

  /** Takes the tokens, or leaves them and says how long until there are enough. */
  take(cost: number, now: number): { ok: true } | { ok: false; waitMs: number } {
    this.#refill(now);
    const need = Math.min(cost, this.capacity);
    if (this.#tokens >= need) {
      this.#tokens -= need;
      return { ok: true };
    }
    return { ok: false, waitMs: Math.ceil(((need - this.#tokens) * this.perMs) / this.capacity) };
  }

  #refill(now: number): void {
    this.#tokens = Math.min(this.capacity, this.#tokens + ((now - this.#at) * this.capacity) / this.perMs);
    this.#at = now;
  }
}

/** The last latencies of a source, for the moment after which a second one is asked. */
export class Latencies {
  #ring: number[] = [];
  #next = 0;

  add(ms: number): void {
    this.#ring[this.#next] = ms;
    this.#next = (this.#next + 1) % 64;
  }

  /** The given quantile, or null before there are eight of them. */
  quantile(q: number): number | null {
    if (this.#ring.length < 8) return null;
    const sorted = [...this.#ring].sort((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
  }
}

/** So many extra calls per ordinary one; saved up to a cap, so a sudden hang can be bridged. */
export class HedgeBudget {
  #saved: number;

  readonly share: number;
  readonly cap: number;

  constructor(share = 0.05, cap = 10) {
    this.share = share;
    this.cap = cap;
    this.#saved = cap;
  }

  earn(): void {
    this.#saved = Math.min(this.cap, this.#saved + this.share);
  }

  spend(): boolean {
    if (this.#saved < 1) return false;
    this.#saved--;
    return true;
  }
}
