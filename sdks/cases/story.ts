// What a story is, and how one is judged. The three languages only do the steps and say what they saw.
import type { Fault, Run, Seen } from "./proxy.ts";

export interface Step {
  /** `delivery.schedule`; every language finds its own method by this name. `$unwrap` is its webhook function. */
  call: string;
  path?: string[];
  body?: unknown;
  query?: Record<string, unknown>;
  options?: Record<string, unknown>;
  /** How it is called: once, all items of a list, or so many events of a stream. */
  as?: "call" | "items" | "events";
  take?: number;
  /** Calls it so many times, stopping at the first failure. */
  repeat?: number;
  /** The body goes through an argument of its own, because it need not be JSON. */
  content?: boolean;
  /** Cancels it while its answer is being held. */
  cancel?: boolean;
  expect?: Expect;
}

export interface Expect {
  /** Subset of the answer; strings between slashes are patterns; {"$count": n} is the length of a list. */
  value?: unknown;
  /** Subset of the error: kind, status, code, retry_after_ms, hint, request_id, faults, message. */
  error?: Record<string, unknown>;
  /** Requests that came by during the step. */
  requests?: number;
  /** Subset of the last request's headers. */
  sent?: Record<string, unknown>;
  /** The same idempotency key on all requests of the step. */
  same_key?: boolean;
  /** Pairs of least and most. */
  waits_ms?: [number, number][];
  warnings?: number;
  quota?: Record<string, unknown> | null;
  response?: Record<string, unknown>;
  /** The request as it came by, whatever was answered to it. */
  reaches?: { method: string; path: string; query: Record<string, unknown>; body?: unknown };
}

export interface Story {
  name: string;
  client?: Record<string, unknown>;
  /** free: an account of its own on the free plan; limited: a key with one scope; wrong: a key nobody has. */
  key?: "free" | "limited" | "wrong";
  faults?: (Fault | null)[];
  steps: Step[];
}

export interface Observation {
  value?: unknown;
  error?: Record<string, unknown>;
  waits_ms?: number[];
  warnings?: string[];
  quota?: unknown;
  response?: unknown;
  /** Why this language cannot do it. */
  skip?: string;
}

/** Everything that differs, in words; empty when nothing does. */
export function judge(step: Step, seen: Observation, requests: Seen[]): string[] {
  if (seen.skip) return [];
  const { expect = {} } = step;
  const faults: string[] = [];
  if (expect.reaches) return judgeReach(step, expect.reaches, seen, requests);
  if (expect.error === undefined && seen.error) faults.push(`${step.call}: failed with ${JSON.stringify(seen.error)}`);
  if (expect.error) differ("error", expect.error, seen.error, faults);
  if (expect.value !== undefined) differ("value", expect.value, seen.value, faults);
  if (expect.requests !== undefined && requests.length !== expect.requests)
    faults.push(`requests: ${requests.length} instead of ${expect.requests}`);
  if (expect.sent) differ("sent", expect.sent, requests.at(-1)?.headers, faults);
  if (expect.same_key) {
    const keys = new Set(requests.map((r) => r.headers["idempotency-key"] ?? ""));
    if (keys.size !== 1 || keys.has("")) faults.push(`idempotency keys: ${[...keys].join(", ")}`);
  }
  if (expect.waits_ms) {
    const given = seen.waits_ms ?? [];
    const fits =
      given.length === expect.waits_ms.length &&
      expect.waits_ms.every(([least, most], i) => given[i] >= least && given[i] <= most);
    if (!fits) faults.push(`waits: ${JSON.stringify(given)} instead of ${JSON.stringify(expect.waits_ms)}`);
  }
  if (expect.warnings !== undefined && (seen.warnings ?? []).length !== expect.warnings)
    faults.push(`warnings: ${JSON.stringify(seen.warnings)}`);
  if (expect.quota !== undefined) differ("quota", expect.quota, seen.quota, faults);
  if (expect.response) differ("response", expect.response, seen.response, faults);
  return faults;
}

function judgeReach(step: Step, want: NonNullable<Expect["reaches"]>, seen: Observation, requests: Seen[]): string[] {
  const request = requests.at(-1);
  if (!request) return [`${step.call}: sent nothing: ${JSON.stringify(seen.error)}`];
  const url = new URL(request.path, "http://x");
  const query = Object.fromEntries(url.searchParams);
  const wanted = Object.fromEntries(Object.entries(want.query).map(([name, value]) => [name, String(value)]));
  const faults: string[] = [];
  const compare = (what: string, a: unknown, b: unknown) => {
    const [left, right] = [sorted(a), sorted(b)];
    if (left !== right) faults.push(`${step.call}: ${what} ${left} instead of ${right}`);
  };
  compare("method", request.method, want.method);
  compare("path", url.pathname, want.path);
  compare("query", query, wanted);
  if (want.body !== undefined) compare("body", request.body === "" ? null : JSON.parse(request.body), want.body);
  return faults;
}

const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, v) =>
    v && typeof v === "object" && !Array.isArray(v)
      ? Object.fromEntries(Object.entries(v).sort(([a], [b]) => (a < b ? -1 : 1)))
      : v,
  );

function differ(at: string, want: unknown, got: unknown, faults: string[]): void {
  if (typeof want === "string" && /^\/.*\/$/s.test(want)) {
    if (typeof got !== "string" || !new RegExp(want.slice(1, -1)).test(got))
      faults.push(`${at}: ${JSON.stringify(got)} does not match ${want}`);
  } else if (want && typeof want === "object" && !Array.isArray(want)) {
    for (const [name, inner] of Object.entries(want)) {
      if (name === "$count") {
        if (!Array.isArray(got) || got.length !== inner)
          faults.push(`${at}: ${Array.isArray(got) ? got.length : typeof got} items instead of ${inner}`);
      } else if (name === "$distinct") {
        const values = (Array.isArray(got) ? got : []).map((one) => one?.[inner as string]);
        if (new Set(values).size !== values.length) faults.push(`${at}: repeats in ${JSON.stringify(values)}`);
      } else if (name === "$least" || name === "$most") {
        if (typeof got !== "number" || (name === "$least" ? got < (inner as number) : got > (inner as number)))
          faults.push(`${at}: ${JSON.stringify(got)} is not ${JSON.stringify(want)}`);
      } else differ(`${at}.${name}`, inner, (got as Record<string, unknown> | null | undefined)?.[name], faults);
    }
  } else if (Array.isArray(want)) {
    if (!Array.isArray(got) || got.length !== want.length)
      faults.push(`${at}: ${JSON.stringify(got)} instead of ${JSON.stringify(want)}`);
    else want.forEach((inner, i) => differ(`${at}.${i}`, inner, got[i], faults));
  } else if ((want ?? null) !== (got ?? null))
    faults.push(`${at}: ${JSON.stringify(got)} instead of ${JSON.stringify(want)}`);
}

/** Puts `${name.path}` values in; a string that is nothing else becomes the value itself. */
export function fill<T>(template: T, values: Record<string, unknown>): T {
  if (typeof template === "string") {
    const only = /^\$\{([^}]+)\}$/.exec(template);
    if (only) return look(values, only[1]) as T;
    return template.replaceAll(/\$\{([^}]+)\}/g, (_, path) => String(look(values, path))) as T;
  }
  if (Array.isArray(template)) return template.map((one) => fill(one, values)) as T;
  if (template && typeof template === "object")
    return Object.fromEntries(Object.entries(template).map(([k, v]) => [k, fill(v, values)])) as T;
  return template;
}

function look(values: Record<string, unknown>, path: string): unknown {
  const found = path.split(".").reduce<any>((at, name) => at?.[name], values);
  if (found === undefined) throw new Error(`The story uses \${${path}}, which is not known yet.`);
  return found;
}

export type { Fault, Run };
