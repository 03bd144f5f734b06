// The console's state: who is signed in, the mode, the page shown, the client, and the requests of this tab.
import { computed, effect, signal } from "@preact/signals";
import { ActionConnector, ApiError } from "../../sdks/typescript/src/index.ts";

export type Mode = "test" | "live";

export interface Session {
  mode: Mode;
  account: string;
  plan: string;
  key: { name: string; prefix: string };
  scopes: string[];
}

export interface Sent {
  at: number;
  /** The X-Request-Id of the answer. */
  id: string | null;
  method: string;
  /** Path and query under /api/v1. */
  path: string;
  body: string | null;
  status: number;
  code: string | null;
  hint: string | null;
  ms: number;
}

const MODE_HEADER = "x-console-mode";
const API = "/console/api/v1";
const MAX_SENT = 200;

/** Null until the service has answered. */
export const sessions = signal<Session[] | null>(null);
export const mode = signal<Mode>(stored("mode") === "live" ? "live" : "test");
export const theme = signal<"auto" | "light" | "dark">((stored("theme") as "light" | null) ?? "auto");
/** The time zone in which times are shown; "local" is that of the browser. */
export const zone = signal(stored("zone") ?? "local");
export const sent = signal<Sent[]>([]);
export const quota = signal<{ limit: number; remaining: number } | null>(null);
export const place = signal<Place>(readPlace());
export const session = computed(() => sessions.value?.find((s) => s.mode === mode.value) ?? null);

addEventListener("hashchange", () => {
  place.value = readPlace();
});
effect(() => {
  document.documentElement.dataset.theme = theme.value;
  document.documentElement.dataset.mode = mode.value;
  localStorage.setItem("theme", theme.value);
  localStorage.setItem("mode", mode.value);
  localStorage.setItem("zone", zone.value);
});

function stored(name: string): string | null {
  return localStorage.getItem(name);
}

export interface Place {
  page: string;
  id: string | null;
  /** What is opened inside a part of a page: `platform/requests/req_…`. */
  item: string | null;
}

function readPlace(): Place {
  const [page, id, item] = location.hash.replace(/^#\/?/, "").split("/");
  const read = (part: string | undefined) => (part ? decodeURIComponent(part) : null);
  return { page: page || "home", id: read(id), item: read(item) };
}

export function go(page: string, id?: string): void {
  location.hash = id ? `/${page}/${encodeURIComponent(id)}` : `/${page}`;
}

/** A client for one mode; `onAnswer` hears of every answer and every failed connection (null). */
export function makeClient(of: Mode, onAnswer?: (response: Response | null) => void): ActionConnector {
  const send = async (url: string, init: RequestInit): Promise<Response> => {
    const started = performance.now();
    try {
      const response = await fetch(url, init);
      onAnswer?.(response);
      await note(url, init, response, performance.now() - started);
      return response;
    } catch (error) {
      onAnswer?.(null);
      throw error;
    }
  };
  return new ActionConnector({
    // The service puts the real key in its place; this page never holds it.
    apiKey: "console-session",
    baseUrl: location.origin + API,
    headers: { [MODE_HEADER]: of },
    maxRetries: 1,
    fetch: send,
  });
}

const clients: Record<Mode, ActionConnector> = { test: makeClient("test"), live: makeClient("live") };
export const client = computed(() => clients[mode.value]);

async function note(url: string, init: RequestInit, response: Response, ms: number): Promise<void> {
  const error = response.ok ? null : (await readJson(response.clone()))?.error;
  const entry: Sent = {
    at: Date.now(),
    id: response.headers.get("x-request-id"),
    method: init.method ?? "GET",
    path: url.slice(url.indexOf(API) + API.length),
    body: typeof init.body === "string" ? init.body : null,
    status: response.status,
    code: error?.code ?? null,
    hint: error?.hint ?? null,
    ms: Math.round(ms),
  };
  sent.value = [entry, ...sent.value].slice(0, MAX_SENT);
  const limit = Number(/q=(\d+)/.exec(response.headers.get("ratelimit-policy") ?? "")?.[1]);
  const left = Number(/r=(\d+)/.exec(response.headers.get("ratelimit") ?? "")?.[1]);
  if (limit >= 0 && left >= 0) quota.value = { limit, remaining: left };
  if (response.status === 401) void loadSessions();
}

async function readJson(response: Response): Promise<any> {
  return response.json().catch(() => null);
}

export async function loadSessions(): Promise<void> {
  const answer = await readJson(await fetch("/console/session"));
  sessions.value = answer?.data?.sessions ?? [];
  const known = sessions.value!;
  if (known.length === 1 && !session.value) mode.value = known[0].mode;
}

export async function signIn(key: string): Promise<void> {
  const response = await fetch("/console/session", {
    method: "POST",
    headers: { "Content-Type": "application/json", [MODE_HEADER]: mode.value },
    body: JSON.stringify({ key }),
  });
  const answer = await readJson(response);
  if (!response.ok) throw new ApiError(response.status, response.headers, answer?.error ?? null, null);
  mode.value = answer.data.mode;
  await loadSessions();
}

export async function signOut(): Promise<void> {
  await fetch("/console/session", { method: "DELETE", headers: { [MODE_HEADER]: mode.value } });
  sessions.value = [];
}

/** What Intl needs to show a time in the chosen zone. */
export const zoneOption = () => (zone.value === "local" ? undefined : zone.value);

export const isOperator = computed(() => session.value?.scopes.includes("admin") ?? false);
