// One JSON request to a provider through the guarded way out, with its failures in the port's words.
import { GuardError, type GuardFetch } from "../../../lib/guard-fetch/index.ts";
import { ProviderFailure } from "./port.ts";

export interface Question {
  method?: string;
  url: string;
  headers?: Record<string, string>;
  json?: unknown;
  form?: Record<string, string>;
  timeoutMs?: number;
}

export interface ProviderReply {
  status: number;
  body: any;
}

export type Way = Pick<GuardFetch, "fetch">;

/** Any answer below 500 that is JSON (or empty) comes back; everything else is a ProviderFailure. */
export async function ask(way: Way, question: Question): Promise<ProviderReply> {
  const { method = "GET", url, json, form, timeoutMs = 10_000 } = question;
  const headers: Record<string, string> = { Accept: "application/json", ...question.headers };
  let body: string | undefined;
  if (json !== undefined) {
    headers["Content-Type"] = "application/json";
    body = JSON.stringify(json);
  } else if (form) {
    headers["Content-Type"] = "application/x-www-form-urlencoded";
    body = new URLSearchParams(form).toString();
  }
  const answer = await send(way, url, {
    method,
    headers,
    body,
    limits: { totalMs: timeoutMs },
    pace: { concurrency: 8, gapMs: 0 },
    redirects: 0,
  });
  if (answer.status >= 500 || answer.status === 429 || answer.status === 408) {
    throw new ProviderFailure("unreachable", `it answered ${answer.status}`);
  }
  const text = answer.text();
  try {
    return { status: answer.status, body: text === "" ? null : JSON.parse(text) };
  } catch {
    throw new ProviderFailure("garbled", `it answered ${answer.status} with something that is not JSON`);
  }
}

async function send(way: Way, url: string, request: Parameters<Way["fetch"]>[1]) {
  try {
    return await way.fetch(url, request);
  } catch (error) {
    if (error instanceof GuardError)
      throw new ProviderFailure("unreachable", `it could not be reached (${error.code})`);
    throw error;
  }
}

/** Turns a refusal into the port's words; a success passes. */
export function refuseUnless(reply: ProviderReply, ...fine: number[]): any {
  if (fine.includes(reply.status)) return reply.body;
  const why = String(
    reply.body?.message ??
      reply.body?.error?.message ??
      reply.body?.error_description ??
      reply.body?.code ??
      "no reason given",
  ).slice(0, 200);
  if (reply.status === 401 || reply.status === 403)
    throw new ProviderFailure("unauthorized", `it refused our credentials: ${why}`);
  if (reply.status === 404) throw new ProviderFailure("unknown_delivery", `it does not know the delivery: ${why}`);
  throw new ProviderFailure("refused", `it answered ${reply.status}: ${why}`);
}
