// Answers calls without a service, for the tests of a program that uses the client: action-connector/testing.
import type { Fetch } from "./transport.ts";

/** An answer that refuses. */
export class Refusal {
  readonly status: number;
  readonly code: string;
  readonly detail: string;

  constructor(status: number, code: string, detail = code) {
    this.status = status;
    this.code = code;
    this.detail = detail;
  }
}

/** One request that was made; `path` is without /api/v1. */
export interface FakeRequest {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Headers;
  body: any;
}

export type FakeAnswer = object | Refusal | ((request: FakeRequest) => unknown);

/**
 * A fetch that answers each route, e.g. `POST /delivery/schedule` or `GET /delivery/{id}`, with its data, with a Refusal,
 * or with what a function gives: `new ActionConnector({ apiKey: "k", baseUrl: "https://fake.example", fetch: fakeFetch({…}) })`.
 */
export function fakeFetch(routes: Record<string, FakeAnswer>): Fetch & { requests: FakeRequest[] } {
  const requests: FakeRequest[] = [];
  const answer: Fetch = async (url, init) => {
    const { pathname, searchParams } = new URL(url);
    const path = pathname.replace(/^\/api\/v1/, "");
    const method = init.method ?? "GET";
    const headers = new Headers(init.headers);
    const isJson = headers.get("content-type") === "application/json" && typeof init.body === "string";
    const body = isJson ? JSON.parse(init.body as string) : init.body;
    const request = { method, path, query: Object.fromEntries(searchParams), headers, body };
    requests.push(request);
    const found = find(routes, method, path);
    const data = typeof found === "function" ? await found(request) : found;
    const more = { headers: { "Content-Type": "application/json", "X-Request-Id": "req_fake" } };
    if (!(data instanceof Refusal)) return new Response(JSON.stringify({ success: true, data }), more);
    const { status, code, detail } = data;
    const error = { code, status, title: code, detail, retryable: false };
    return new Response(JSON.stringify({ success: false, error }), { ...more, status });
  };
  return Object.assign(answer, { requests });
}

function find(routes: Record<string, FakeAnswer>, method: string, path: string): FakeAnswer {
  const exact = routes[`${method} ${path}`];
  if (exact) return exact;
  const parts = path.split("/");
  for (const [route, answer] of Object.entries(routes)) {
    const [verb, pattern = ""] = route.split(" ");
    const names = pattern.split("/");
    const fits = names.length === parts.length && names.every((name, i) => name.startsWith("{") || name === parts[i]);
    if (verb === method && fits) return answer;
  }
  throw new Error(`The fake has no route for ${method} ${path}.`);
}
