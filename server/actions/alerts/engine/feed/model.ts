// The common model of a feed, whatever its format. Data only.

export type FeedFormat =
  | "rss090"
  | "rss091n"
  | "rss091u"
  | "rss092"
  | "rss093"
  | "rss094"
  | "rss20"
  | "rss10"
  | "rss"
  | "atom01"
  | "atom02"
  | "atom03"
  | "atom10"
  | "atom"
  | "cdf"
  | "json1"
  | "json11"
  | "";

export interface FeedLink {
  rel: string;
  type?: string;
  href?: string;
  title?: string;
  length?: string;
  hreflang?: string;
}
export interface FeedTag {
  term: string | null;
  scheme: string | null;
  label: string | null;
}
/** A text as given: its type, and its value with only harmless markup if that type is HTML. */
export interface FeedText {
  type: string;
  value: string;
  /** Where the content is instead of here. */
  src?: string;
}
export interface FeedDate {
  source: string;
  at: number | null;
}
export interface FeedImage {
  href?: string;
  link?: string;
  title?: string;
  description?: string;
  width?: number;
  height?: number;
}
export interface FeedPlace {
  type?: string;
  coordinates?: unknown;
}

export interface FeedNode {
  id: string | null;
  title: FeedText | null;
  link: string | null;
  links: FeedLink[];
  author: string | null;
  tags: FeedTag[];
  rights: FeedText | null;
  published: FeedDate | null;
  updated: FeedDate | null;
  created: FeedDate | null;
  expired: FeedDate | null;
  image: FeedImage | null;
  /** Simple elements that have no field of their own, by canonical name. */
  other: Record<string, string>;
}

export interface FeedItem extends FeedNode {
  idIsLink: boolean | null;
  summary: FeedText | null;
  content: FeedText[];
  comments: string | null;
  where: FeedPlace | null;
}

export interface FeedChannel extends FeedNode {
  subtitle: FeedText | null;
  language: string | null;
  ttlMinutes: number | null;
  skipHours: number[];
  skipDays: string[];
  /** sy:updatePeriod and sy:updateFrequency as seconds between updates. */
  updateSeconds: number | null;
  hub: string | null;
  self: string | null;
}

export interface Feed {
  format: FeedFormat;
  encoding: string;
  /** What a strict reader would have refused, or null. Items are given all the same. */
  fault: string | null;
  channel: FeedChannel;
  items: FeedItem[];
}

function emptyNode(): FeedNode {
  return {
    id: null,
    title: null,
    link: null,
    links: [],
    author: null,
    tags: [],
    rights: null,
    published: null,
    updated: null,
    created: null,
    expired: null,
    image: null,
    other: {},
  };
}

export function emptyChannel(): FeedChannel {
  return {
    ...emptyNode(),
    subtitle: null,
    language: null,
    ttlMinutes: null,
    skipHours: [],
    skipDays: [],
    updateSeconds: null,
    hub: null,
    self: null,
  };
}

export function emptyItem(): FeedItem {
  return { ...emptyNode(), idIsLink: null, summary: null, content: [], comments: null, where: null };
}
