// The string formats of the contract: each one is its test and its words.
import { Set as setFormat } from "typebox/format";
import { parseTime } from "../lib/time.ts";

export interface Format {
  test(text: string): boolean;
  detail: string;
  /** Stands before the example of a hint, where the example alone does not say it. */
  advice?: string;
}

const CONTROL = /\p{Cc}/u;

export const formats: Record<string, Format> = {
  "date-time": {
    test: (text) => parseTime(text) !== null,
    detail: "must be an ISO 8601 UTC timestamp",
  },
  text: {
    test: (text) => !CONTROL.test(text) && text.trim().length > 0,
    detail: "must be text without control characters",
    advice: "Remove tabs, line breaks and other control characters, and leave something to read",
  },
  address: {
    test: (text) => !CONTROL.test(text.replace(/[\n\r\t]/g, " ")) && text.trim().length > 0,
    detail: "must be text without control characters",
    advice: "Remove control characters; line breaks may stay",
  },
  "time-or-asap": {
    test: (text) => text === "asap" || parseTime(text) !== null,
    detail: "must be an ISO 8601 UTC timestamp or asap",
  },
  "time-zone": {
    test: isTimeZone,
    detail: "must be an IANA time zone",
  },
  "multi-line": {
    test: (text) => !CONTROL.test(text.replace(/[\n\r\t]/g, "")),
    detail: "must be text without control characters",
    advice: "Remove control characters other than line breaks and tabs",
  },
  decimal: {
    test: (text) => /^-?(0|[1-9]\d{0,14})(\.\d{1,12})?$/.test(text),
    detail: "must be a decimal number as a string, without leading zeros",
  },
  email: {
    test: (text) => text.length <= 254 && /^[^\s@"<>]+@[^\s@"<>.]+(\.[^\s@"<>.]+)+$/.test(text) && !CONTROL.test(text),
    detail: "must be an e-mail address",
  },
  url: {
    test: (text) => text.length <= 2048 && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
    detail: "must be an http or https address",
  },
  cidr: {
    test: isNetwork,
    detail: "must be an IP address or a network",
  },
};

for (const [name, format] of Object.entries(formats)) setFormat(name, format.test);

function isTimeZone(text: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat("en", { timeZone: text }));
  } catch {
    return false;
  }
}

function isNetwork(text: string): boolean {
  const [address, bits, ...more] = text.split("/");
  const family = /^\d{1,3}(\.\d{1,3}){3}$/.test(address) ? 4 : address.includes(":") ? 6 : 0;
  if (!family || more.length > 0) return false;
  if (bits !== undefined && !(/^\d{1,3}$/.test(bits) && +bits <= (family === 4 ? 32 : 128))) return false;
  return URL.canParse(`http://${family === 6 ? `[${address}]` : address}/`);
}
