// Sends one event to one endpoint: signs it, posts it (or keeps it for the sandbox inbox), and says what came of it.
import type { Clock } from "../../lib/clock.ts";
import { GuardError, type GuardFetch } from "../../lib/guard-fetch/index.ts";
import type { MakeId } from "../../lib/id.ts";
import { webhookHeaders } from "../../lib/sign.ts";
import type { InboxMessage } from "../inbox/index.ts";
import { type Result, TIMEOUT_MS } from "./schedule.ts";

/** An endpoint with its secrets opened. */
export interface Endpoint {
  tenantId: number;
  url: string;
  secrets: string[];
  /** Deliveries of a test world stay inside, unless the address is this very machine and that was allowed. */
  simulated: boolean;
}

export interface Sent {
  result: Result;
  /** What to keep in the inbox instead of having posted it. */
  inbox: InboxMessage | null;
}

const MAX_KEPT_BYTES = 1_000;
const LIMITS = { totalMs: TIMEOUT_MS, idleMs: TIMEOUT_MS, connectMs: 5000, headerBytes: 16_384 };

export function createSender({ clock, guard, makeId }: { clock: Clock; guard: GuardFetch; makeId: MakeId }) {
  async function send(endpoint: Endpoint, event: { id: string; json: string }): Promise<Sent> {
    const atMs = clock.now();
    const started = clock.monotonic();
    const body = withTimestamp(event.json);
    const signed = webhookHeaders(endpoint.secrets, { id: event.id, timestamp: Math.floor(atMs / 1000), body });
    const headers = { "content-type": "application/json", ...signed };
    const done = (rest: Partial<Result>): Result => ({
      inInbox: false,
      answerBody: null,
      atMs,
      durationMs: Math.round(clock.monotonic() - started),
      status: null,
      error: null,
      retryAfterMs: null,
      wish: null,
      ...rest,
    });
    if (endpoint.simulated) {
      // The body stays text: the signature is over these very bytes.
      const content = { headers, body, simulated: true };
      const inbox = {
        id: makeId("msg"),
        tenantId: endpoint.tenantId,
        channel: "webhook",
        recipient: endpoint.url,
        content,
        at: atMs,
      };
      return { result: done({ inInbox: true }), inbox };
    }
    return { result: done(await post(endpoint.url, headers, body)), inbox: null };
  }

  async function post(url: string, headers: Record<string, string>, body: string): Promise<Partial<Result>> {
    try {
      const answer = await guard.fetch(url, {
        method: "POST",
        headers,
        body,
        redirects: 0,
        limits: LIMITS,
        // Our schedule decides when to try again; a receiver must be idempotent by the standard.
        polite: false,
        idempotent: true,
        skipBody: true,
      });
      const wish = answer.headers.get("webhook-delivery");
      return {
        status: answer.status,
        error: answer.status >= 300 ? `The endpoint answered ${answer.status}.` : null,
        answerBody: printable(answer.body),
        retryAfterMs: answer.retryAfterMs,
        wish: wish === "disable" || wish === "abort-message" ? wish : null,
      };
    } catch (error) {
      if (!(error instanceof GuardError)) throw error;
      return { error: `${error.code}: ${error.detail}` };
    }
  }

  return { send };
}

export type Sender = ReturnType<typeof createSender>;

const utf8 = new TextDecoder();

/** The beginning of an answer as the store can keep it and a person can read it. */
function printable(body: Uint8Array): string | null {
  if (body.length === 0) return null;
  const text = utf8.decode(body.subarray(0, MAX_KEPT_BYTES)).replaceAll("\0", "");
  return text === "" ? null : text;
}

/** Standard Webhooks asks for `timestamp` beside type and data; it says when the event happened. */
export function withTimestamp(json: string): string {
  const created = /"created_at":"([^"]+)"/.exec(json)?.[1];
  return `{"timestamp":"${created}",${json.slice(1)}`;
}
