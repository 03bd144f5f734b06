// The routes of the console: its page, its files, signing in and out. Everything else it asks goes to the REST routes.
import Type from "typebox";
import { type Call, handle, type Handler, type Mode, type Route, route } from "../../contract/define.ts";
import { Failure } from "../../contract/errors.ts";
import { Shape } from "../../contract/shapes.ts";
import { staticFile } from "../compress.ts";
import type { KeyPrincipal } from "../../platform/keys/index.ts";
import { createBundle } from "./bundle.ts";
import { MODES, refuseForeignPage, type Sessions } from "./session.ts";

const CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Action Connector console</title>
<link rel="icon" href="/console/assets/icon.svg">
<link rel="stylesheet" href="/console/assets/console.css">
<script type="module" src="/console/assets/main.js"></script>
</head>
<body><div id="app"><noscript>The console needs JavaScript. The API does not: see /docs.</noscript></div></body>
</html>
`;

const common = { mount: "root", scope: null } as const;
const page = route({
  ...common,
  id: "console.page",
  method: "GET",
  path: "/console",
  summary: "The web console",
  produces: "text/html",
});
const asset = route({
  ...common,
  id: "console.asset",
  method: "GET",
  path: "/console/assets/{name}",
  summary: "A file of the console",
  produces: "text/plain",
  params: Shape({ name: Type.String({ maxLength: 80, description: "File name." }) }),
  unlimited: true,
  errors: ["not_found"],
});
const readSession = route({
  ...common,
  id: "console.session",
  method: "GET",
  path: "/console/session",
  summary: "The keys this browser is signed in with",
  produces: "application/json",
});
const signIn = route({
  ...common,
  id: "console.sign_in",
  method: "POST",
  path: "/console/session",
  summary: "Sign in with a key; it is kept sealed in an http-only cookie",
  produces: "application/json",
  body: Shape({ key: Type.String({ minLength: 1, maxLength: 200, description: "An API key, test or live." }) }),
  errors: ["origin_not_allowed", "invalid_api_key"],
});
const signOut = route({
  ...common,
  id: "console.sign_out",
  method: "DELETE",
  path: "/console/session",
  summary: "Sign out of both modes",
  produces: "application/json",
  errors: ["origin_not_allowed"],
});

export const routes: Route<any, any, any, any>[] = [page, asset, readSession, signIn, signOut];

export interface ConsoleDeps {
  sessions: Sessions;
  /** Who has this key, at this address; throws a Failure. Counts nothing but wrong keys. */
  identify(key: string, address: string): Promise<KeyPrincipal>;
}

export function createConsoleRoutes({ sessions, identify }: ConsoleDeps): Handler[] {
  const showPage = staticFile("text/html; charset=utf-8", () => PAGE);
  const serveFile = createBundle();

  async function describe({ request, clientAddress }: Call): Promise<Response> {
    const signedIn = await Promise.all(MODES.map((mode) => describeMode(request, mode, clientAddress)));
    return reply({ sessions: signedIn.filter((one) => one !== null) });
  }

  /** A session whose key was revoked or has expired is no session any more. */
  async function describeMode(request: Request, mode: Mode, address: string) {
    const key = sessions.keyOf(request, mode);
    if (!key) return null;
    try {
      return view(await identify(key, address));
    } catch (error) {
      if (error instanceof Failure) return null;
      throw error;
    }
  }

  return [
    handle(page, async ({ request }) => protect(await showPage(request))),
    handle(asset, async ({ request, params }) => {
      const file = await serveFile(params.name, request);
      if (!file) throw new Failure("not_found", `There is no file ${params.name}.`, { hint: "Load /console again." });
      return file;
    }),
    handle(readSession, describe),
    handle(signIn, async ({ request, body, clientAddress }) => {
      refuseForeignPage(request);
      const principal = await identify(body.key.trim(), clientAddress);
      return reply(view(principal), [sessions.open(principal.caller.mode, body.key.trim())]);
    }),
    handle(signOut, ({ request }) => {
      refuseForeignPage(request);
      return reply({ sessions: [] }, MODES.map(sessions.close));
    }),
  ];
}

const view = ({ caller, account, key }: KeyPrincipal) => ({
  mode: caller.mode,
  account: account.name,
  plan: caller.plan,
  key: { name: key.name, prefix: key.prefix },
  scopes: [...caller.scopes],
});

function reply(data: unknown, cookies: string[] = []): Response {
  const response = Response.json({ success: true, data }, { headers: { "Cache-Control": "no-store" } });
  for (const cookie of cookies) response.headers.append("Set-Cookie", cookie);
  return response;
}

function protect(response: Response): Response {
  response.headers.set("Content-Security-Policy", CSP);
  response.headers.set("Referrer-Policy", "no-referrer");
  response.headers.set("X-Frame-Options", "DENY");
  return response;
}
