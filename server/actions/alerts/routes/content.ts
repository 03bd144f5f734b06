// POST /alerts/content: pushed content, one JSON object or many as lines.
import { Compile } from "typebox/compile";
import { type Call, type Handler, handle } from "../../../contract/define.ts";
import { Failure, type Fault, invalid, invalidFields } from "../../../contract/errors.ts";
import { findFaults } from "../../../contract/faults.ts";
import { parseJson } from "../../../lib/json.ts";
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
const NEWLINE = 0x0a;
const SPACE = 0x20;
const isContent = Compile(contract.NewContent);

async function pushContent(context: AlertsContext, call: Call) {
  const { platform, index } = context;
  const { contents, rejected, errors } = call.raw.contentType.startsWith("application/x-ndjson")
    ? readLines(call.raw.bytes)
    : { contents: [contentFromRequest(call.body)], rejected: 0, errors: [] };
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
    const matched = results.reduce((sum, r) => sum + r.matched, 0);
    return { accepted: contents.length, rejected, errors, matched, results };
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

interface LineFault {
  line: number;
  pointer: string;
  detail: string;
  hint: string;
}

/** Each line is checked like a body of its own; bad ones are reported, unless all are bad. */
function readLines(bytes: Uint8Array): { contents: IncomingContent[]; rejected: number; errors: LineFault[] } {
  const lines = splitLines(bytes);
  if (lines.length === 0 || lines.length > MAX_LINES) {
    const detail = `Send 1 to ${MAX_LINES} lines; these are ${lines.length}.`;
    throw invalid("", detail, `Send 1 to ${MAX_LINES}.`, "lines");
  }
  const contents: IncomingContent[] = [];
  const faults: (Fault & { line: number })[] = [];
  for (const { number, text } of lines) {
    const parsed = parseJson(text);
    if (!parsed.ok) faults.push({ ...parsed.fault, line: number });
    else if (isContent.Check(parsed.value)) contents.push(contentFromRequest(parsed.value));
    else
      for (const fault of findFaults(contract.NewContent, parsed.value, "body"))
        faults.push({ ...fault, line: number });
  }
  if (contents.length === 0) {
    throw invalidFields(
      faults.slice(0, MAX_FAULTS).map(({ line, pointer, detail, ...rest }) => {
        return { ...rest, pointer: `/${line - 1}${pointer}`, detail: `Line ${line}: ${detail}` };
      }),
    );
  }
  const errors = faults
    .slice(0, MAX_FAULTS)
    .map(({ line, pointer, detail, hint }) => ({ line, pointer, detail, hint }));
  return { contents, rejected: lines.length - contents.length, errors };
}

/** The lines that are not blank, numbered from 1. */
function splitLines(bytes: Uint8Array): { number: number; text: Uint8Array }[] {
  const lines: { number: number; text: Uint8Array }[] = [];
  for (let start = 0, number = 1; start <= bytes.length; number++) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline < 0 ? bytes.length : newline;
    const text = bytes.subarray(start, end);
    if (text.some((byte) => byte > SPACE)) lines.push({ number, text });
    start = end + 1;
  }
  return lines;
}

export const contentRoutes = (context: AlertsContext): Handler[] => [
  handle(contract.pushContent, (call) => pushContent(context, call)),
];
