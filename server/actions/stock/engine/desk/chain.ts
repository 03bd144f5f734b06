// Asks sources in order until every symbol has an answer: limits, circuits, a hedge when the first one is slow.
// One bad symbol never fails its neighbours; one caller never fails another.
import type { Clock } from "../../../../lib/clock.ts";
import { Bucket, HedgeBudget, Latencies } from "./bucket.ts";
import { Circuit } from "./circuit.ts";
import {
  isFailure,
  quoteFailure,
  SourceError,
  type Fetched,
  type QuoteFailure,
  type QuoteSource,
  type Wanted,
} from "./source.ts";
import type { Draft } from "../quote/model.ts";

export interface ChainOptions {
  clock: Clock;
  timeoutMs?: number;
  /** Before there are latencies to learn from, a second source is asked after this. */
  hedgeMs?: number;
  /** Called with every call that ended, for metrics. */
  onCall?(source: string, outcome: "ok" | SourceError["kind"] | "hedged", ms: number): void;
}

interface Link {
  source: QuoteSource;
  circuit: Circuit;
  bucket: Bucket | null;
  latencies: Latencies;
}

type Outcome = { ok: true; fetched: Fetched } | { ok: false; error: SourceError };

export class Chain {
  readonly #links: Link[];
  readonly #budget = new HedgeBudget();
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #hedgeMs: number;
  readonly #onCall: NonNullable<ChainOptions["onCall"]>;

  constructor(sources: QuoteSource[], options: ChainOptions) {
    this.#clock = options.clock;
    this.#timeoutMs = options.timeoutMs ?? 5000;
    this.#hedgeMs = options.hedgeMs ?? 300;
    this.#onCall = options.onCall ?? (() => {});
    const now = this.#clock.monotonic();
    this.#links = sources.map((source) => ({
      source,
      circuit: new Circuit(),
      latencies: new Latencies(),
      bucket: source.limit && new Bucket(source.limit.tokens, source.limit.perMs, now),
    }));
  }

  /** Smallest batch that every source can take, for the batcher. */
  get batchMax(): number {
    return Math.max(1, ...this.#links.map((l) => l.source.batchMax));
  }

  get names(): string[] {
    return this.#links.map((l) => l.source.name);
  }

  health(): { source: string; state: string }[] {
    return this.#links.map((l) => ({ source: l.source.name, state: l.circuit.state(this.#clock.monotonic()) }));
  }

  /** An answer for every symbol, whatever happens. */
  async fetch(wanted: Wanted[], only?: string): Promise<Fetched> {
    const answers: Fetched = new Map();
    let left = wanted;
    const links = this.#links.filter((l) => !only || l.source.name === only);
    for (let i = 0; i < links.length && left.length > 0; i++) {
      const mine = left.filter((w) => links[i].source.covers(w));
      if (mine.length === 0) continue;
      const fetched = await this.#ask(links, i, mine);
      for (const w of mine) settle(answers, w, fetched.get(w.key) ?? notFound(w, links[i].source.name));
      left = left.filter((w) => !answers.has(w.key) || isFailure(answers.get(w.key)!));
    }
    for (const w of wanted)
      if (!answers.has(w.key)) answers.set(w.key, quoteFailure("symbol_not_found", `No source covers ${w.symbol}.`));
    return answers;
  }

  /** One source in as many calls as its batch size asks, each hedged by the next source when it may be. */
  async #ask(links: Link[], at: number, wanted: Wanted[]): Promise<Fetched> {
    const size = links[at].source.batchMax;
    const parts: Wanted[][] = [];
    for (let i = 0; i < wanted.length; i += size) parts.push(wanted.slice(i, i + size));
    const all = await Promise.all(parts.map((part) => this.#askPart(links, at, part)));
    return new Map(all.flatMap((m) => [...m]));
  }

  async #askPart(links: Link[], at: number, wanted: Wanted[]): Promise<Fetched> {
    const link = links[at];
    const refusal = this.#admit(link, wanted.length);
    if (refusal) return everyone(wanted, refusal);
    this.#budget.earn();
    const spare = links.slice(at + 1).find((l) => !l.source.metered && wanted.every((w) => l.source.covers(w)));
    const first = this.#call(link, wanted);
    if (!spare) return this.#outcome(link, wanted, await first);
    const hedged = await this.#race(link, first, spare, wanted);
    return this.#outcome(link, wanted, hedged);
  }

  #race(link: Link, first: Promise<Outcome>, spare: Link, wanted: Wanted[]): Promise<Outcome> {
    const delayMs = link.latencies.quantile(0.95) ?? this.#hedgeMs;
    return new Promise((resolve) => {
      let second: Promise<Outcome> | null = null;
      let failure: Outcome | null = null;
      const cancel = this.#clock.after(delayMs, () => {
        if (!this.#budget.spend() || this.#admit(spare, wanted.length)) return;
        second = this.#call(spare, wanted);
        void second.then((outcome) => {
          if (!outcome.ok) return failure && resolve(failure);
          // The first one was too slow to be of use: that is what its circuit must learn.
          link.circuit.failed("timeout", this.#clock.monotonic());
          this.#onCall(link.source.name, "hedged", delayMs);
          resolve(outcome);
        });
      });
      void first.then((outcome) => {
        cancel();
        failure = outcome;
        if (outcome.ok || !second) return resolve(outcome);
        void second.then((o) => resolve(o.ok ? o : outcome));
      });
    });
  }

  #admit(link: Link, symbols: number): QuoteFailure | null {
    const now = this.#clock.monotonic();
    const { name, limit } = link.source;
    if (!link.circuit.admit(now)) {
      const retryAfterMs = link.circuit.waitMs(now) || null;
      return quoteFailure("circuit_open", `${name} is not asked for a while because it failed.`, {
        retryAfterMs,
        provider: name,
      });
    }
    const taken = link.bucket?.take(limit!.cost(symbols), now);
    if (taken && !taken.ok) {
      return quoteFailure("rate_limited", `The published limit of ${name} is used up.`, {
        retryAfterMs: taken.waitMs,
        provider: name,
      });
    }
    return null;
  }

  async #call(link: Link, wanted: Wanted[]): Promise<Outcome> {
    const { source } = link;
    const started = this.#clock.monotonic();
    const control = new AbortController();
    let cancel = () => {};
    const timeout = new Promise<never>((_, reject) => {
      cancel = this.#clock.after(this.#timeoutMs, () => {
        const error = new SourceError("timeout", `${source.name} did not answer within ${this.#timeoutMs} ms.`);
        reject(error);
        control.abort(error);
      });
    });
    try {
      const fetched = await Promise.race([source.fetch(wanted, control.signal), timeout]);
      const ms = this.#clock.monotonic() - started;
      link.latencies.add(ms);
      link.circuit.succeeded();
      this.#onCall(source.name, "ok", ms);
      return { ok: true, fetched };
    } catch (thrown) {
      const error =
        thrown instanceof SourceError
          ? thrown
          : new SourceError(
              "failed",
              `${source.name} failed: ${String((thrown as Error)?.message ?? thrown).slice(0, 200)}`,
            );
      link.circuit.failed(error.kind, this.#clock.monotonic(), error.retryAfterMs);
      this.#onCall(source.name, error.kind, this.#clock.monotonic() - started);
      return { ok: false, error };
    } finally {
      cancel();
    }
  }

  #outcome(link: Link, wanted: Wanted[], outcome: Outcome): Fetched {
    if (outcome.ok) return outcome.fetched;
    const codes = {
      timeout: "timeout",
      rate_limited: "rate_limited",
      unauthorized: "not_entitled",
      failed: "provider_error",
    } as const;
    const { kind, message, retryAfterMs } = outcome.error;
    return everyone(wanted, quoteFailure(codes[kind], message, { retryAfterMs, provider: link.source.name }));
  }
}

const everyone = (wanted: Wanted[], failure: QuoteFailure): Fetched => new Map(wanted.map((w) => [w.key, failure]));
const notFound = (w: Wanted, provider: string): QuoteFailure =>
  quoteFailure("symbol_not_found", `${provider} does not know ${w.symbol}.`, { provider });

/** A quote beats any failure; among failures the one that says most wins. */
const WEIGHT: Record<string, number> = {
  symbol_not_found: 0,
  circuit_open: 1,
  no_data: 2,
  rate_limited: 3,
  provider_error: 4,
  timeout: 5,
  only_delayed: 6,
  only_simulated: 6,
  not_entitled: 7,
  delisted: 8,
  symbol_ambiguous: 9,
  symbol_invalid: 9,
};

function settle(answers: Fetched, w: Wanted, answer: Draft | QuoteFailure): void {
  const known = answers.get(w.key);
  if (!known || !isFailure(answer) || (isFailure(known) && WEIGHT[answer.code] > WEIGHT[known.code]))
    answers.set(w.key, answer);
}
