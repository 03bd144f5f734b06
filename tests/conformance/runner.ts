// The official MCP conformance runner against its fixtures, served behind our own endpoint, in both revisions.
import { join } from "node:path";
import { Failure } from "../../server/contract/errors.ts";
import { systemClock } from "../../server/lib/clock.ts";
import { openConformanceServer } from "../../server/mcp/fixtures/conformance-server.ts";
import { createMcp } from "../../server/mcp/http.ts";
import { npmPackage, ROOT } from "./cache.ts";

const RUNNER = "@modelcontextprotocol/conformance";
const RUNNER_VERSION = "0.2.0-alpha.12";
const REVISIONS = ["2025-11-25", "2026-07-28"];
/** Extensions are optional by the specification, and we serve none of them. */
const EXTENSION = /^(tasks|sep-2640-skills)-/;
/** Every check in full, for whoever looks into a failure. */
const RESULTS = join(ROOT, ".cache", "conformance", "results");

export async function run(): Promise<boolean> {
  const script = join(npmPackage(RUNNER, RUNNER_VERSION), "dist", "index.js");
  const endpoint = serveFixtures();
  let passed = true;
  try {
    for (const revision of REVISIONS) {
      const command = [process.execPath, script, "server", "--url", endpoint.url, "--requirements", revision];
      const child = Bun.spawn([...command, "-o", RESULTS], { stdout: "pipe", stderr: "inherit" });
      passed = report(revision, await new Response(child.stdout).text()) && passed;
      await child.exited;
    }
  } finally {
    endpoint.stop();
  }
  return passed;
}

/** Prints one line a scenario; true when every scenario that is no extension passed. */
function report(revision: string, printed: string): boolean {
  const scenarios = [...printed.matchAll(/^([✓✗]) ([\w-]+): (\d+) passed, (\d+) failed/gmu)]
    .map(([, mark, name, succeeded, failed]) => ({ ok: mark === "✓", name, succeeded, failed }))
    .filter(({ name }) => !EXTENSION.test(name));
  const passed = scenarios.filter(({ ok }) => ok).length;
  console.log(`\n${RUNNER} ${RUNNER_VERSION}, ${revision}: ${passed} of ${scenarios.length} scenarios pass`);
  for (const { ok, name, succeeded, failed } of scenarios)
    console.log(`${ok ? "ok  " : "FAIL"} ${name} (${succeeded} checks passed, ${failed} failed)`);
  return scenarios.length > 0 && passed === scenarios.length;
}

/** Our wrapper with the runner's tools inside and one caller, since the runner cannot send a key. */
function serveFixtures() {
  const caller = { tenantId: 1, accountId: 1, keyId: 1, scopes: new Set() };
  const mcp = createMcp({
    routes: [],
    version: "0",
    clock: systemClock,
    identify: async () => ({ caller }) as any,
    count: async () => {},
    serve: async () => new Response("{}"),
    follow: () => () => {},
    watch: () => () => {},
    publicUrl: () => server.url.origin,
    origins: [],
    loopbackOnly: true,
    makeSessionId: () => crypto.randomUUID(),
    openServer: openConformanceServer,
  });
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 60,
    async fetch(request) {
      try {
        return await mcp.fetch({ request, clientAddress: "127.0.0.1" } as any);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        return Response.json({ error: { code: error.code, detail: error.message } }, { status: error.status });
      }
    },
  });
  return {
    url: `${server.url.origin}/mcp`,
    stop() {
      mcp.close();
      void server.stop(true);
    },
  };
}
