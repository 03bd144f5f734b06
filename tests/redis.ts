// A real Redis for tests, on a free port, in memory; null and a loud word where it is not installed.
import { createServer } from "node:net";

export interface TestRedis {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

/** On a port of its own, or on the port of one that was stopped. */
export async function startRedis(wanted?: number): Promise<TestRedis | null> {
  const program = Bun.which("redis-server") ?? Bun.which("valkey-server");
  if (!program) {
    console.warn("SKIPPED: neither redis-server nor valkey-server is installed.");
    return null;
  }
  const port = wanted ?? (await freePort());
  const args = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
  const child = Bun.spawn([program, ...args], { stdout: "pipe", stderr: "ignore" });
  const reader = child.stdout.getReader();
  for (let text = ""; !text.includes("Ready to accept connections"); ) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`redis-server ended: ${text}`);
    text += new TextDecoder().decode(value);
  }
  reader.releaseLock();
  return {
    url: `redis://127.0.0.1:${port}`,
    pid: child.pid,
    async stop() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => done(port));
    });
  });
}
