// The rows of shopping as the code sees them, and how PostgreSQL's rows become them.
import type { ExtractedPage } from "../engine/page/result.ts";
import type { RobotsState } from "../engine/schedule/interval.ts";
import type { TrackerState } from "../machine.ts";
import type { Settings } from "../settings.ts";

export interface HostRow {
  host: string;
  /** Nobody visits the host before this. */
  freeMs: number;
  crawlDelayS: number | null;
  failures: number;
  robots: RobotsState | null;
  robotsMs: number | null;
}

export interface PageRow {
  id: string;
  url: string;
  host: string;
  simulated: boolean;
  /** The shortest interval that any of its trackers asks for. */
  askedMs: number;
  dueMs: number;
  etag: string | null;
  lastModified: string | null;
  bodyHash: string | null;
  checkedMs: number | null;
  changedMs: number | null;
  checks: number;
  failures: number;
  httpStatus: number | null;
  notModified: boolean;
  bytes: number | null;
  durationMs: number | null;
  robots: string | null;
  error: string | null;
  createdMs: number;
}

export interface TrackerRow {
  id: string;
  tenantId: number;
  pageId: string;
  /** As the caller asked for it; empty when none was asked for. */
  variant: string;
  settings: Settings;
  state: { machine: TrackerState; result: ExtractedPage | null };
  status: string;
  tags: string[];
  createdMs: number;
}

export type TrackerWithPage = TrackerRow & { page: PageRow };

/** JSON that PostgreSQL can keep: pages hold NUL and half surrogates, `jsonb` does not. */
export const storableJson = (value: unknown): string => {
  const text = JSON.stringify(value);
  if (!/\\u(?:0000|d[89a-f])/i.test(text)) return text;
  return JSON.stringify(value, (_, v) => (typeof v === "string" ? v.replaceAll("\0", "").toWellFormed() : v));
};

/** A time comes as a Date from a column and as text from `to_jsonb`. */
type StoredTime = Date | string;
const msOf = (at: StoredTime): number => new Date(at).getTime();
const msOrNull = (at: StoredTime | null): number | null => (at === null ? null : msOf(at));

export const hostOf = (row: any): HostRow => ({
  host: row.host,
  freeMs: msOf(row.free_at),
  crawlDelayS: row.crawl_delay_s,
  failures: row.failures,
  robots: row.robots,
  robotsMs: msOrNull(row.robots_at),
});

export const pageOf = (row: any): PageRow => ({
  id: String(row.id),
  url: row.url,
  host: row.host,
  simulated: row.simulated,
  askedMs: Number(row.asked_ms),
  dueMs: msOf(row.due_at),
  etag: row.etag,
  lastModified: row.last_modified,
  bodyHash: row.body_hash,
  checkedMs: msOrNull(row.checked_at),
  changedMs: msOrNull(row.changed_at),
  checks: row.checks,
  failures: row.failures,
  httpStatus: row.http_status,
  notModified: row.not_modified,
  bytes: row.bytes,
  durationMs: row.duration_ms,
  robots: row.robots,
  error: row.error,
  createdMs: msOf(row.created_at),
});

export const trackerOf = (row: any): TrackerRow => ({
  id: row.id,
  tenantId: row.tenant_id,
  pageId: String(row.page_id),
  variant: row.variant,
  settings: row.settings,
  state: row.state,
  status: row.status,
  tags: row.tags,
  createdMs: msOf(row.created_at),
});

export const trackerWithPageOf = (row: any): TrackerWithPage => ({ ...trackerOf(row), page: pageOf(row.page) });
