// Reads a request into a Spec: fills in the defaults, refuses what cannot work, and reports all faults at once. No I/O.
import type { Fault } from "../../../contract/errors.ts";
import { invalid } from "../../../contract/registry.ts";
import { readDays } from "../engine/deliver/hours.ts";
import { isZone } from "../engine/deliver/zone.ts";
import type { AlertChange, ChannelSpec, NewAlert, SourceSpec } from "../contract/index.ts";
import type { Spec } from "../rows.ts";

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

export function readNewAlert(request: NewAlert): Spec {
  throwFaults(faultsOf(request, true));
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

export function readAlertChange(spec: Spec, change: AlertChange): Spec {
  throwFaults(faultsOf(change, false));
  const watched = change.tag ?? change.tags ?? change.query;
  const watch = watched === undefined ? spec : change;
  return {
    ...spec,
    ...(change.name === undefined ? {} : { name: change.name }),
    tag: watch.tag,
    tags: watch.tags,
    query: watch.query,
    match: change.match ?? spec.match,
    condition: change.condition === undefined ? spec.condition : change.condition,
    sources: change.sources ?? spec.sources,
    delivery: change.delivery ?? spec.delivery,
    dedupe: { ...spec.dedupe, ...change.dedupe },
    severity: change.severity ?? spec.severity,
    labels: change.labels ?? spec.labels,
  };
}

function throwFaults(faults: Fault[]): void {
  if (faults.length > 0) throw invalid(faults);
}

function faultsOf(request: NewAlert | AlertChange, whole: boolean): Fault[] {
  const faults: Fault[] = [];
  const addFault = (pointer: string, detail: string, hint: string, code = "invalid") =>
    faults.push({ pointer, code, detail, hint });
  const watched = [request.tag, request.tags, request.query].filter((w) => w !== undefined).length;
  if (watched > 1 || (whole && watched === 0)) {
    addFault("", "Exactly one of tag, tags and query says what is watched.", "Send one of them.", "one_of");
  }
  request.sources?.forEach((source, i) => {
    if (source.type === "feed" && !source.url)
      addFault(`/sources/${i}/url`, "A feed needs its address.", "Send url.", "required");
    for (const field of Object.keys(source)) {
      if (field !== "type" && !SOURCE_FIELDS[source.type].includes(field)) {
        addFault(`/sources/${i}/${field}`, `${field} does not go with ${source.type}.`, "Leave it out.");
      }
    }
  });
  request.channels?.forEach((channel, i) => channelFaults(channel, `/channels/${i}`, addFault));
  if (request.condition) {
    const { op, value } = request.condition;
    if ((op === "changed") !== (value === undefined)) {
      addFault(
        "/condition/value",
        op === "changed" ? "changed compares with the value before." : `${op} needs a value.`,
        op === "changed" ? "Leave value out." : "Send value.",
      );
    }
  }
  deliveryFaults(request.delivery, addFault);
  return faults;
}

type AddFault = (pointer: string, detail: string, hint: string, code?: string) => void;

function channelFaults(channel: ChannelSpec, at: string, addFault: AddFault): void {
  const required = REQUIRED[channel.type];
  for (const field of required)
    if (channel[field] === undefined)
      addFault(`${at}/${field}`, `${channel.type} needs ${field}.`, `Send ${field}.`, "required");
  for (const field of Object.keys(channel) as (keyof ChannelSpec)[]) {
    if (field === "type" || required.includes(field) || OPTIONAL[channel.type]?.includes(field)) continue;
    addFault(`${at}/${field}`, `${field} does not go with ${channel.type}.`, "Leave it out.");
  }
  if (
    channel.secret !== undefined &&
    channel.type === "webhook" &&
    !/^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/.test(channel.secret)
  ) {
    addFault(
      `${at}/secret`,
      "A webhook secret is whsec_ and base64 of 24 to 64 bytes.",
      "Leave it out to have one made.",
    );
  }
}

function deliveryFaults(delivery: NewAlert["delivery"], addFault: AddFault): void {
  if (delivery?.mode === "digest" && !delivery.digest)
    addFault("/delivery/digest", "mode digest needs a digest.", 'Send {"every":"day","at":"08:00"}.', "required");
  const zones: [string, string | undefined][] = [
    ["/delivery/digest/timezone", delivery?.digest?.timezone],
    ...(delivery?.quiet_hours ?? []).map((q, i): [string, string | undefined] => [
      `/delivery/quiet_hours/${i}/timezone`,
      q.timezone,
    ]),
  ];
  for (const [pointer, zone] of zones)
    if (zone !== undefined && !isZone(zone))
      addFault(pointer, `${zone} is no IANA time zone.`, "Send e.g. Europe/Berlin.");
  delivery?.quiet_hours?.forEach((q, i) => {
    if (q.days && readDays(q.days) === null)
      addFault(
        `/delivery/quiet_hours/${i}/days`,
        "A day is mon, tue, wed, thu, fri, sat, sun, or a range.",
        "Send e.g. mon-fri.",
      );
  });
}
