// Shorthand of alerts: a list of tags, a feed's address as a source, mailto: and Apprise-style addresses as a channel.
import type { Form } from "../../../contract/shorthand.ts";

/** `tags: ["kettle"]`: any of these. */
export const asTagList: Form = {
  schema: {
    type: "array",
    items: { type: "string", format: "text", minLength: 1, maxLength: 256 },
    minItems: 1,
    maxItems: 100,
  },
  read: (value) => (Array.isArray(value) ? { any: value } : undefined),
};

/** `sources: ["https://example.com/feed.xml"]`: a feed. */
export const asFeedAddress: Form = {
  schema: {
    type: "string",
    pattern: "^https?://",
    minLength: 8,
    maxLength: 2000,
    examples: ["https://example.com/feed.xml"],
  },
  read: (value) => (typeof value === "string" && /^https?:\/\//.test(value) ? { type: "feed", url: value } : undefined),
};

/** What an e-mail address looks like, wherever alerts take one. */
export const MAIL = "[^\\s@<>,;]{1,64}@[^\\s@<>,;]{1,190}\\.[^\\s@<>,;]{2,63}";
/** One that stands by itself, and so could be no address with a scheme. */
const BARE_MAIL = MAIL.replaceAll(",;", ",;:/");
/** The topic of an ntfy server. */
export const TOPIC = "[A-Za-z0-9_-]{1,64}";
/** A host, a name or a token of a channel's address. */
const part = (min: number, max: number) => `[^/?@\\s]{${min},${max}}`;
const HOST = part(1, 253);
const TOKEN = part(1, 500);
const END = "([/?]|$)";

/** `channels: ["mailto:ada@example.com"]`; each part as the field that it becomes. */
export const asChannelAddress: Form = {
  schema: {
    type: "string",
    pattern: `^(${[
      `mailto:(//)?${MAIL}$`,
      `${BARE_MAIL}$`,
      "https?://[^\\s]+$",
      `slack://${TOKEN}/${TOKEN}/${TOKEN}`,
      `(discord|gotifys?|mmosts?)://${HOST}/${TOKEN}${END}`,
      `tgram://${TOKEN}/${part(1, 100)}${END}`,
      // A room has two characters at least; %21 stands for the ! that it begins with.
      `matrixs?://${TOKEN}@${HOST}/(%21|[^/?@%\\s])${part(1, 252)}${END}`,
      `ntfys?://(${HOST}/)?${TOPIC}${END}`,
      `pagerduty://${TOKEN}(@|${END})`,
      `jsons?://${HOST}`,
    ].join("|")})`,
    maxLength: 1900,
    examples: ["mailto:ada@example.com"],
  },
  read: (value) => (typeof value === "string" ? readChannel(value.trim()) : undefined),
};

type Channel = Record<string, unknown>;

/** Apprise's own schemes, as far as they name a channel that we have. */
const SCHEMES: Record<string, (host: string, path: string[], user: string) => Channel | undefined> = {
  http: (host, path) => ({ type: "webhook", url: `http://${[host, ...path].join("/")}` }),
  https: (host, path) => ({ type: "webhook", url: `https://${[host, ...path].join("/")}` }),
  json: (host, path) => ({ type: "webhook", url: `http://${[host, ...path].join("/")}` }),
  jsons: (host, path) => ({ type: "webhook", url: `https://${[host, ...path].join("/")}` }),
  slack: (host, [b, c]) =>
    c ? { type: "slack", url: `https://hooks.slack.com/services/${host}/${b}/${c}` } : undefined,
  discord: (host, [token]) =>
    token ? { type: "discord", url: `https://discord.com/api/webhooks/${host}/${token}` } : undefined,
  tgram: (host, [chat]) => (chat ? { type: "telegram", token: host, chat_id: chat } : undefined),
  ntfy: (host, [topic]) => ntfy("http", host, topic),
  ntfys: (host, [topic]) => ntfy("https", host, topic),
  gotify: (host, [token]) => (token ? { type: "gotify", base_url: `http://${host}`, token } : undefined),
  gotifys: (host, [token]) => (token ? { type: "gotify", base_url: `https://${host}`, token } : undefined),
  matrix: (host, [room], user) => matrix("http", host, room, user),
  matrixs: (host, [room], user) => matrix("https", host, room, user),
  mmost: (host, [token]) => (token ? { type: "mattermost", url: `http://${host}/hooks/${token}` } : undefined),
  mmosts: (host, [token]) => (token ? { type: "mattermost", url: `https://${host}/hooks/${token}` } : undefined),
  pagerduty: (host, _, user) => ({ type: "pagerduty", routing_key: user || host }),
};

/** `ntfy://topic` goes to the public server, `ntfys://host/topic` to one of your own. */
const ntfy = (scheme: string, host: string, topic: string | undefined): Channel =>
  topic ? { type: "ntfy", topic, base_url: `${scheme}://${host}` } : { type: "ntfy", topic: host };

const matrix = (scheme: string, host: string, room: string | undefined, token: string): Channel | undefined =>
  room && token ? { type: "matrix", base_url: `${scheme}://${host}`, room_id: room, token } : undefined;

function readChannel(text: string): Channel | undefined {
  const mail = /^mailto:(?:\/\/)?([^?\s]+@[^?\s]+)$/i.exec(text) ?? new RegExp(`^(${BARE_MAIL})$`).exec(text);
  if (mail) return { type: "email", to: mail[1] };
  if (/^https?:\/\//.test(text)) return { type: "webhook", url: text };
  const found = /^([a-z]+):\/\/(?:([^@/]*)@)?([^/?]+)((?:\/[^/?]*)*)/.exec(text);
  if (!found) return undefined;
  const [, scheme, user = "", host, rest] = found;
  const path = rest.split("/").slice(1).filter(Boolean).map(decoded);
  return SCHEMES[scheme]?.(host, path, decoded(user));
}

/** A percent sign that begins no code stands for itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
