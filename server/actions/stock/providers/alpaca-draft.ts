// What Alpaca's REST snapshots and its WebSocket share: the options and the common part of a draft.
import type { Security } from "../engine/upstream/source.ts";
import { emptyDraft, type Draft } from "../engine/quote/model.ts";

export type AlpacaFeed = "iex" | "sip" | "delayed_sip";

export interface AlpacaOptions {
  key: string;
  secret: string;
  feed: AlpacaFeed;
  /** 200 on the free plan, 10,000 on the paid one. */
  callsPerMinute?: number;
}

/** What an IEX or SIP draft has in common, whichever way it came. */
export function alpacaDraft(security: Security, feed: AlpacaFeed): Draft {
  return {
    ...emptyDraft(security.symbol, "alpaca"),
    mic: security.mic,
    quotedIn: "USD",
    feed,
    coverage: feed === "iex" ? "single_venue" : "consolidated",
    delivery: feed === "delayed_sip" ? "delayed" : "realtime",
    delaySeconds: feed === "delayed_sip" ? 900 : 0,
    attribution: feed === "iex" ? "IEX Real-Time Price" : null,
  };
}
