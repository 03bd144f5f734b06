// A load generator that costs little: raw sockets, one request in flight per connection, bounded in count and time.
// Run as its own process so that it competes with the server as a client would: bun load.ts '<json>'
import { connect } from "node:net";

export interface LoadOptions {
  port: number;
  connections: number;
  seconds: number;
  /** Request texts with {n} where a running number belongs; used in turn. */
  requests: string[];
  /** Where the running number starts, so that no two rounds send the same. */
  start: number;
}

export interface LoadResult {
  requests: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  lastN: number;
  /** Processor time that the generator itself took for a request. */
  generatorUs: number;
}

const headEnd = Buffer.from("\r\n\r\n");

async function drive(options: LoadOptions): Promise<LoadResult & { failures: number }> {
  const latencies: number[] = [];
  let failures = 0;
  let n = options.start;
  const startedMs = performance.now();
  const endMs = startedMs + options.seconds * 1000;
  await Promise.all(Array.from({ length: options.connections }, () => worker()));
  const elapsed = (performance.now() - startedMs) / 1000;
  latencies.sort((a, b) => a - b);
  const at = (q: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * q))] ?? 0;
  return {
    requests: latencies.length,
    failures,
    perSecond: latencies.length / elapsed,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    lastN: n,
    generatorUs: generatorUs(latencies.length),
  };

  function worker(): Promise<void> {
    return new Promise((done) => {
      const socket = connect(options.port, "127.0.0.1");
      let sentMs = 0;
      let pending = new Uint8Array(0) as Buffer;
      const send = () => {
        if (performance.now() >= endMs) {
          socket.destroy();
          return done();
        }
        const number = String(n++).padStart(12, "0");
        sentMs = performance.now();
        socket.write(options.requests[n % options.requests.length].replaceAll("{n}", number));
      };
      socket.setNoDelay(true);
      socket.on("connect", send);
      socket.on("error", () => done());
      socket.on("close", () => done());
      socket.on("data", (chunk) => {
        pending = Buffer.concat([pending, chunk as Buffer]);
        const end = pending.indexOf(headEnd);
        if (end < 0) return;
        const head = pending.toString("latin1", 0, end);
        const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
        if (pending.length < end + 4 + length) return;
        latencies.push(performance.now() - sentMs);
        if (!head.startsWith("HTTP/1.1 20")) failures++;
        pending = Buffer.alloc(0);
        send();
      });
    });
  }
}

function generatorUs(requests: number): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / Math.max(1, requests);
}

if (import.meta.main) console.log(JSON.stringify(await drive(JSON.parse(await Bun.stdin.text()))));

/** Runs the generator in a process of its own. A run with refusals is no figure: they are quicker than answers. */
export async function load(options: LoadOptions): Promise<LoadResult> {
  const child = Bun.spawn([process.execPath, import.meta.path], {
    stdin: new Blob([JSON.stringify(options)]),
    stdout: "pipe",
    stderr: "inherit",
  });
  const { failures, ...result } = JSON.parse(await new Response(child.stdout).text());
  if (failures > 0)
    throw new Error(`${failures} of ${result.requests} requests failed; enough accounts for the quota?`);
  return result;
}
