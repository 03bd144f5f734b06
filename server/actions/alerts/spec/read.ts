// Reads a request into a Spec: fills in the defaults, refuses what cannot work, and reports all faults at once. No I/O.
import { type Fault, invalidFields } from "../../../contract/errors.ts";
import { nearest } from "../../../lib/nearest.ts";
import { DAY_MS } from "../../../lib/time.ts";
import { quietUntil, readDays } from "../engine/deliver/hours.ts";
import { isZone } from "../engine/deliver/zone.ts";
import type { AlertChange, ChannelSpec, NewAlert, SourceSpec } from "../contract/index.ts";
import type { Spec } from "../rows.ts";
import { rulesOf } from "./rules.ts";

const DEFAULT_SOURCES: SourceSpec[] = [{ type: "ingest" }, { type: "events" }];
const DAY_S = 86_400;

/** What each channel needs besides its type. */
const REQUIRED: Record<string, (keyof ChannelSpec)[]> = {
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
const OPTIONAL: Record<string, (keyof ChannelSpec)[]> = {
  webhook: ["secret"],
  telegram: ["thread_id", "base_url"],
  ntfy: ["token", "base_url"],
  pagerduty: ["base_url"],
};
const SOURCE_FIELDS: Record<string, string[]> = { feed: ["url", "interval_s"], ingest: ["stream"], events: ["topics"] };

export function readNewAlert(request: NewAlert, knownTypes: string[]): Spec {
  throwFaults(faultsOf(request, true, knownTypes));
  return {
    name: request.name ?? null,
    tag: request.tag,
    tags: request.tags,
    query: request.query,
    match: request.match ?? {},
    condition: request.condition ?? null,
    sources: request.sources ?? DEFAULT_SOURCES,
    delivery: request.delivery ?? {},
    dedupe: { by: "auto", window_s: 30 * DAY_S, on_update: "ignore", ...request.dedupe },
    severity: request.severity ?? "info",
    labels: request.labels ?? {},
  };
}

/** `delivery`, `dedupe` and `match` are merged; lists are replaced. */
export function readAlertChange(spec: Spec, change: AlertChange, knownTypes: string[]): Spec {
  throwFaults(faultsOf(change, false, knownTypes, spec.delivery));
  const watched = change.tag ?? change.tags ?? change.query;
  const watch = watched === undefined ? spec : change;
  return {
    ...spec,
    ...(change.name === undefined ? {} : { name: change.name }),
    tag: watch.tag,
    tags: watch.tags,
    query: watch.query,
    match: { ...spec.match, ...change.match },
    condition: change.condition === undefined ? spec.condition : change.condition,
    sources: change.sources ?? spec.sources,
    delivery: mergeDelivery(spec.delivery, change.delivery),
    dedupe: { ...spec.dedupe, ...change.dedupe },
    severity: change.severity ?? spec.severity,
    labels: change.labels ?? spec.labels,
  };
}

/** Changing the mode to instant drops the digest, which would have no meaning any more. */
function mergeDelivery(old: Spec["delivery"], change: AlertChange["delivery"]): Spec["delivery"] {
  const merged = { ...old, ...change };
  if (change?.mode === "instant" && change.digest === undefined) delete merged.digest;
  return merged;
}

function throwFaults(faults: Fault[]): void {
  if (faults.length > 0) throw invalidFields(faults);
}

function faultsOf(
  request: NewAlert | AlertChange,
  isNew: boolean,
  knownTypes: string[],
  oldDelivery: Spec["delivery"] = {},
): Fault[] {
  const faults: Fault[] = [];
  const addFault: AddFault = (pointer, detail, hint, code = "invalid") => faults.push({ pointer, code, detail, hint });
  const watched = [request.tag, request.tags, request.query].filter((w) => w !== undefined).length;
  if (watched > 1 || (isNew && watched === 0)) {
    addFault("", "Exactly one of tag, tags and query says what is watched.", 'Send e.g. {"tag":"kettle"}.', "one_of");
  }
  request.sources?.forEach((source, i) => sourceFaults(source, `/sources/${i}`, knownTypes, addFault));
  request.channels?.forEach((channel, i) => channelFaults(channel, `/channels/${i}`, addFault));
  repeatedAddresses(request.channels ?? [], addFault);
  if (request.condition) {
    const { op, value } = request.condition;
    if (op === "changed" && value !== undefined)
      addFault("/condition/value", "changed compares with the value before.", "Leave value out.");
    if (op !== "changed" && value === undefined)
      addFault("/condition/value", `${op} needs a value.`, 'Send e.g. "value":"30".', "required");
  }
  if (request.delivery) deliveryFaults(mergeDelivery(oldDelivery, request.delivery), addFault);
  return faults;
}

type AddFault = (pointer: string, detail: string, hint: string, code?: string) => void;

function sourceFaults(source: SourceSpec, at: string, knownTypes: string[], addFault: AddFault): void {
  if (source.type === "feed" && !source.url)
    addFault(`${at}/url`, "A feed needs its address.", 'Send e.g. "url":"https://example.com/feed.xml".', "required");
  for (const field of Object.keys(source)) {
    if (field !== "type" && !SOURCE_FIELDS[source.type].includes(field))
      addFault(`${at}/${field}`, `${field} does not go with ${source.type}.`, "Leave it out.");
  }
  // An alert does not watch the events of alerts: it would find itself.
  const types = knownTypes.filter((type) => !type.startsWith("alert."));
  const known = [...new Set(types.map((type) => `${type.split(".")[0]}.*`)), ...types];
  source.topics?.forEach((topic, i) => {
    if (known.includes(topic)) return;
    const near = nearest(topic, known);
    const hint = near ? `Did you mean "${near}"?` : `Send one of ${known.filter((k) => k.endsWith("*")).join(", ")}.`;
    addFault(`${at}/topics/${i}`, `"${topic}" is not an event that can be watched.`, hint, "enum");
  });
}

/** How a missing field is asked for. */
const FIELD_EXAMPLES: Record<string, [what: string, example: string]> = {
  url: ["an address", '"url":"https://hooks.example.com/x"'],
  to: ["a recipient", '"to":"ada@example.com"'],
  token: ["an access token", '"token":"…"'],
  chat_id: ["a chat", '"chat_id":"-100123"'],
  topic: ["a topic", '"topic":"my-alerts"'],
  base_url: ["the address of the server", '"base_url":"https://push.example.com"'],
  room_id: ["a room", '"room_id":"!abc:example.com"'],
  routing_key: ["an integration key", '"routing_key":"…"'],
};

function channelFaults(channel: ChannelSpec, at: string, addFault: AddFault): void {
  const required = REQUIRED[channel.type];
  for (const field of required) {
    if (channel[field] !== undefined) continue;
    const [what, example] = FIELD_EXAMPLES[field];
    addFault(`${at}/${field}`, `${channel.type} needs ${what}: ${field}.`, `Send e.g. ${example}.`, "required");
  }
  for (const field of Object.keys(channel) as (keyof ChannelSpec)[]) {
    if (field === "type" || required.includes(field) || OPTIONAL[channel.type]?.includes(field)) continue;
    addFault(`${at}/${field}`, `${field} does not go with ${channel.type}.`, "Leave it out.");
  }
  if (
    channel.secret !== undefined &&
    channel.type === "webhook" &&
    !/^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/.test(channel.secret)
  ) {
    addFault(`${at}/secret`, "A webhook secret is whsec_ and base64 of 24 to 64 bytes.", "Leave it out to get one.");
  }
}

/** Each message would be mailed twice, and each address asked twice for consent. */
function repeatedAddresses(channels: ChannelSpec[], addFault: AddFault): void {
  const seen = new Set<string>();
  channels.forEach((channel, i) => {
    const address = channel.to?.toLowerCase();
    if (address === undefined) return;
    if (seen.has(address)) addFault(`/channels/${i}/to`, `${channel.to} is there twice.`, "Send each address once.");
    seen.add(address);
  });
}

/** A Monday; quiet hours repeat every week. */
const SOME_TIME_MS = Date.UTC(2026, 0, 5, 12);

function deliveryFaults(delivery: Spec["delivery"], addFault: AddFault): void {
  if (delivery.mode === "digest" && !delivery.digest)
    addFault("/delivery/digest", "mode digest needs a digest.", 'Send {"every":"day","at":"08:00"}.', "required");
  if (delivery.mode === "instant" && delivery.digest)
    addFault("/delivery/mode", "mode instant sends no digest.", 'Leave digest out, or send "mode":"digest".');
  const quiet = delivery.quiet_hours ?? [];
  const zones: [string, string | undefined][] = [
    ["/delivery/digest/timezone", delivery.digest?.timezone],
    ...quiet.map((q, i): [string, string | undefined] => [`/delivery/quiet_hours/${i}/timezone`, q.timezone]),
  ];
  const wrongZones = zones.filter(([, zone]) => zone !== undefined && !isZone(zone));
  for (const [pointer, zone] of wrongZones)
    addFault(pointer, `${zone} is not an IANA time zone.`, "Send e.g. Europe/Berlin.");
  quiet.forEach((q, i) => {
    if (q.days && readDays(q.days) === null)
      addFault(
        `/delivery/quiet_hours/${i}/days`,
        "A day is mon, tue, wed, thu, fri, sat, sun, or a range.",
        'Send e.g. ["mon-fri"].',
      );
  });
  if (wrongZones.length > 0) return;
  const untilMs = quietUntil(rulesOf({ delivery }).quiet, SOME_TIME_MS);
  if (untilMs !== null && untilMs > SOME_TIME_MS + 8 * DAY_MS) {
    const detail = "These quiet hours never end, so nothing would ever be sent.";
    const hint = 'Send different times, e.g. {"from":"22:00","to":"07:00"}; the same time twice is the whole day.';
    addFault("/delivery/quiet_hours", detail, hint);
  }
}
