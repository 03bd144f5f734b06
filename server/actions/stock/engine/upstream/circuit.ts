// When to stop asking a source that fails, and when to try it again. Pure: the caller brings the time.
import type { SourceError } from "./source.ts";

export interface CircuitRules {
  /** Opens when this many of the last `window` calls failed, or after so many timeouts in a row. */
  window: number;
  failures: number;
  timeouts: number;
  openMs: number;
  /** A refused key does not start working by itself: try again only this often. */
  unauthorizedMs: number;
}

const RULES: CircuitRules = { window: 10, failures: 5, timeouts: 3, openMs: 30_000, unauthorizedMs: 600_000 };

export class Circuit {
  #recent: boolean[] = [];
  #timeouts = 0;
  #openUntil = -Infinity;
  #probing = false;

  readonly rules: CircuitRules;

  constructor(rules: CircuitRules = RULES) {
    this.rules = rules;
  }

  state(now: number): "closed" | "open" | "half_open" {
    if (this.#openUntil === -Infinity) return "closed";
    return now < this.#openUntil ? "open" : "half_open";
  }

  /** How long until it may be asked again; 0 when now. */
  waitMs(now: number): number {
    return this.state(now) === "open" ? this.#openUntil - now : 0;
  }

  /** Whether a call may go out; in half-open only one at a time. */
  admit(now: number): boolean {
    const state = this.state(now);
    if (state === "open" || (state === "half_open" && this.#probing)) return false;
    if (state === "half_open") this.#probing = true;
    return true;
  }

  succeeded(): void {
    this.#probing = false;
    this.#openUntil = -Infinity;
    this.#timeouts = 0;
    this.#note(true);
  }

  failed(kind: SourceError["kind"], now: number, retryAfterMs: number | null = null): void {
    const wasProbe = this.#probing;
    this.#probing = false;
    if (kind === "rate_limited") return this.#open(now, retryAfterMs ?? 1000);
    if (kind === "unauthorized") return this.#open(now, this.rules.unauthorizedMs);
    this.#note(false);
    this.#timeouts = kind === "timeout" ? this.#timeouts + 1 : 0;
    const failures = this.#recent.filter((ok) => !ok).length;
    if (wasProbe || this.#timeouts >= this.rules.timeouts || failures >= this.rules.failures)
      this.#open(now, this.rules.openMs);
  }

  #open(now: number, forMs: number): void {
    this.#openUntil = now + forMs;
    this.#recent = [];
    this.#timeouts = 0;
  }

  #note(ok: boolean): void {
    this.#recent.push(ok);
    if (this.#recent.length > this.rules.window) this.#recent.shift();
  }
}
