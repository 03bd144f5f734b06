// From matching alerts to matches: conditions, duplicates, rules, then matches, notifications and events. Everything
// runs in the caller's transaction, so a crash leaves all of it or nothing.
import type { Account, Pool } from "../../../lib/pool/index.ts";
import { appendEvents, type NewEvent } from "../../../platform/events/index.ts";
import type { Tx } from "../../../store/db.ts";
import type { DedupeBy } from "../engine/deliver/dedupe.ts";
import { freshCondition, stepCondition } from "../engine/deliver/condition.ts";
import { counted, onMatch } from "../engine/deliver/rules.ts";
import type { AlertRow, ChannelRow, MatchedItem, NewNotification } from "../rows.ts";
import { type IncomingContent, topicAllowed } from "../spec/content.ts";
import { conditionOf, rulesOf } from "../spec/rules.ts";
import { lockAlerts, saveProgress } from "../store/alerts.ts";
import { readChannels } from "../store/channels.ts";
import { insertMatches, insertSeenKeys, type NewMatch } from "../store/matches.ts";
import { insertNotifications } from "../store/outbox.ts";
import { Highlighter } from "./highlighter.ts";
import { eventOf, itemOf, type MessageDeps, notificationsFor } from "./messages.ts";
import type { Examined } from "./thread-tasks.ts";

export interface IntakeDeps extends MessageDeps {
  pool: Pool;
}

/** Content and the numbers of the alerts that match it. */
export interface Arrival {
  content: IncomingContent;
  numbers: number[];
}

/** One alert that matches one content. */
interface Candidate {
  row: AlertRow;
  content: IncomingContent;
  /** The place of the content among the arrivals. */
  index: number;
  /** Set when it was needed to tell an edited item from a known one. */
  highlighted: Examined | null;
}

interface Outcome {
  matches: NewMatch[];
  notifications: NewNotification[];
  events: NewEvent[];
}

const MAX_SUBJECTS = 1000;

/** Returns for each arrival the ids of the alerts for which it was new. The work in the pool counts for `account`. */
export async function takeArrivals(
  deps: IntakeDeps,
  tx: Tx,
  arrivals: Arrival[],
  account: Account,
  now: number,
): Promise<string[][]> {
  const numbers = [...new Set(arrivals.flatMap((a) => a.numbers))];
  const results: string[][] = arrivals.map(() => []);
  if (numbers.length === 0) return results;
  const rows = new Map(
    (await lockAlerts(tx, numbers))
      .filter((r) => r.status === "active" && !(r.expiresMs !== null && r.expiresMs <= now))
      .map((r) => [r.number, r]),
  );
  const channels = Map.groupBy(await readChannels(tx, [...rows.keys()]), (c) => c.alertNumber);
  const candidates = arrivals.flatMap(({ content, numbers: matching }, index) =>
    matching.flatMap((number): Candidate[] => {
      const row = rows.get(number);
      return row && passes(row, content) ? [{ row, content, index, highlighted: null }] : [];
    }),
  );
  const highlighter = new Highlighter(deps.pool, account);
  const fresh = await keepNew(tx, highlighter, candidates, now);
  await highlight(highlighter, fresh);
  const outcome: Outcome = { matches: [], notifications: [], events: [] };
  for (const { row, content, index, edited, highlighted } of fresh) {
    results[index].push(row.id);
    decide(deps, row, content, edited, highlighted!, channels.get(row.number) ?? [], now, outcome);
  }
  await insertMatches(tx, outcome.matches);
  await insertNotifications(tx, outcome.notifications);
  await appendEvents(tx, outcome.events);
  await saveProgress(tx, [...rows.values()]);
  return results;
}

/** Finds the highlights of those that have none yet. */
async function highlight(highlighter: Highlighter, candidates: Candidate[], passages = false): Promise<void> {
  const without = candidates.filter((candidate) => candidate.highlighted === null);
  const found = await highlighter.highlightsOf(without, passages);
  without.forEach((candidate, i) => {
    candidate.highlighted = found[i];
  });
}

/** Drops what each alert has seen before, and counts it. */
async function keepNew(
  tx: Tx,
  highlighter: Highlighter,
  candidates: Candidate[],
  now: number,
): Promise<(Candidate & { edited: boolean })[]> {
  const keys = await highlighter.keysOf(candidates.map((candidate) => ({ ...candidate, by: dedupeBy(candidate) })));
  const watchful = candidates.filter(hearsOfEdits);
  await highlight(highlighter, watchful, true);
  const keyed = candidates.map((candidate, i) => {
    return { candidate, keys: keys[i], passages: candidate.highlighted?.passages ?? [] };
  });
  const all = keyed.flatMap(({ candidate: { row }, keys: own, passages }) =>
    [...own, ...passages].map((key) => {
      return { number: row.number, key, untilMs: now + row.spec.dedupe.window_s * 1000 };
    }),
  );
  const distinct = new Map(all.map((k) => [`${k.number} ${k.key}`, k] as const));
  const unseen = await insertSeenKeys(tx, [...distinct.values()], now);
  return keyed.flatMap(({ candidate, keys: own, passages }) => {
    const { row, content } = candidate;
    // Of two equal contents in one batch, the first takes the keys.
    const take = (key: string) => unseen.delete(`${row.number} ${key}`);
    const fresh = own.map(take);
    const isNew = fresh.every(Boolean);
    // Known by its id or address, but not by its words, and with a sentence that is new.
    const saysMore = passages.map(take).some(Boolean) && !fresh[0] && fresh.slice(1).every(Boolean);
    if (isNew || saysMore) return [{ ...candidate, edited: !isNew || content.edited === true }];
    row.stats.suppressed.duplicate++;
    row.pace = counted(row.pace, "duplicate");
    return [];
  });
}

/** Two events are never the same, however alike; only one event read twice is. */
const dedupeBy = ({ row, content }: Candidate): DedupeBy => (content.topic === null ? row.spec.dedupe.by : "guid");

/** Whether the sentences that matched count. By the words alone, or by nothing, an edited item is another item anyway. */
function hearsOfEdits({ row, content }: Candidate): boolean {
  const { by, on_update } = row.spec.dedupe;
  return content.topic === null && on_update === "notify" && by !== "none" && by !== "content";
}

/** Applies the delivery rules of the alert to one new match. */
function decide(
  deps: MessageDeps,
  row: AlertRow,
  content: IncomingContent,
  edited: boolean,
  { terms, highlights }: Examined,
  channels: ChannelRow[],
  now: number,
  outcome: Outcome,
): void {
  row.stats.matched++;
  const matched: MatchedItem = {
    id: deps.makeId("mch"),
    item: itemOf(content, edited),
    terms,
    highlights,
    createdMs: now,
  };
  const group = groupOf(row, content);
  const { suppressed } = row.pace;
  const decision = onMatch(rulesOf(row.spec), row.pace, group, now);
  row.pace = decision.pace;
  const common = { ...matched, tenantId: row.tenantId, alertNumber: row.number, group, reason: null, dueMs: null };
  if (decision.action === "hold") {
    outcome.matches.push({ ...common, state: "held", reason: decision.reason, dueMs: decision.dueAt });
  } else if (decision.action === "suppress") {
    outcome.matches.push({ ...common, state: "suppressed", reason: decision.reason });
    row.stats.suppressed[decision.reason]++;
  } else {
    const batch = { matches: [matched], total: 1, suppressed };
    outcome.matches.push({ ...common, state: "notified" });
    row.stats.notified++;
    outcome.events.push(eventOf(row, "alert.matched", batch, deps.makeId("evt"), now));
    outcome.notifications.push(...notificationsFor(deps, row, channels, "alert.match", batch, now));
  }
}

/** Checks topic, stream, edition and condition. The condition's state moves on whatever the answer is. */
function passes(row: AlertRow, content: IncomingContent): boolean {
  if (content.edited && row.spec.dedupe.on_update !== "notify") return false;
  const { sources } = row.spec;
  if (content.topic !== null && !sources.some((s) => s.type === "events" && topicAllowed(s.topics, content.topic!)))
    return false;
  const ingest = sources.filter((s) => s.type === "ingest");
  if (
    content.topic === null &&
    ingest.length > 0 &&
    ingest.every((s) => s.stream !== undefined && s.stream !== content.source) &&
    !sources.some((s) => s.type === "feed")
  )
    return false;
  const condition = conditionOf(row.spec);
  if (!condition) return true;
  const known = Object.keys(row.conditions);
  const isKnown = Object.hasOwn(row.conditions, content.subject);
  if (known.length >= MAX_SUBJECTS && !isKnown) delete row.conditions[known[0]];
  const state = isKnown ? row.conditions[content.subject] : freshCondition();
  const step = stepCondition(condition, state, content.numbers?.[condition.field]);
  row.conditions[content.subject] = step.state;
  if (step.cleared && row.pace.snoozed === "clear") row.pace = { ...row.pace, snoozed: null };
  return step.fires;
}

function groupOf(row: AlertRow, content: IncomingContent): string {
  const by = row.spec.delivery.group_by ?? [];
  return by
    .map((b) => (b === "source" ? (content.source ?? "") : content.subject))
    .join("\n")
    .slice(0, 300);
}
