// Asks sources in order until every symbol has an answer, within rate limits and circuit breakers; hedges a slow source.
// One bad symbol never fails its neighbours; one caller never fails another.
import type { Clock } from "../../../../lib/clock.ts";
import { Bucket, HedgeBudget, Latencies } from "./bucket.ts";
import { Circuit } from "./circuit.ts";
import {
  isFailure,
  quoteFailure,
  SourceError,
  type FetchResults,
  type QuoteFailure,
  type QuoteSource,
  type Security,
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

type Outcome = { ok: true; fetched: FetchResults } | { ok: false; error: SourceError };

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

  health(): { source: string; state: ReturnType<Circuit["state"]> }[] {
    return this.#links.map((l) => ({ source: l.source.name, state: l.circuit.state(this.#clock.monotonic()) }));
  }

  /** An answer for every symbol, whatever happens. */
  async fetch(securities: Security[], only?: string): Promise<FetchResults> {
    const answers: FetchResults = new Map();
    let left = securities;
    const links = this.#links.filter((l) => !only || l.source.name === only);
    for (let i = 0; i < links.length && left.length > 0; i++) {
      const mine = left.filter((security) => links[i].source.covers(security));
      if (mine.length === 0) continue;
      const fetched = await this.#ask(links, i, mine);
      for (const security of mine)
        record(answers, security, fetched.get(security.key) ?? notFound(security, links[i].source.name));
      left = left.filter((security) => !answers.has(security.key) || isFailure(answers.get(security.key)!));
    }
    for (const security of securities)
      if (!answers.has(security.key))
        answers.set(security.key, quoteFailure("symbol_not_found", `No source covers ${security.symbol}.`));
    return answers;
  }

  /** One source in as many calls as its batch size asks, each hedged by the next source when it may be. */
  async #ask(links: Link[], at: number, securities: Security[]): Promise<FetchResults> {
    const size = links[at].source.batchMax;
    const parts: Security[][] = [];
    for (let i = 0; i < securities.length; i += size) parts.push(securities.slice(i, i + size));
    const all = await Promise.all(parts.map((part) => this.#askPart(links, at, part)));
    return new Map(all.flatMap((m) => [...m]));
  }

  async #askPart(links: Link[], at: number, securities: Security[]): Promise<FetchResults> {
    const link = links[at];
    const refusal = this.#admit(link, securities.length);
    if (refusal) return failAll(securities, refusal);
    this.#budget.earn();
    const spare = links
      .slice(at + 1)
      .find((l) => !l.source.metered && securities.every((security) => l.source.covers(security)));
    const first = this.#call(link, securities);
    if (!spare) return this.#outcome(link, securities, await first);
    const hedged = await this.#race(link, first, spare, securities);
    return this.#outcome(link, securities, hedged);
  }

  #race(link: Link, first: Promise<Outcome>, spare: Link, securities: Security[]): Promise<Outcome> {
    const delayMs = link.latencies.quantile(0.95) ?? this.#hedgeMs;
    return new Promise((resolve) => {
      let second: Promise<Outcome> | null = null;
      let failure: Outcome | null = null;
      const cancel = this.#clock.after(delayMs, () => {
        if (!this.#budget.spend() || this.#admit(spare, securities.length)) return;
        second = this.#call(spare, securities);
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

  async #call(link: Link, securities: Security[]): Promise<Outcome> {
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
      const fetched = await Promise.race([source.fetch(securities, control.signal), timeout]);
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

  #outcome(link: Link, securities: Security[], outcome: Outcome): FetchResults {
    if (outcome.ok) return outcome.fetched;
    const codes = {
      timeout: "timeout",
      rate_limited: "rate_limited",
      unauthorized: "not_entitled",
      failed: "provider_error",
    } as const;
    const { kind, message, retryAfterMs } = outcome.error;
    return failAll(securities, quoteFailure(codes[kind], message, { retryAfterMs, provider: link.source.name }));
  }
}

const failAll = (securities: Security[], failure: QuoteFailure): FetchResults =>
  new Map(securities.map((security) => [security.key, failure]));
const notFound = (security: Security, provider: string): QuoteFailure =>
  quoteFailure("symbol_not_found", `${provider} does not know ${security.symbol}.`, { provider });

/** A quote beats any failure; among failures the most informative one wins (highest weight). */
const WEIGHT: Record<string, number> = {
  symbol_not_found: 0,
  circuit_open: 1,
  no_data: 2,
  rate_limited: 3,
  provider_error: 4,
  timeout: 5,
  only_delayed: 6,
  only_simulated: 6,
  only_stale: 6,
  not_entitled: 7,
  delisted: 8,
  symbol_ambiguous: 9,
  symbol_invalid: 9,
};

function record(answers: FetchResults, security: Security, answer: Draft | QuoteFailure): void {
  const known = answers.get(security.key);
  if (!known || !isFailure(answer) || (isFailure(known) && WEIGHT[answer.code] > WEIGHT[known.code]))
    answers.set(security.key, answer);
}
