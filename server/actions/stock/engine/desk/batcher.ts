// Joins the symbols of many callers into few upstream calls: one flight per symbol, one call per window.
import type { Clock } from "../../../../lib/clock.ts";
import type { Draft } from "../quote/model.ts";
import { quoteFailure, type Fetched, type QuoteFailure, type Wanted } from "./source.ts";

type Answer = Draft | QuoteFailure;

export interface Flight {
  promise: Promise<Answer>;
  /** Whether this caller started it, or joined one under way. */
  joined: boolean;
}

export class Batcher {
  readonly #flights = new Map<string, { promise: Promise<Answer>; resolve(answer: Answer): void }>();
  #waiting: Wanted[] = [];
  #cancel: (() => void) | null = null;

  readonly clock: Clock;
  readonly windowMs: number;
  readonly batchMax: number;
  readonly fetch: (wanted: Wanted[]) => Promise<Fetched>;

  constructor(clock: Clock, windowMs: number, batchMax: number, fetch: (wanted: Wanted[]) => Promise<Fetched>) {
    this.clock = clock;
    this.windowMs = windowMs;
    this.batchMax = batchMax;
    this.fetch = fetch;
  }

  ask(wanted: Wanted): Flight {
    const under = this.#flights.get(wanted.key);
    if (under) return { promise: under.promise, joined: true };
    let resolve: (answer: Answer) => void = () => {};
    const promise = new Promise<Answer>((r) => (resolve = r));
    this.#flights.set(wanted.key, { promise, resolve });
    this.#waiting.push(wanted);
    if (this.#waiting.length >= this.batchMax) this.#send();
    else this.#cancel ??= this.#soon();
    return { promise, joined: false };
  }

  /** A source inside this process has nothing to gain from waiting: the end of the present turn will do. */
  #soon(): () => void {
    if (this.windowMs > 0) return this.clock.after(this.windowMs, () => this.#send());
    queueMicrotask(() => this.#send());
    return () => {};
  }

  #send(): void {
    this.#cancel?.();
    this.#cancel = null;
    const wanted = this.#waiting;
    this.#waiting = [];
    if (wanted.length === 0) return;
    this.fetch(wanted).then(
      (fetched) =>
        this.#land(
          wanted,
          (w) => fetched.get(w.key) ?? quoteFailure("symbol_not_found", `No source knows ${w.symbol}.`),
        ),
      (error) => this.#land(wanted, () => quoteFailure("provider_error", String((error as Error)?.message ?? error))),
    );
  }

  #land(wanted: Wanted[], answer: (w: Wanted) => Answer): void {
    for (const w of wanted) {
      const flight = this.#flights.get(w.key);
      this.#flights.delete(w.key);
      flight?.resolve(answer(w));
    }
  }
}
