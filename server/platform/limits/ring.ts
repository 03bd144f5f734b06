// An exact sliding log: no half-open interval of `windowMs`, wherever it begins, ever holds more than the limit.

export interface Verdict {
  admitted: boolean;
  /** Requests that would be admitted right now, after this one. */
  remaining: number;
  /** Milliseconds until the oldest counted request leaves the window; 0 when none is counted. */
  resetMs: number;
}

/** Takes the milliseconds of a monotonic clock, unrounded. */
export class Ring {
  #times: Float64Array;
  #first = 0;
  #count = 0;
  readonly #windowMs: number;

  constructor(windowMs: number, capacity = 16) {
    this.#windowMs = windowMs;
    this.#times = new Float64Array(capacity);
  }

  /** Counts a request if it fits. A refused one spends nothing. */
  admit(nowMs: number, limit: number): Verdict {
    this.#forget(nowMs);
    const admitted = this.#count < limit;
    if (admitted) this.#push(nowMs);
    return { admitted, remaining: Math.max(0, limit - this.#count), resetMs: this.#resetMs(nowMs) };
  }

  /** The same answer without counting. */
  peek(nowMs: number, limit: number): Verdict {
    this.#forget(nowMs);
    return {
      admitted: this.#count < limit,
      remaining: Math.max(0, limit - this.#count),
      resetMs: this.#resetMs(nowMs),
    };
  }

  get empty(): boolean {
    return this.#count === 0;
  }

  #forget(nowMs: number): void {
    const oldest = nowMs - this.#windowMs;
    while (this.#count > 0 && this.#times[this.#first] <= oldest) {
      this.#first = this.#first + 1 === this.#times.length ? 0 : this.#first + 1;
      this.#count--;
    }
  }

  #push(nowMs: number): void {
    if (this.#count === this.#times.length) this.#grow();
    this.#times[(this.#first + this.#count++) % this.#times.length] = nowMs;
  }

  #grow(): void {
    const larger = new Float64Array(this.#times.length * 2);
    for (let i = 0; i < this.#count; i++) larger[i] = this.#times[(this.#first + i) % this.#times.length];
    this.#times = larger;
    this.#first = 0;
  }

  #resetMs(nowMs: number): number {
    return this.#count === 0 ? 0 : this.#times[this.#first] + this.#windowMs - nowMs;
  }
}
