// Joins the symbols of many callers into few upstream calls: one request in flight per symbol, one call per time window.
import type { Clock } from "../../../../lib/clock.ts";
import type { Draft } from "../quote/model.ts";
import { quoteFailure, type FetchResults, type QuoteFailure, type Security } from "./source.ts";

type Answer = Draft | QuoteFailure;

export interface Flight {
  promise: Promise<Answer>;
  /** Whether this caller started it, or joined one under way. */
  joined: boolean;
}

export class Batcher {
  readonly #flights = new Map<string, { promise: Promise<Answer>; resolve(answer: Answer): void }>();
  #waiting: Security[] = [];
  #cancel: (() => void) | null = null;

  readonly clock: Clock;
  readonly windowMs: number;
  readonly batchMax: number;
  readonly fetch: (securities: Security[]) => Promise<FetchResults>;

  constructor(
    clock: Clock,
    windowMs: number,
    batchMax: number,
    fetch: (securities: Security[]) => Promise<FetchResults>,
  ) {
    this.clock = clock;
    this.windowMs = windowMs;
    this.batchMax = batchMax;
    this.fetch = fetch;
  }

  ask(security: Security): Flight {
    const under = this.#flights.get(security.key);
    if (under) return { promise: under.promise, joined: true };
    let resolve: (answer: Answer) => void = () => {};
    const promise = new Promise<Answer>((r) => (resolve = r));
    this.#flights.set(security.key, { promise, resolve });
    this.#waiting.push(security);
    if (this.#waiting.length >= this.batchMax) this.#send();
    else this.#cancel ??= this.#soon();
    return { promise, joined: false };
  }

  /** A source inside this process gains nothing from waiting: the batch goes out in the next microtask. */
  #soon(): () => void {
    if (this.windowMs > 0) return this.clock.after(this.windowMs, () => this.#send());
    queueMicrotask(() => this.#send());
    return () => {};
  }

  #send(): void {
    this.#cancel?.();
    this.#cancel = null;
    const securities = this.#waiting;
    this.#waiting = [];
    if (securities.length === 0) return;
    this.fetch(securities).then(
      (fetched) =>
        this.#land(
          securities,
          (security) =>
            fetched.get(security.key) ?? quoteFailure("symbol_not_found", `No source knows ${security.symbol}.`),
        ),
      (error) =>
        this.#land(securities, () => quoteFailure("provider_error", String((error as Error)?.message ?? error))),
    );
  }

  #land(securities: Security[], answer: (security: Security) => Answer): void {
    for (const security of securities) {
      const flight = this.#flights.get(security.key);
      this.#flights.delete(security.key);
      flight?.resolve(answer(security));
    }
  }
}
