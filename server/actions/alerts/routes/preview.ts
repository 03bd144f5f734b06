// POST /alerts/preview: what a query would have matched, among recent content or content that is sent along.
import { type Call, type Caller, type Handler, handle } from "../../../contract/define.ts";
import { invalid } from "../../../contract/errors.ts";
import type { Db } from "../../../store/db.ts";
import * as contract from "../contract/index.ts";
import type { Spec } from "../rows.ts";
import { feedKey } from "../spec/channels.ts";
import { contentFromEvent } from "../spec/content.ts";
import { parseContents, tryOnRecent } from "../background/parse.ts";
import { broadnessWarnings, type Recent } from "../spec/preview.ts";
import { parseWatch } from "../spec/query.ts";
import { readRecentContent, readRecentEvents, readRecentItems } from "../store/recent.ts";
import type { AlertsContext } from "./context.ts";

const MAX_RECENT = 500;

/** What an alert with these sources would have seen lately, the newest first; without sources, any alert of the tenant. */
export async function readRecent(
  db: Db,
  { tenantId, mode }: Caller,
  sources: Spec["sources"] | null,
): Promise<Recent[]> {
  const reads = (type: string) => sources === null || sources.some((s) => s.type === type);
  const feeds = sources?.filter((s) => s.type === "feed").map((s) => feedKey(s.url!, mode)) ?? null;
  const events = reads("events") ? await readRecentEvents(db.sql, tenantId, MAX_RECENT) : [];
  const parts: Recent[][] = [
    reads("ingest") ? await readRecentContent(db.sql, tenantId, MAX_RECENT) : [],
    reads("feed") ? await readRecentItems(db.sql, tenantId, feeds, MAX_RECENT) : [],
    events.map((event) => ({ content: contentFromEvent(event), atMs: event.atMs })),
  ];
  return parts.flat().sort((a, b) => b.atMs - a.atMs);
}

async function previewQuery({ platform }: AlertsContext, call: Call) {
  const { content, match, ...watched } = call.body;
  if ([watched.tag, watched.tags, watched.query].filter((w) => w !== undefined).length !== 1)
    throw invalid("", "Exactly one of tag, tags and query says what is watched.", "Send one of them.");
  const watch = { ...watched, match: match ?? {} };
  const { source, canonical, leaves, requiredTerms, warnings } = parseWatch(watch);
  const { pool } = platform;
  const { tenantId } = call.caller;
  const recent: Recent[] = content
    ? (await parseContents(pool, content, tenantId)).map((one) => ({ content: one, atMs: call.now }))
    : await readRecent(platform.db, call.caller, null);
  const { preview } = await tryOnRecent(pool, watch, recent, tenantId);
  const query = {
    source,
    canonical,
    leaves,
    required_terms: requiredTerms,
    warnings: [...warnings, ...broadnessWarnings(preview)],
  };
  return { query, preview };
}

export const previewRoutes = (context: AlertsContext): Handler[] => [
  handle(contract.preview, (call) => previewQuery(context, call)),
];
