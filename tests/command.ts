// `connector …` as a child process: its output so far, its end, and a terminal for it where a test wants one.
import { resolve } from "node:path";

const MAIN = resolve(import.meta.dir, "../server/main.ts");

export interface Ran {
  code: number;
  out: string;
  err: string;
}

export interface RunningCommand {
  pid: number;
  /** Standard output so far. */
  out(): string;
  err(): string;
  /** Resolves when standard output and standard error together match. */
  until(pattern: RegExp): Promise<void>;
  /** Ctrl+C. */
  interrupt(): void;
  ended: Promise<Ran>;
}

export function startCommand(words: string[], env: Record<string, string | undefined>, input = ""): RunningCommand {
  const child = Bun.spawn([process.execPath, MAIN, ...words], {
    env,
    stdin: Buffer.from(input),
    stdout: "pipe",
    stderr: "pipe",
  });
  const texts = { out: "", err: "" };
  let heard = Promise.withResolvers<void>();
  const read = async (stream: ReadableStream<Uint8Array>, name: "out" | "err") => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      texts[name] += decoder.decode(chunk, { stream: true });
      heard.resolve();
    }
  };
  const ended = Promise.all([read(child.stdout, "out"), read(child.stderr, "err"), child.exited]).then(
    ([, , code]): Ran => ({ code, ...texts }),
  );
  return {
    pid: child.pid,
    out: () => texts.out,
    err: () => texts.err,
    async until(pattern) {
      const over = ended.then(() => true);
      while (!pattern.test(texts.out + texts.err)) {
        heard = Promise.withResolvers();
        if (pattern.test(texts.out + texts.err)) return;
        if (await Promise.race([heard.promise.then(() => false), over]))
          if (!pattern.test(texts.out + texts.err))
            throw new Error(`ended without ${pattern}: ${texts.out}${texts.err}`);
      }
    },
    interrupt: () => child.kill("SIGINT"),
    ended,
  };
}

/** What a person sees who runs it on a terminal. */
export async function runOnTerminal(words: string[], env: Record<string, string | undefined>): Promise<string> {
  let seen = "";
  const data = (_terminal: unknown, chunk: Uint8Array) => {
    seen += new TextDecoder().decode(chunk);
  };
  const child = Bun.spawn([process.execPath, MAIN, ...words], { env, terminal: { cols: 160, rows: 50, data } });
  await child.exited;
  return seen;
}
