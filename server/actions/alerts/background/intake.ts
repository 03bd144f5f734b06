// From matching numbers to matches: conditions, duplicates, rules, then matches, messages and events, all in the
// caller's transaction, so that a crash leaves either everything or nothing.
import { freshCondition, stepCondition } from "../engine/deliver/condition.ts";
import { dedupeKeys, passageKeys } from "../engine/deliver/dedupe.ts";
import { counted, onMatch } from "../engine/deliver/rules.ts";
import { Analysis } from "../engine/query/evaluate.ts";
import { highlightsOf } from "../engine/query/highlight.ts";
import { appendEvents, type NewEvent } from "../../../platform/events/index.ts";
import type { MakeId } from "../../../lib/id.ts";
import type { Tx } from "../../../store/db.ts";
import { conditionOf, rulesOf } from "../spec/spec.ts";
import type { AlertRow, AlertStore, ChannelRow } from "../store/alerts.ts";
import { nodeOf } from "../spec/query.ts";
import { type Incoming, topicAllowed } from "../spec/content.ts";
import { eventOf, itemOf, messageOf, type Told } from "./messages.ts";
import { insertMatches, type NewMatch, remember } from "../store/matches.ts";
import { insertSendings, type NewSending } from "../store/outbox.ts";

export interface Arrival {
  content: Incoming;
  /** Alerts that match it. */
  numbers: number[];
}

interface Parts {
  store: AlertStore;
  makeId: MakeId;
  publicUrl(): string;
}

const MAX_SUBJECTS = 1000;

export type Intake = ReturnType<typeof createIntake>;

export function createIntake({ store, makeId, publicUrl }: Parts) {
  /** Returns for each arrival the ids of the alerts for which it was new. */
  async function take(tx: Tx, arrivals: Arrival[], now: number): Promise<string[][]> {
    const numbers = [...new Set(arrivals.flatMap((a) => a.numbers))];
    const results: string[][] = arrivals.map(() => []);
    if (numbers.length === 0) return results;
    const rows = new Map(
      (await store.lockMany(tx, numbers))
        .filter((r) => r.status === "active" && !(r.expiresMs !== null && r.expiresMs <= now))
        .map((r) => [r.number, r]),
    );
    const channels = Map.groupBy(await store.channelsOf([...rows.keys()], tx), (c) => c.alertNumber);
    const wanted = arrivals.flatMap((arrival, i) =>
      arrival.numbers.flatMap((n) => {
        const row = rows.get(n);
        return row && passes(row, arrival.content) ? [{ row, arrival, i }] : [];
      }),
    );
    const fresh = await newOnes(tx, wanted, now);
    const out: Outcome = { matches: [], sendings: [], events: [] };
    for (const { row, arrival, i, edited } of fresh) {
      results[i].push(row.id);
      decide(row, arrival.content, edited, channels.get(row.number) ?? [], now, out);
    }
    await insertMatches(tx, out.matches);
    await insertSendings(tx, out.sendings);
    await appendEvents(tx, out.events);
    await store.savePace(tx, [...rows.values()]);
    return results;
  }

  /** Drops what each alert has had already, and counts it. */
  async function newOnes<T extends { row: AlertRow; arrival: Arrival }>(
    tx: Tx,
    wanted: T[],
    now: number,
  ): Promise<(T & { edited: boolean })[]> {
    const keyed = wanted.map((w) => ({ w, ...keysOf(w.row, w.arrival.content) }));
    const all = keyed.flatMap(({ w, keys, passages }) =>
      [...keys, ...passages].map((key) => ({
        number: w.row.number,
        key,
        untilMs: now + w.row.spec.dedupe.window_s * 1000,
      })),
    );
    const distinct = new Map(all.map((k) => [`${k.number} ${k.key}`, k] as const));
    const free = await remember(tx, [...distinct.values()], now);
    return keyed.flatMap(({ w, keys, passages }) => {
      // The first of two equal ones in one batch takes the keys.
      const take = (key: string) => free.delete(`${w.row.number} ${key}`);
      const fresh = keys.map(take);
      const isNew = fresh.every(Boolean);
      // Known by its id or address, but not by its words, and with a sentence that is new.
      const saysMore = passages.map(take).some(Boolean) && !fresh[0] && fresh.slice(1).every(Boolean);
      if (isNew || saysMore) return [{ ...w, edited: !isNew || w.arrival.content.edited === true }];
      w.row.stats.suppressed.duplicate++;
      w.row.pace = counted(w.row.pace, "duplicate");
      return [];
    });
  }

  /** By what the alert knows this content again, and, if it wants to hear of editions, which sentences it matched. */
  function keysOf(row: AlertRow, content: Incoming): { keys: string[]; passages: string[] } {
    const { by, on_update } = row.spec.dedupe;
    const source = content.source ?? "";
    // Two events are two, however alike; only the same event read twice is one.
    if (content.topic !== null) return { keys: dedupeKeys(content, "guid", source), passages: [] };
    const keys = dedupeKeys(content, by, source);
    // Who goes by the words alone, or by nothing, takes an edition for another item as it is.
    if (on_update !== "notify" || by === "none" || by === "content") return { keys, passages: [] };
    const { highlights } = highlightsOf(nodeOf(row.spec), new Analysis(content));
    return { keys, passages: passageKeys(content, source, highlights) };
  }

  function decide(
    row: AlertRow,
    content: Incoming,
    edited: boolean,
    channels: ChannelRow[],
    now: number,
    out: Outcome,
  ): void {
    row.stats.matched++;
    const { terms, highlights } = highlightsOf(nodeOf(row.spec), new Analysis(content));
    const told: Told = { id: makeId("mch"), item: itemOf(content, edited), terms, highlights, createdMs: now };
    const group = groupOf(row, content);
    const before = row.pace.suppressed;
    const decision = onMatch(rulesOf(row.spec), row.pace, group, now);
    row.pace = decision.pace;
    const match: NewMatch = {
      id: told.id,
      tenantId: row.tenantId,
      number: row.number,
      item: told.item,
      terms,
      highlights,
      state: "notified",
      reason: null,
      group,
      dueMs: null,
      atMs: now,
    };
    if (decision.action === "hold")
      Object.assign(match, { state: "held", reason: decision.reason, dueMs: decision.dueAt });
    else if (decision.action === "suppress") {
      Object.assign(match, { state: "suppressed", reason: decision.reason });
      row.stats.suppressed[decision.reason]++;
    } else {
      row.stats.notified++;
      out.events.push(eventOf(row, "alert.matched", [told], 1, before, makeId("evt"), now));
      out.sendings.push(
        ...sendingsOf(
          row,
          channels,
          (id) => messageOf(row, "alert.match", [told], 1, before, id, now, publicUrl()),
          now,
        ),
      );
    }
    out.matches.push(match);
  }

  /** One sending for each channel that can take it; each has its own id, which stays over retries. */
  function sendingsOf(
    row: AlertRow,
    channels: ChannelRow[],
    make: (id: string) => NewSending["message"],
    now: number,
  ): NewSending[] {
    return channels
      .filter((c) => c.type !== "sse" && (c.status === "active" || c.status === "failing"))
      .map((c) => {
        const id = makeId("ntf");
        return { id, tenantId: row.tenantId, number: row.number, channelId: c.id, message: make(id), atMs: now };
      });
  }

  return { take, sendingsOf };
}

interface Outcome {
  matches: NewMatch[];
  sendings: NewSending[];
  events: NewEvent[];
}

/** Topic, stream, edition and condition; the condition's memory moves on whatever the answer is. */
function passes(row: AlertRow, content: Incoming): boolean {
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
  if (known.length >= MAX_SUBJECTS && !(content.subject in row.conditions)) delete row.conditions[known[0]];
  const step = stepCondition(
    condition,
    row.conditions[content.subject] ?? freshCondition(),
    content.numbers?.[condition.field],
  );
  row.conditions[content.subject] = step.state;
  if (step.cleared && row.pace.snoozed === "clear") row.pace = { ...row.pace, snoozed: null };
  return step.fires;
}

function groupOf(row: AlertRow, content: Incoming): string {
  const by = row.spec.delivery.group_by ?? [];
  return by
    .map((b) => (b === "source" ? (content.source ?? "") : content.subject))
    .join("\n")
    .slice(0, 300);
}
