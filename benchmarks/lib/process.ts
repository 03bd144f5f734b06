// Starts what is measured as processes of their own and reads how much memory they take.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

export interface Measured {
  port: number;
  pid: number;
  /** Processor time the process has used so far, which a busy machine does not distort. */
  cpuMs(): number;
  /** Resident memory of the process itself, without any database. */
  memoryMb(): number;
  stop(): Promise<void>;
}

/** Waits for a line `ready http://host:port` or `ready port`. */
export async function startProcess(command: string[], env: Record<string, string> = {}): Promise<Measured> {
  const child = Bun.spawn(command, { env: { ...process.env, ...env }, stdout: "pipe", stderr: "inherit" });
  const reader = child.stdout.getReader();
  let text = "";
  while (!/^ready \S*?(\d+)$/m.test(text)) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`${command.join(" ")} ended: ${text}`);
    text += new TextDecoder().decode(value);
  }
  void (async () => {
    while (!(await reader.read()).done);
  })();
  return {
    port: Number(/^ready \S*?(\d+)$/m.exec(text)![1]),
    pid: child.pid,
    cpuMs() {
      const fields = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ")[1].split(" ");
      return (Number(fields[11]) + Number(fields[12])) * 10;
    },
    memoryMb: () =>
      Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1] ?? 0) / 1024),
    async stop() {
      child.kill("SIGTERM");
      await child.exited;
    },
  };
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** A service of a checkout, with a fresh store of its own. */
export async function startService(
  checkout: string,
  settings: Record<string, string> = {},
  bunFlags: string[] = [],
): Promise<Measured & { folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), "connector-bench-"));
  Bun.spawnSync(["chmod", "755", folder]);
  const main = join(checkout, "server/main.ts");
  const env = { CONNECTOR_PORT: "0", CONNECTOR_DATA_DIR: folder, CONNECTOR_LOG: "error", ...settings };
  const running = await startProcess(
    [process.execPath, ...bunFlags, "--max-http-header-size=65536", main, "start"],
    env,
  );
  return {
    ...running,
    folder,
    async stop() {
      await running.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The address of the embedded store of a service. */
export function storeUrl(folder: string): string {
  const port = readFileSync(join(folder, "postgres", "postmaster.pid"), "utf8").split("\n")[3];
  const password = readFileSync(join(folder, "postgres.password"), "utf8").trim();
  return `postgres://connector:${password}@127.0.0.1:${port}/postgres`;
}

/** This checkout. */
export const HERE = resolve(import.meta.dir, "../..");

/** A live key with every scope of the first account, made on the command line: a test key cannot obtain one. */
export async function makeLiveKey(port: number, folder: string, checkout = HERE): Promise<string> {
  const key = readFileSync(join(folder, "first-key"), "utf8").trim();
  const headers = { Authorization: `Bearer ${key}` };
  const profile: any = await (await fetch(`http://127.0.0.1:${port}/v1/user/profile`, { headers })).json();
  const scopes = profile.data.scopes.join(",");
  const words = ["keys", "create", "--account", profile.data.user_id, "--mode", "live", "--scopes", scopes, "--json"];
  const main = join(checkout, "server/main.ts");
  const made = Bun.spawnSync([process.execPath, main, ...words], {
    env: { ...process.env, CONNECTOR_DATA_DIR: folder },
  });
  return JSON.parse(made.stdout.toString()).key;
}
