// The real service for tests: `connector start` on a free port with a folder of its own, as a user would start it.
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

export interface RunningService {
  url: string;
  /** A test key with every scope. */
  key: string;
  stop(): Promise<void>;
}

const root = resolve(import.meta.dir, "../..");

export async function startConnector(environment: Record<string, string> = {}): Promise<RunningService> {
  const folder = mkdtempSync(join(tmpdir(), "connector-sdks-"));
  // As root the embedded PostgreSQL runs as another user, who must be able to enter.
  chmodSync(folder, 0o755);
  const child = Bun.spawn([process.execPath, "run", "--no-install", join(root, "server", "main.ts"), "start"], {
    cwd: root,
    env: { ...process.env, CONNECTOR_PORT: "0", CONNECTOR_DATA_DIR: folder, ...environment },
    stdout: "pipe",
    stderr: "pipe",
  });
  // Whatever ends this process ends the service too.
  process.on("exit", () => child.kill("SIGTERM"));
  const errors = new Response(child.stderr).text();
  const url = await readyLine(child.stdout);
  const stop = async () => {
    child.kill("SIGTERM");
    await child.exited;
    rmSync(folder, { recursive: true, force: true });
  };
  if (!url) {
    await stop();
    throw new Error(`The service did not start:\n${await errors}`);
  }
  return { url, key: readFileSync(join(folder, "first-key"), "utf8").trim(), stop };
}

/** The address in the line `ready http://…`; null when the output ends without one. What follows is drained. */
async function readyLine(output: ReadableStream<Uint8Array>): Promise<string | null> {
  const reader = output.getReader();
  const decoder = new TextDecoder();
  for (let text = ""; ; ) {
    const { done, value } = await reader.read();
    if (done) return null;
    text += decoder.decode(value, { stream: true });
    const match = /^ready (http\S+)$/m.exec(text);
    if (!match) continue;
    void (async () => {
      while (!(await reader.read()).done);
    })();
    return match[1];
  }
}
