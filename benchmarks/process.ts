// Starts what is measured as processes of their own and reads how much memory they take.
import { readFileSync } from "node:fs";

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
