// The service as its own process, started the way people start it; for tests that kill it.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const main = resolve(import.meta.dir, "../server/main.ts");

export interface Running {
  url: string;
  /** The first test key. */
  key: string;
  pid: number;
  folder: string;
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
  const env = { ...process.env, CONNECTOR_PORT: "0", CONNECTOR_DATA_DIR: folder, CONNECTOR_LOG: "error", ...settings };
  const child = Bun.spawn([process.execPath, "--max-http-header-size=65536", main, "start"], {
    env,
    stdout: "pipe",
    stderr: "inherit",
  });
  const reader = child.stdout.getReader();
  let text = "";
  while (!/^ready (\S+)$/m.test(text)) {
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

export function removeDataFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
