// Which sequence numbers of a feed were seen before: one bit for each of the last 4,096.

/** How far back a repeated sequence number is recognised; an older one is refused as too old. */
const WINDOW = 4096;

export class SequenceWindow {
  #seen = new Uint32Array(WINDOW / 32);
  #top = -1;

  /** The highest number so far; -1 before the first. */
  get top(): number {
    return this.#top;
  }

  /** Notes a number. "applied" when it is new. */
  note(seq: number): "applied" | "duplicate" | "too_old" {
    if (seq > this.#top) {
      if (seq - this.#top >= WINDOW) this.#seen.fill(0);
      else this.#clear(this.#top + 1, seq);
      this.#top = seq;
    } else if (this.#top - seq >= WINDOW) return "too_old";
    else if (this.#seen[(seq % WINDOW) >>> 5] & (1 << (seq & 31))) return "duplicate";
    this.#seen[(seq % WINDOW) >>> 5] |= 1 << (seq & 31);
    return "applied";
  }

  /** After a restart every number up to `top` counts as seen. */
  static seenUpTo(top: number): SequenceWindow {
    const window = new SequenceWindow();
    window.#top = top;
    window.#seen.fill(0xffffffff);
    return window;
  }

  /** Forgets a range of numbers, a word at a time. */
  #clear(from: number, to: number): void {
    for (let s = from; s < to; ) {
      const span = Math.min(32 - (s & 31), to - s);
      const mask = span === 32 ? -1 : ((1 << span) - 1) << (s & 31);
      this.#seen[(s % WINDOW) >>> 5] &= ~mask;
      s += span;
    }
  }
}
