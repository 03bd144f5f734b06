// One change a symbol to many stream readers, in lockstep, beside a bare server that enqueues one prebuilt buffer.
import { join } from "node:path";
import { median, startProcess } from "../lib/process.ts";

const bun = process.execPath;
const here = import.meta.dir;
const SYMBOLS = 20;

interface Readers {
  /** Resolves when every reader has this many more frames. */
  expect(frames: number): Promise<{ done: Promise<void> }>;
  stop(): void;
}

async function openReaders(options: Record<string, unknown>): Promise<Readers> {
  const readers = join(here, "..", "events", "stream-readers.ts");
  const child = Bun.spawn([bun, readers, JSON.stringify({ begins: "data: {", ...options })], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const reader = child.stdout.getReader();
  let text = "";
  const line = async (word: string) => {
    while (!text.includes(word)) {
      const { value, done } = await reader.read();
      if (done) throw new Error("the readers ended");
      text += new TextDecoder().decode(value);
    }
    text = text.slice(text.indexOf(word) + word.length);
  };
  await line("ready 0");
  return {
    async expect(frames) {
      child.stdin.write(`${frames}\n`);
      child.stdin.flush();
      await line("counting");
      return { done: line("done") };
    },
    stop: () => child.kill(),
  };
}

export async function measureFanOut(options: {
  port: number;
  key: string;
  send(body: string): Promise<Response>;
  rounds: number;
  readers: number;
}) {
  const symbols = Array.from({ length: SYMBOLS }, (_, i) => `FAN${String.fromCharCode(65 + i)}`);
  let seq = 0;
  const ticks = () => {
    seq++;
    const at = new Date(Date.now()).toISOString();
    return JSON.stringify({
      currency: "USD",
      ticks: symbols.map((symbol) => ({ symbol, seq, at, price: `${100 + seq}.25`, size: 1 })),
    });
  };
  await options.send(ticks());
  const path = `/api/v1/stock/stream?symbols=${symbols.join(",")}`;
  const ours = await openReaders({ port: options.port, path, key: options.key, readers: options.readers });
  const bareServer = await startProcess([bun, join(here, "../events/bare-stream.ts")]);
  const bare = await openReaders({ port: bareServer.port, path: "/", key: "x", readers: options.readers });
  const frame = `id: mwhb3b18.1\nevent: quote\ndata: {"symbol":"${"x".repeat(1500)}"}\n\n`;
  const rates: Record<string, number[]> = { ours: [], bare: [] };
  const run = async (name: "ours" | "bare", count: number) => {
    const started = performance.now();
    for (let i = 0; i < count; i++) {
      const { done } = await (name === "ours" ? ours : bare).expect(SYMBOLS);
      if (name === "ours") await options.send(ticks());
      else await fetch(`http://127.0.0.1:${bareServer.port}/?times=${SYMBOLS}`, { method: "POST", body: frame });
      await done;
    }
    return (count * SYMBOLS * options.readers * 1000) / (performance.now() - started);
  };
  for (let round = -1; round < options.rounds; round++) {
    for (const name of ["ours", "bare"] as const) {
      const rate = await run(name, 4);
      if (round >= 0) rates[name].push(rate);
    }
  }
  ours.stop();
  bare.stop();
  await bareServer.stop();
  return {
    readers: options.readers,
    frames_per_second: Math.round(median(rates.ours)),
    bare_frames_per_second: Math.round(median(rates.bare)),
    to_bare: median(rates.ours.map((r, i) => r / rates.bare[i])),
  };
}
