// Tries the single executable as a newcomer would: in an empty folder, with an empty PATH and an empty environment.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildBundle } from "../../server/http/console/bundle.ts";

interface Place {
  executable: string;
  folder: string;
  env: Record<string, string>;
}

interface Started {
  url: string;
  key: string;
  /** The call that it prints, for a shell. */
  call: string;
  stop(): Promise<number>;
}

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "try", version: "1" } },
};

/** Throws at the first thing that does not work. */
export async function tryExecutable(executable: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "connector-try-"));
  // The embedded PostgreSQL does not run as root: its own user must reach the folder.
  Bun.spawnSync(["chmod", "755", folder]);
  mkdirSync(join(folder, "none"));
  const place = { executable, folder, env: { PATH: join(folder, "none"), HOME: folder, CONNECTOR_PORT: "0" } };
  try {
    run(place, ["--version"], /^connector \d/);
    run(place, ["help"], /webhooks/);
    const started = await start(place);
    await tryService(place, started);
    expect("an orderly stop", (await started.stop()) === 0);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function tryService(place: Place, { url, key, call }: Started): Promise<void> {
  const curl = Bun.spawnSync(["/bin/sh", "-c", call], { env: { PATH: "/usr/bin:/bin" } }).stdout.toString();
  expect("the printed call", JSON.parse(curl).data.status === "scheduled");
  for (const path of [
    "/",
    "/docs",
    "/docs/delivery",
    "/docs/reference",
    "/docs/assets/docs.js",
    "/openapi.json",
    "/console",
  ])
    expect(path, (await fetch(url + path)).ok);
  for (const [name, text] of await buildBundle())
    expect(
      `/console/assets/${name} as a checkout builds it`,
      (await (await fetch(`${url}/console/assets/${name}`)).text()) === text,
    );
  const headers = {
    Authorization: `Bearer ${key}`,
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
  };
  const mcp = await fetch(`${url}/mcp`, { method: "POST", headers, body: JSON.stringify(INITIALIZE) });
  expect("/mcp", mcp.ok && (await mcp.text()).includes('"serverInfo"'));
  const words = ["--url", url, "--key", key];
  run(place, ["quote", "AAPL", ...words], /AAPL/);
  run(place, ["schedule", "Berlin", "Potsdam", ...words], /dlv_/);
  run(place, ["analyze", "--text", "A short text.", ...words], /too_short/);
}

function run({ executable, folder, env }: Place, words: string[], wanted: RegExp): void {
  const ran = Bun.spawnSync([executable, ...words], { cwd: folder, env });
  const text = ran.stdout.toString() + ran.stderr.toString();
  expect(`connector ${words[0]}`, ran.exitCode === 0 && wanted.test(text), text);
}

async function start({ executable, folder, env }: Place): Promise<Started> {
  const child = Bun.spawn([executable, "start"], { cwd: folder, env, stdout: "pipe", stderr: "inherit" });
  let text = "";
  const reader = child.stdout.getReader();
  while (!/^curl [\s\S]*'\n/m.test(text)) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`connector start ended: ${text}`);
    text += new TextDecoder().decode(value);
  }
  expect("connector start", true);
  const drained = (async () => {
    while (!(await reader.read()).done);
  })();
  return {
    url: /^ready (\S+)$/m.exec(text)![1],
    key: /acn_test_\w+/.exec(text)![0],
    call: text.slice(text.indexOf("curl ")),
    async stop() {
      child.kill("SIGTERM");
      const code = await child.exited;
      await drained;
      return code;
    },
  };
}

function expect(what: string, holds: boolean, seen = ""): void {
  if (!holds) throw new Error(`${what}: does not work ${seen}`);
  console.log(`ok  ${what}`);
}
