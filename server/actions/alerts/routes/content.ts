// POST /alerts/content: pushed content, one JSON object or many as lines.
import { type Call, type Handler, handle } from "../../../contract/define.ts";
import { Failure, invalid, invalidFields } from "../../../contract/errors.ts";
import { transact } from "../../../platform/idempotency/index.ts";
import { MAX_WORK, workOf } from "../background/highlighter.ts";
import { type Arrival, takeArrivals } from "../background/intake.ts";
import { parseContents, parseLines } from "../background/parse.ts";
import * as contract from "../contract/index.ts";
import { MAX_LINES } from "../spec/content-lines.ts";
import { type IncomingContent, shortened } from "../spec/content.ts";
import { INGEST } from "../spec/rules.ts";
import { countUnconfirmed } from "../store/alerts.ts";
import { insertContent } from "../store/recent.ts";
import type { AlertsContext } from "./context.ts";

/** Of one request: contents times alerts. */
const MAX_MATCHES = 10_000;
const MAX_ALERTS_SHOWN = 100;

async function pushContent(context: AlertsContext, call: Call) {
  const { platform, index } = context;
  const isLines = call.raw.contentType.startsWith("application/x-ndjson");
  const { contents, rejected, errors } = await (isLines ? readLines : readOne)(context, call);
  const { tenantId } = call.caller;
  const tenants = contents.map(() => tenantId);
  const { numbers, exceeded } = await index.matchForTenants(tenants, INGEST, contents);
  const arrivals = contents.map((content, i) => ({ content, numbers: numbers[i] }));
  refuseTooMuchWork(arrivals, exceeded);
  const answer = await transact(platform.db, call, async (tx) => {
    await insertContent(tx, tenantId, contents.map(shortened), call.now);
    const alerts = await takeArrivals(platform, tx, arrivals, tenantId, call.now);
    const results = contents.map((content, i) => {
      return { id: content.guid, alerts: alerts[i].slice(0, MAX_ALERTS_SHOWN), matched: alerts[i].length };
    });
    const matched = results.reduce((sum, r) => sum + r.matched, 0);
    const warnings = contentWarnings(await countUnconfirmed(tx, tenantId));
    return { accepted: contents.length, rejected, errors, matched, results, warnings };
  });
  context.wake();
  return answer;
}

function contentWarnings(unconfirmed: number) {
  if (unconfirmed === 0) return [];
  const which = unconfirmed === 1 ? "One alert waits" : `${unconfirmed} alerts wait`;
  const detail = `${which} for the owner of a mail address to confirm it, and ${unconfirmed === 1 ? "matches" : "match"} nothing until then.`;
  return [{ code: "not_confirmed", term: null, detail }];
}

/** Each match is written, announced and sent: the work of one request grows with contents times alerts. */
function refuseTooMuchWork(arrivals: Arrival[], exceeded: number): void {
  const hint = "Send fewer contents at once, or narrow the alerts.";
  const count = arrivals.reduce((sum, { numbers }) => sum + numbers.length, 0);
  const work = arrivals.reduce((sum, { content, numbers }) => sum + numbers.length * workOf(content), 0);
  if (count > MAX_MATCHES) {
    const detail = `These ${arrivals.length} contents match ${count} times; one request may cause at most ${MAX_MATCHES} matches.`;
    throw new Failure("payload_too_large", detail, { hint });
  }
  if (exceeded > 0) {
    const detail = `Your phrases and NEAR queries are too much work for ${exceeded} of these ${arrivals.length} contents.`;
    throw new Failure("payload_too_large", detail, { hint });
  }
  if (work > MAX_WORK) {
    const detail = `The ${count} matches of these contents are too long together to be highlighted.`;
    throw new Failure("payload_too_large", detail, { hint });
  }
}

interface LineFault {
  line: number;
  pointer: string;
  detail: string;
  hint: string;
}

interface Pushed {
  contents: IncomingContent[];
  rejected: number;
  errors: LineFault[];
}

/** Each line is checked like a body of its own; bad ones are reported, unless all are bad. */
async function readLines({ platform: { pool } }: AlertsContext, call: Call): Promise<Pushed> {
  const { lines, contents, faults } = await parseLines(pool, call.raw.bytes, call.caller.tenantId);
  if (lines === 0 || lines > MAX_LINES) {
    const detail = `Send 1 to ${MAX_LINES} lines; these are ${lines}.`;
    throw invalid("", detail, `Send 1 to ${MAX_LINES}.`, "lines");
  }
  if (contents.length === 0) {
    throw invalidFields(
      faults.map(({ line, pointer, detail, ...rest }) => {
        return { ...rest, pointer: `/${line - 1}${pointer}`, detail: `Line ${line}: ${detail}` };
      }),
    );
  }
  const errors = faults.map(({ line, pointer, detail, hint }) => ({ line, pointer, detail, hint }));
  return { contents, rejected: lines - contents.length, errors };
}

async function readOne({ platform: { pool } }: AlertsContext, call: Call): Promise<Pushed> {
  return { contents: await parseContents(pool, [call.body], call.caller.tenantId), rejected: 0, errors: [] };
}

export const contentRoutes = (context: AlertsContext): Handler[] => [
  handle(contract.pushContent, (call) => pushContent(context, call)),
];
