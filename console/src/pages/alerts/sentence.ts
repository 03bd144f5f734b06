// An alert's draft: the plain sentence of what it will do, and the order it becomes.
import type { ActionConnector } from "../../../../sdks/typescript/src/index.ts";

export type AlertOrder = Parameters<ActionConnector["alerts"]["create"]>[0];

export const CHANNELS = {
  sse: { title: "the live stream", label: null, does: () => "appears in the live stream" },
  webhook: { title: "a webhook", label: "URL", does: (to: string) => `is sent to ${to}` },
  email: { title: "e-mail", label: "Address", does: (to: string) => `is mailed to ${to}` },
  slack: { title: "Slack", label: "Incoming webhook URL", does: () => "is posted to Slack" },
  discord: { title: "Discord", label: "Webhook URL", does: () => "is posted to Discord" },
  teams: { title: "Teams", label: "Webhook URL", does: () => "is posted to Teams" },
} as const;
export type ChannelName = keyof typeof CHANNELS;

export const WATCHED = {
  content: "all content you push",
  feed: "a feed",
  events: "the events of this service",
} as const;

export const RHYTHMS = {
  instant: "at once",
  hour: "in a digest every hour",
  day: "in a digest every day at 08:00",
  week: "in a digest every Monday at 08:00",
} as const;

export interface Draft {
  name: string;
  query: string;
  watched: keyof typeof WATCHED;
  source: string;
  channel: ChannelName;
  target: string;
  rhythm: keyof typeof RHYTHMS;
  quiet: boolean;
}

export const EMPTY_DRAFT: Draft = {
  name: "",
  query: "",
  watched: "content",
  source: "",
  channel: "sse",
  target: "",
  rhythm: "instant",
  quiet: false,
};

/** What the alert will do, in words. */
export function sentenceOf({ query, watched, source, channel, target, rhythm, quiet }: Draft): string {
  const where = watched === "feed" ? `the feed ${source || "…"}` : WATCHED[watched];
  const when = rhythm === "instant" ? "" : `, ${RHYTHMS[rhythm]}`;
  const silence = quiet ? ", but never between 22:00 and 07:00" : "";
  return `Whatever in ${where} matches “${query || "…"}” ${CHANNELS[channel].does(target || "…")}${when}${silence}.`;
}

const timezone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

function rulesOf({ rhythm, quiet }: Draft): object {
  const at = rhythm === "hour" ? {} : { at: "08:00", timezone: timezone() };
  const weekday = rhythm === "week" ? { weekday: "mon" } : {};
  return {
    ...(rhythm === "instant" ? {} : { mode: "digest", digest: { every: rhythm, ...at, ...weekday } }),
    ...(quiet ? { quiet_hours: [{ from: "22:00", to: "07:00", timezone: timezone() }] } : {}),
  };
}

export function orderOf(draft: Draft): AlertOrder {
  const { name, query, watched, source, channel, target } = draft;
  const to = channel === "sse" ? {} : channel === "email" ? { to: target } : { url: target };
  const sources = { content: null, feed: [source], events: [{ type: "events" }] }[watched];
  const rules = rulesOf(draft);
  return {
    query,
    ...(name ? { name } : {}),
    ...(sources ? { sources } : {}),
    ...(Object.keys(rules).length > 0 ? { delivery: rules } : {}),
    channels: [{ type: channel, ...to }],
  } as AlertOrder;
}
