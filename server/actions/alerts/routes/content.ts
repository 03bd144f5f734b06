// POST /alerts/content: pushed content, one JSON object or many as lines.
import { Compile } from "typebox/compile";
import { type Call, type Handler, handle } from "../../../contract/define.ts";
import { Failure, type Fault, invalid, invalidFields } from "../../../contract/errors.ts";
import { transact } from "../../../platform/idempotency/index.ts";
import { takeArrivals } from "../background/intake.ts";
import * as contract from "../contract/index.ts";
import { contentFromRequest, type IncomingContent, shortened } from "../spec/content.ts";
import { INGEST } from "../spec/rules.ts";
import { insertContent } from "../store/recent.ts";
import type { AlertsContext } from "./context.ts";

const MAX_LINES = 1000;
const MAX_FAULTS = 50;
/** Of one request: contents times alerts. */
const MAX_MATCHES = 10_000;
const MAX_ALERTS_SHOWN = 100;
const isContent = Compile(contract.NewContent);

async function pushContent(context: AlertsContext, call: Call) {
  const { platform, index } = context;
  const contents = call.raw.contentType.startsWith("application/x-ndjson")
    ? readLines(call.raw.bytes)
    : [contentFromRequest(call.body)];
  const { tenantId } = call.caller;
  const tenants = contents.map(() => tenantId);
  const matching = await index.matchForTenants(tenants, INGEST, contents);
  const arrivals = contents.map((content, i) => ({ content, numbers: matching[i] }));
  refuseTooManyMatches(
    matching.reduce((sum, numbers) => sum + numbers.length, 0),
    contents.length,
  );
  const answer = await transact(platform.db, call, async (tx) => {
    await insertContent(tx, tenantId, contents.map(shortened), call.now);
    const alerts = await takeArrivals(platform, tx, arrivals, call.now);
    const results = contents.map((content, i) => {
      return { id: content.guid, alerts: alerts[i].slice(0, MAX_ALERTS_SHOWN), matched: alerts[i].length };
    });
    return { accepted: contents.length, matched: results.reduce((n, r) => n + r.matched, 0), results };
  });
  context.wake();
  return answer;
}

/** Each match is written, announced and sent: the work of one request grows with contents times alerts. */
function refuseTooManyMatches(count: number, contents: number): void {
  if (count <= MAX_MATCHES) return;
  const detail = `These ${contents} contents match ${count} times; one request may cause at most ${MAX_MATCHES} matches.`;
  throw new Failure("payload_too_large", detail, { hint: "Send fewer contents at once, or narrow the alerts." });
}

function readLines(bytes: Uint8Array): IncomingContent[] {
  const lines = new TextDecoder()
    .decode(bytes)
    .split("\n")
    .filter((line) => line.trim() !== "");
  if (lines.length === 0 || lines.length > MAX_LINES) {
    const detail = `Send 1 to ${MAX_LINES} lines; these are ${lines.length}.`;
    throw invalid("", detail, `Send 1 to ${MAX_LINES}.`, "lines");
  }
  const faults: Fault[] = [];
  const contents = lines.flatMap((line, i) => {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      faults.push({
        pointer: `/${i}`,
        code: "invalid_json",
        detail: `Line ${i + 1} is not JSON.`,
        hint: "Send one JSON object per line.",
      });
      return [];
    }
    if (isContent.Check(value)) return [contentFromRequest(value)];
    const [first] = isContent.Errors(value);
    faults.push({
      pointer: `/${i}${first?.instancePath ?? ""}`,
      code: "invalid",
      detail: `Line ${i + 1}: ${first?.message ?? "not content"}.`,
      hint: "See the shape of POST /alerts/content.",
    });
    return [];
  });
  if (faults.length > 0) throw invalidFields(faults.slice(0, MAX_FAULTS));
  return contents;
}

export const contentRoutes = (context: AlertsContext): Handler[] => [
  handle(contract.pushContent, (call) => pushContent(context, call)),
];
