// Reads an order: fills in what was left out, refuses what cannot be, and says all faults at once. No I/O.
import { Failure, type Fault } from "../../../contract/errors.ts";
import type { Condition } from "../engine/deliver/condition.ts";
import { readDays } from "../engine/deliver/hours.ts";
import type { Rules } from "../engine/deliver/rules.ts";
import { isZone } from "../engine/deliver/zone.ts";
import { toDecimal } from "../../../lib/decimal.ts";
import type { AlertChange, AlertOrder, ChannelOrder, SourceOrder } from "../contract/index.ts";
import type { Given } from "./query.ts";

/** What an alert was asked to be, whole. */
export interface Spec extends Given {
  name: string | null;
  condition: NonNullable<AlertOrder["condition"]> | null;
  sources: SourceOrder[];
  delivery: NonNullable<AlertOrder["delivery"]>;
  /** Alerts made before there was `on_update` have none. */
  dedupe: { by: "auto" | "guid" | "url" | "content" | "none"; window_s: number; on_update?: "ignore" | "notify" };
  severity: "info" | "warning" | "critical";
  labels: Record<string, string>;
}

const DEFAULT_SOURCES: SourceOrder[] = [{ type: "ingest" }, { type: "events" }];
const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const DAY_S = 86_400;

/** What each channel needs besides its type. */
const NEEDS: Record<string, (keyof ChannelOrder)[]> = {
  webhook: ["url"],
  slack: ["url"],
  discord: ["url"],
  teams: ["url"],
  mattermost: ["url"],
  email: ["to"],
  telegram: ["token", "chat_id"],
  ntfy: ["topic"],
  gotify: ["base_url", "token"],
  matrix: ["base_url", "room_id", "token"],
  pagerduty: ["routing_key"],
  sse: [],
};
const MAY: Record<string, (keyof ChannelOrder)[]> = {
  webhook: ["secret"],
  telegram: ["thread_id", "base_url"],
  ntfy: ["token", "base_url"],
  pagerduty: ["base_url"],
};
const SOURCE_FIELDS: Record<string, string[]> = { feed: ["url", "interval_s"], ingest: ["stream"], events: ["topics"] };

export function readOrder(order: AlertOrder): Spec {
  refuse(faultsOf(order, true));
  return {
    name: order.name ?? null,
    tag: order.tag,
    tags: order.tags,
    query: order.query,
    match: order.match ?? {},
    condition: order.condition ?? null,
    sources: order.sources ?? DEFAULT_SOURCES,
    delivery: order.delivery ?? {},
    dedupe: { by: "auto", window_s: 30 * DAY_S, on_update: "ignore", ...order.dedupe },
    severity: order.severity ?? "info",
    labels: order.labels ?? {},
  };
}

export function readChange(spec: Spec, change: AlertChange): Spec {
  refuse(faultsOf(change, false));
  const watched = change.tag ?? change.tags ?? change.query;
  const given = watched === undefined ? spec : change;
  return {
    ...spec,
    ...(change.name === undefined ? {} : { name: change.name }),
    tag: given.tag,
    tags: given.tags,
    query: given.query,
    match: change.match ?? spec.match,
    condition: change.condition === undefined ? spec.condition : change.condition,
    sources: change.sources ?? spec.sources,
    delivery: change.delivery ?? spec.delivery,
    dedupe: { ...spec.dedupe, ...change.dedupe },
    severity: change.severity ?? spec.severity,
    labels: change.labels ?? spec.labels,
  };
}

function refuse(faults: Fault[]): void {
  if (faults.length > 0) throw new Failure("validation_failed", faults[0].detail, { errors: faults });
}

function faultsOf(order: AlertOrder | AlertChange, whole: boolean): Fault[] {
  const faults: Fault[] = [];
  const blame = (pointer: string, detail: string, hint: string, code = "invalid") =>
    faults.push({ pointer, code, detail, hint });
  const watched = [order.tag, order.tags, order.query].filter((w) => w !== undefined).length;
  if (watched > 1 || (whole && watched === 0)) {
    blame("", "Exactly one of tag, tags and query says what is watched.", "Send one of them.", "one_of");
  }
  order.sources?.forEach((source, i) => {
    if (source.type === "feed" && !source.url)
      blame(`/sources/${i}/url`, "A feed needs its address.", "Send url.", "required");
    for (const field of Object.keys(source)) {
      if (field !== "type" && !SOURCE_FIELDS[source.type].includes(field)) {
        blame(`/sources/${i}/${field}`, `${field} does not go with ${source.type}.`, "Leave it out.");
      }
    }
  });
  order.channels?.forEach((channel, i) => channelFaults(channel, `/channels/${i}`, blame));
  if (order.condition) {
    const { op, value } = order.condition;
    if ((op === "changed") !== (value === undefined)) {
      blame(
        "/condition/value",
        op === "changed" ? "changed compares with the value before." : `${op} needs a value.`,
        op === "changed" ? "Leave value out." : "Send value.",
      );
    }
  }
  deliveryFaults(order.delivery, blame);
  return faults;
}

type Blame = (pointer: string, detail: string, hint: string, code?: string) => void;

function channelFaults(channel: ChannelOrder, at: string, blame: Blame): void {
  const needs = NEEDS[channel.type];
  for (const field of needs)
    if (channel[field] === undefined)
      blame(`${at}/${field}`, `${channel.type} needs ${field}.`, `Send ${field}.`, "required");
  for (const field of Object.keys(channel) as (keyof ChannelOrder)[]) {
    if (field === "type" || needs.includes(field) || MAY[channel.type]?.includes(field)) continue;
    blame(`${at}/${field}`, `${field} does not go with ${channel.type}.`, "Leave it out.");
  }
  if (
    channel.secret !== undefined &&
    channel.type === "webhook" &&
    !/^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/.test(channel.secret)
  ) {
    blame(`${at}/secret`, "A webhook secret is whsec_ and base64 of 24 to 64 bytes.", "Leave it out to have one made.");
  }
}

function deliveryFaults(delivery: AlertOrder["delivery"], blame: Blame): void {
  if (delivery?.mode === "digest" && !delivery.digest)
    blame("/delivery/digest", "mode digest needs a digest.", 'Send {"every":"day","at":"08:00"}.', "required");
  const zones: [string, string | undefined][] = [
    ["/delivery/digest/timezone", delivery?.digest?.timezone],
    ...(delivery?.quiet_hours ?? []).map((q, i): [string, string | undefined] => [
      `/delivery/quiet_hours/${i}/timezone`,
      q.timezone,
    ]),
  ];
  for (const [pointer, zone] of zones)
    if (zone !== undefined && !isZone(zone))
      blame(pointer, `${zone} is no IANA time zone.`, "Send e.g. Europe/Berlin.");
  delivery?.quiet_hours?.forEach((q, i) => {
    if (q.days && readDays(q.days) === null)
      blame(
        `/delivery/quiet_hours/${i}/days`,
        "A day is mon, tue, wed, thu, fri, sat, sun, or a range.",
        "Send e.g. mon-fri.",
      );
  });
}

/** One fault that shows only against what is stored. */
export function invalid(pointer: string, detail: string, hint: string): Failure {
  return new Failure("validation_failed", detail, { hint, errors: [{ pointer, code: "invalid", detail, hint }] });
}

/** The rules of delivery as the engine wants them. */
export function rulesOf({ delivery }: Spec): Rules {
  const { digest } = delivery;
  return {
    mode: delivery.mode ?? (digest ? "digest" : "instant"),
    cooldownMs: (delivery.cooldown_s ?? 0) * 1000,
    cooldownMode: delivery.cooldown_mode ?? "batch",
    maxPerHour: delivery.max_per_hour ?? 60,
    digest: digest
      ? {
          every: digest.every,
          at: digest.at ?? "08:00",
          timezone: digest.timezone ?? "UTC",
          weekday: WEEKDAYS.indexOf(digest.weekday ?? "mon"),
          maxItems: digest.max_items ?? 50,
          sendEmpty: digest.send_empty ?? false,
        }
      : null,
    quiet: (delivery.quiet_hours ?? []).map((q) => ({
      days: readDays(q.days ?? []) ?? [],
      from: q.from,
      to: q.to,
      timezone: q.timezone ?? "UTC",
    })),
  };
}

export function conditionOf({ condition }: Spec): Condition | null {
  if (!condition) return null;
  return {
    field: condition.field,
    op: condition.op,
    value: condition.value === undefined ? null : toDecimal(condition.value),
    rearm: condition.rearm ?? "on_clear",
    hysteresis: condition.hysteresis ?? 0,
  };
}

/** The reader's own time zone, for times in messages. */
export function zoneOf({ delivery }: Spec): string {
  return delivery.digest?.timezone ?? delivery.quiet_hours?.[0]?.timezone ?? "UTC";
}

export const INGEST = 1;
export const EVENTS = 2;
export const FEEDS = 4;

export function sourceBits({ sources }: Spec): number {
  return sources.reduce((bits, s) => bits | (s.type === "ingest" ? INGEST : s.type === "events" ? EVENTS : FEEDS), 0);
}
