// Console sessions: a key sealed in an http-only cookie, one cookie a mode. Turns a session into the Authorization header.
import type { Mode } from "../../contract/define.ts";
import { Failure } from "../../contract/errors.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Seal } from "../../lib/seal.ts";
import { HOUR_MS } from "../../lib/time.ts";

const MODES: Mode[] = ["test", "live"];
const SESSION_MS = 12 * HOUR_MS;
/** A header no other page can send without a preflight, which is never allowed for it: protection against CSRF. */
const MODE_HEADER = "x-console-mode";
const PREFIX = "/console/api/";

export interface SessionDeps {
  seal: Seal;
  clock: Clock;
  publicUrl(): string;
}

export type Sessions = ReturnType<typeof createSessions>;

export function createSessions({ seal, clock, publicUrl }: SessionDeps) {
  const secure = () => (publicUrl().startsWith("https:") ? "; Secure" : "");
  const cookie = (mode: Mode, value: string, maxAge: number) =>
    `${nameOf(mode)}=${value}; Path=/console; HttpOnly; SameSite=Strict; Max-Age=${maxAge}${secure()}`;

  /** The key of a session; null without one, or with one that is too old or not ours. */
  function keyOf(request: Request, mode: Mode): string | null {
    const sealed = readCookie(request.headers.get("cookie"), nameOf(mode));
    if (!sealed) return null;
    try {
      const { key, atMs } = JSON.parse(seal.open(sealed, contextOf(mode)));
      return clock.now() - atMs < SESSION_MS ? key : null;
    } catch {
      return null;
    }
  }

  return {
    keyOf,
    open: (mode: Mode, key: string) =>
      cookie(mode, seal.seal(JSON.stringify({ key, atMs: clock.now() }), contextOf(mode)), SESSION_MS / 1000),
    close: (mode: Mode) => cookie(mode, "", 0),
    /** The REST request that a request of the console stands for; null for any other request. */
    translate(request: Request): Request | null {
      // Every request comes by here, and reading an address whole costs more than the rest of this door.
      if (!request.url.includes(PREFIX)) return null;
      const url = new URL(request.url);
      if (!url.pathname.startsWith(PREFIX)) return null;
      const headers = new Headers(request.headers);
      headers.delete("cookie");
      headers.delete("authorization");
      const key = isOwnPage(request) ? keyOf(request, request.headers.get(MODE_HEADER) as Mode) : null;
      if (key) headers.set("authorization", `Bearer ${key}`);
      url.pathname = url.pathname.replace("/console", "");
      const { method, signal } = request;
      const hasBody = method !== "GET" && method !== "HEAD" && request.body !== null;
      return new Request(url, { method, headers, signal, body: hasBody ? request.body : undefined });
    },
  };
}

export { MODES };

const nameOf = (mode: Mode) => `connector_console_${mode}`;
const contextOf = (mode: Mode) => `console:${mode}`;

/** Only our own pages send the header, and a browser says where a request comes from. */
function isOwnPage(request: Request): boolean {
  const site = request.headers.get("sec-fetch-site");
  return MODES.includes(request.headers.get(MODE_HEADER) as Mode) && (site === null || site === "same-origin");
}

export function refuseForeignPage(request: Request): void {
  if (isOwnPage(request)) return;
  throw new Failure("origin_not_allowed", "Only the console's own page may do this.", {
    hint: `Send the header ${MODE_HEADER}: test or live from a page of this origin.`,
  });
}

function readCookie(header: string | null, name: string): string | null {
  const found = header?.split(";").find((part) => part.trim().startsWith(`${name}=`));
  return found ? found.trim().slice(name.length + 1) : null;
}
