// The service as its own process, started the way people start it; for tests that kill it.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** `CONNECTOR_TEST_PROCESSES=2 npm test -- chaos/kill` runs what is killed as two processes behind one port. */
const TEST_PROCESSES = process.env.CONNECTOR_TEST_PROCESSES ?? "1";
const MAIN = resolve(import.meta.dir, "../server/main.ts");

export interface Running {
  url: string;
  /** The first test key. */
  key: string;
  pid: number;
  folder: string;
  /** What it printed until it was ready. */
  printed: string;
  /** The postmaster of the embedded database. */
  databasePid(): number;
  /** kill -9 of the service, and of its database when asked. */
  kill(alsoDatabase?: boolean): Promise<void>;
  /** An orderly stop. */
  stop(): Promise<number>;
}

export function makeDataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "connector-data-"));
  Bun.spawnSync(["chmod", "755", folder]);
  return folder;
}

export async function startConnector(folder: string, settings: Record<string, string> = {}): Promise<Running> {
  const env = {
    ...process.env,
    CONNECTOR_PORT: "0",
    CONNECTOR_DATA_DIR: folder,
    CONNECTOR_LOG: "error",
    CONNECTOR_DRAIN_MS: "0",
    CONNECTOR_PROCESSES: TEST_PROCESSES,
    ...settings,
  };
  const child = Bun.spawn([process.execPath, "--max-http-header-size=65536", MAIN, "start"], {
    env,
    stdout: "pipe",
    stderr: "inherit",
  });
  const reader = child.stdout.getReader();
  let text = "";
  // The call to try is the last it prints.
  while (!/^ready (\S+)$[\s\S]*^(curl|Keys:) /m.test(text)) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`the connector ended before it was ready: ${text}`);
    text += new TextDecoder().decode(value);
  }
  const drain = (async () => {
    while (!(await reader.read()).done);
  })();
  const databasePid = () => Number(readFileSync(join(folder, "postgres", "postmaster.pid"), "utf8").split("\n")[0]);
  return {
    url: /^ready (\S+)$/m.exec(text)![1],
    key: readFileSync(join(folder, "first-key"), "utf8").trim(),
    pid: child.pid,
    folder,
    printed: text,
    databasePid,
    async kill(alsoDatabase = false) {
      const postmaster = databasePid();
      child.kill("SIGKILL");
      if (alsoDatabase) process.kill(postmaster, "SIGKILL");
      await child.exited;
      await drain;
    },
    async stop() {
      child.kill("SIGTERM");
      return child.exited;
    },
  };
}

/** The embedded database of a running service. */
export function databaseUrl(folder: string): string {
  const port = readFileSync(join(folder, "postgres", "postmaster.pid"), "utf8").split("\n")[3];
  const password = readFileSync(join(folder, "postgres.password"), "utf8").trim();
  return `postgres://connector:${password}@127.0.0.1:${port}/postgres`;
}

/** The service on a terminal of its own, as a person starts it. */
export async function startOnTerminal(folder: string) {
  let printed = "";
  const ready = Promise.withResolvers<void>();
  const child = Bun.spawn([process.execPath, MAIN, "start"], {
    env: { ...process.env, CONNECTOR_PORT: "0", CONNECTOR_DATA_DIR: folder, CONNECTOR_LOG: "error" },
    terminal: {
      cols: 200,
      rows: 50,
      data: (_terminal, chunk) => {
        printed += new TextDecoder().decode(chunk);
        if (/ready [\s\S]*curl -s/.test(printed)) ready.resolve();
      },
    },
  });
  await Promise.race([
    ready.promise,
    child.exited.then((code) => Promise.reject(new Error(`ended with ${code}: ${printed}`))),
  ]);
  return {
    printed,
    url: /ready (\S+)/.exec(printed)![1],
    async stop() {
      child.kill("SIGTERM");
      await child.exited;
    },
  };
}

/** A live key of the first account, made the way an operator makes one. */
export async function makeLiveKey(url: string, folder: string, settings: Record<string, string> = {}): Promise<string> {
  const key = readFileSync(join(folder, "first-key"), "utf8").trim();
  const profile = await fetch(`${url}/api/v1/user/profile`, { headers: { Authorization: `Bearer ${key}` } });
  const { data } = (await profile.json()) as { data: { user_id: string } };
  const words = ["keys", "create", "--account", data.user_id, "--mode", "live", "--json"];
  const env = { ...process.env, CONNECTOR_DATA_DIR: folder, ...settings };
  const made = Bun.spawnSync([process.execPath, MAIN, ...words], { env });
  return JSON.parse(made.stdout.toString()).key;
}

export function removeDataFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
