// One JSON question to a provider: truthful errors, and numbers too long for a double kept as text.
import { GuardError, type GuardRequest } from "../../../lib/guard-fetch/index.ts";
import { SourceError } from "../engine/upstream/source.ts";
import type { ProviderDeps } from "./port.ts";

/** Integers past 2^53 (nanosecond times) become strings; everything inside strings is left alone. */
export function parseExact(text: string): unknown {
  return JSON.parse(
    text.replace(/"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g, (part) => (part[0] === '"' ? part : `"${part}"`)),
  );
}

export interface Reply {
  status: number;
  body: any;
  text: string;
  headers: Headers;
  retryAfterMs: number | null;
}

/** The answer whatever its status, parsed when it is JSON (`body` is undefined when not). */
export async function ask(deps: ProviderDeps, name: string, url: URL, request: GuardRequest = {}): Promise<Reply> {
  try {
    const { headers, ...rest } = request;
    const reply = await deps.fetch(url, {
      polite: false,
      redirects: 0,
      headers: { Accept: "application/json", ...headers },
      ...rest,
    });
    const text = reply.text();
    return {
      status: reply.status,
      text,
      body: readJson(text),
      headers: reply.headers,
      retryAfterMs: reply.retryAfterMs,
    };
  } catch (error) {
    throw failureOf(error, name);
  }
}

/** The same, with every status but 200 thrown as what it means. */
export async function askJson(deps: ProviderDeps, name: string, url: URL, request: GuardRequest = {}): Promise<any> {
  const reply = await ask(deps, name, url, request);
  refuse(reply, name);
  if (reply.body === undefined)
    throw new SourceError("failed", `${name} answered ${reply.status} with something that is not JSON.`);
  return reply.body;
}

export function refuse(reply: Reply, name: string): void {
  const { status } = reply;
  if (status === 200) return;
  const said = messageOf(reply.body);
  if (status === 401) throw new SourceError("unauthorized", `${name} refused the key${said}.`);
  if (status === 403) throw new SourceError("unauthorized", `${name} refused access${said}.`);
  if (status === 429)
    throw new SourceError("rate_limited", `${name} says its limit is reached.`, reply.retryAfterMs ?? 60_000);
  throw new SourceError("failed", `${name} answered ${status}${said}.`);
}

function messageOf(body: any): string {
  const text = body?.message ?? body?.error?.description ?? body?.error;
  return typeof text === "string" ? `: ${text.slice(0, 120)}` : "";
}

function readJson(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}

function failureOf(error: unknown, name: string): SourceError {
  if (error instanceof SourceError) return error;
  if (error instanceof GuardError) {
    if (error.code === "upstream_timeout" || error.code === "aborted")
      return new SourceError("timeout", `${name} did not answer in time.`);
    if (error.code === "backing_off" || error.code === "circuit_open")
      return new SourceError("rate_limited", `${name} asked us to wait.`, error.retryAfterMs);
    return new SourceError("failed", `${name} could not be reached (${error.code}).`);
  }
  return new SourceError("failed", `${name} could not be reached.`);
}
