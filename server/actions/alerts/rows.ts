// The shapes of what the store keeps for alerts. Types alone: every other file of this action may import them.
import type { Mode } from "../../contract/define.ts";
import type { Item, MatchView, NewAlert, SourceSpec } from "./contract/index.ts";
import type { Message, VerifyMessage } from "./engine/channel/message.ts";
import type { ConditionState } from "./engine/deliver/condition.ts";
import type { Pace, Suppressed } from "./engine/deliver/rules.ts";
import type { PollState } from "./engine/feed/schedule.ts";
import type { TagLists } from "./engine/query/canonical.ts";
import type { Highlight } from "./engine/query/highlight.ts";
import type { State } from "./machine.ts";

/** What is watched, in one of its three spellings, and how words are compared. */
export interface Watch {
  tag?: string;
  tags?: TagLists;
  query?: string;
  match: NonNullable<NewAlert["match"]>;
}

/** An alert as it was requested, with every default filled in. */
export interface Spec extends Watch {
  name: string | null;
  condition: NonNullable<NewAlert["condition"]> | null;
  sources: SourceSpec[];
  delivery: NonNullable<NewAlert["delivery"]>;
  /** `on_update` is missing in alerts that are older than the option. */
  dedupe: { by: "auto" | "guid" | "url" | "content" | "none"; window_s: number; on_update?: "ignore" | "notify" };
  severity: "info" | "warning" | "critical";
  labels: Record<string, string>;
}

export interface Stats {
  matched: number;
  notified: number;
  suppressed: Suppressed;
}

export interface AlertRow {
  /** The matching engine knows an alert by this number. */
  number: number;
  id: string;
  tenantId: number;
  mode: Mode;
  status: State;
  /** 'w:kettle' or 't:launch' when the whole query is one plain word or tag. */
  term: string | null;
  query: string;
  /** Bits: INGEST, EVENTS, FEEDS. */
  sources: number;
  spec: Spec;
  pace: Pace;
  /** By subject: the memory of the alert's condition. */
  conditions: Record<string, ConditionState>;
  stats: Stats;
  /** When the next empty digest is due. */
  dueMs: number | null;
  expiresMs: number | null;
  createdMs: number;
  updatedMs: number;
}

export interface ChannelRow {
  id: string;
  alertNumber: number;
  tenantId: number;
  position: number;
  type: string;
  target: Record<string, string | number>;
  /** Secrets, encrypted and bound to the channel's id. */
  sealed: string;
  status: "pending_verification" | "active" | "failing" | "disabled";
  failures: number;
  failingSinceMs: number | null;
  lastError: string | null;
  /** Confirms and ends a subscription by mail. */
  token: string;
}

/** A subscription at a WebSub hub. */
export interface WebSub {
  hub: string;
  topic: string;
  sealed: string;
  token: string;
  askedMs: number;
  /** Until when the hub has promised to push; null until it has confirmed. */
  untilMs: number | null;
}

export interface FeedRow {
  id: string;
  /** Mode and address: one feed serves all alerts that read it. */
  key: string;
  url: string;
  simulated: boolean;
  format: string | null;
  title: string | null;
  hub: string | null;
  websub: WebSub | null;
  state: PollState;
}

/** A match as messages and answers show it. */
export interface MatchedItem {
  id: string;
  item: Item;
  terms: string[];
  highlights: Highlight[];
  createdMs: number;
}

export interface MatchRow extends MatchedItem {
  seq: string;
  state: MatchView["state"];
  reason: string | null;
  dueMs: number | null;
}

export interface NewNotification {
  id: string;
  tenantId: number;
  alertNumber: number;
  channelId: string;
  message: Message | VerifyMessage;
  createdMs: number;
  /** When it is due; at once unless set. */
  dueMs?: number;
}

export interface NotificationRow {
  seq: string;
  id: string;
  channelId: string;
  message: Message | VerifyMessage;
  status: "queued" | "retrying" | "delivered" | "dead";
  attempts: number;
  nextMs: number | null;
  lastError: string | null;
  createdMs: number;
}

/** What the in-memory index needs to know of an alert. */
export interface IndexEntry {
  number: number;
  tenantId: number;
  status: string;
  sources: number;
  term: string | null;
  /** Parsed when there is no `term`. */
  watch: Watch | null;
  feeds: string[];
}

/** One of `parts` equal shards: the alerts whose number divided by `parts` leaves `part`. */
export interface ShardShare {
  part: number;
  parts: number;
}

export interface LoggedEvent {
  seq: bigint;
  id: string;
  tenantId: number;
  type: string;
  tags: string[];
  data: unknown;
  atMs: number;
}
