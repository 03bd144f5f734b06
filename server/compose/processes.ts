// Several processes of one machine behind one port. The first owns the store and does the background work; the others only
// answer requests, are replaced when they end by themselves, and end when the first one does.
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import { mergeMetrics } from "../http/metrics.ts";
import { type Clock, systemClock, systemUptimeOffsetMs } from "../lib/clock.ts";
import { SECOND_MS } from "../lib/time.ts";
import { makeSharedFile, type SharedLimits } from "../platform/limits/index.ts";
import { listenForOthers } from "./forward.ts";

/** The word behind `connector start` that makes a process one of a group. */
export const MEMBER_WORD = "group-member";

const MIN_REST_MS = 200;
const MAX_REST_MS = 10 * SECOND_MS;
const SCRAPE_MS = SECOND_MS;
/** Beyond what an orderly stop takes. */
const GRACE_MS = 5 * SECOND_MS;

export interface MemberStart {
  config: Config;
  limitsFile: string;
  storeFolder: string | null;
  firstSocket: string;
}

export type ToMember =
  | { type: "start"; start: MemberStart }
  | { type: "scrape"; id: number }
  | { type: "scraped_all"; id: number; text: string }
  | { type: "stop"; drain: boolean };
export type FromMember =
  | { type: "hello" }
  | { type: "ready" }
  | { type: "scraped"; id: number; text: string }
  | { type: "scrape_all"; id: number };

export type Scraped = { contentType: string; text: string };
type Child = ReturnType<typeof Bun.spawn>;

/** How many processes serve the port. */
export function processCount({ PROCESSES }: Pick<Config, "PROCESSES">): number {
  if (process.platform !== "linux") return 1;
  return PROCESSES > 0 ? PROCESSES : Math.max(1, availableParallelism() - 1);
}

export interface GroupOptions {
  count: number;
  log: Logger;
  clock?: Clock;
  shutdownMs: number;
  /** The metrics of this very process. */
  scrapeOwn(): Promise<Scraped>;
  /** Answers what the others hand on. */
  serve(request: Request, address: string): Promise<Response>;
}

export function createGroup() {
  const folder = mkdtempSync(join(tmpdir(), "connector-group-"));
  const limitsFile = join(folder, "limits");
  makeSharedFile(limitsFile);
  const limits: SharedLimits = { file: limitsFile, offsetMs: systemUptimeOffsetMs() };
  const socket = join(folder, "first.sock");
  let members: ReturnType<typeof startMembers> | null = null;
  let listening: ReturnType<typeof listenForOthers> | null = null;
  return {
    limits,
    scrapeAll: (): Promise<Scraped> => {
      if (!members) throw new Error("the processes are not started yet");
      return members.scrapeAll();
    },
    /** Resolves when every process answers, or has failed for the first time. */
    async start(options: GroupOptions, start: Omit<MemberStart, "limitsFile" | "firstSocket">): Promise<void> {
      listening = listenForOthers(socket, options.serve);
      members = startMembers(options, { ...start, limitsFile, firstSocket: socket });
      await members.ready;
    },
    /** Resolves when all others are gone. */
    async stop(drain: boolean): Promise<void> {
      await members?.stop(drain);
      await listening?.stop(true);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export type Group = ReturnType<typeof createGroup>;

function startMembers({ count, log, clock = systemClock, shutdownMs, scrapeOwn }: GroupOptions, start: MemberStart) {
  const children = new Map<number, Child>();
  const scrapes = new Map<number, (text: string) => void>();
  const firsts: Promise<void>[] = [];
  let scrapeId = 0;
  let stopping = false;

  /** Starts the process of this number, and again whenever it ends by itself. */
  function keep(number: number, restMs: number): void {
    const first = Promise.withResolvers<void>();
    firsts.push(first.promise);
    let nextRestMs = Math.min(restMs * 2, MAX_REST_MS);
    const child = Bun.spawn(memberCommand(), {
      stdio: ["ignore", "inherit", "inherit"],
      ipc(message: FromMember) {
        if (message.type === "hello") child.send({ type: "start", start } satisfies ToMember);
        else if (message.type === "ready") {
          nextRestMs = MIN_REST_MS;
          first.resolve();
        } else if (message.type === "scraped") scrapes.get(message.id)?.(message.text);
        else void scrapeAll().then(({ text }) => send(child, { type: "scraped_all", id: message.id, text }));
      },
    });
    children.set(number, child);
    void child.exited.then((code) => {
      children.delete(number);
      first.resolve();
      if (stopping) return;
      log.error({ process: number, code, signal: child.signalCode }, "a process ended by itself; it is replaced");
      clock.after(restMs, () => !stopping && keep(number, nextRestMs));
    });
  }

  /** What one process has to say; nothing when it does not answer in time. */
  function scrapeOf(child: Child): Promise<string> {
    const id = ++scrapeId;
    return new Promise<string>((done) => {
      scrapes.set(id, done);
      clock.after(SCRAPE_MS, () => done(""));
      send(child, { type: "scrape", id });
    }).finally(() => scrapes.delete(id));
  }

  async function scrapeAll(): Promise<Scraped> {
    const numbers = [...children.keys()];
    const [own, ...others] = await Promise.all([
      scrapeOwn(),
      ...numbers.map((number) => scrapeOf(children.get(number)!)),
    ]);
    const texts = new Map([[0, own.text], ...numbers.map((number, i) => [number, others[i]] as const)]);
    return { contentType: own.contentType, text: mergeMetrics(texts) };
  }

  for (let number = 1; number < count; number++) keep(number, MIN_REST_MS);
  return {
    ready: Promise.all(firsts).then(() => {}),
    scrapeAll,
    async stop(drain: boolean): Promise<void> {
      stopping = true;
      const all = [...children.values()];
      for (const child of all) send(child, { type: "stop", drain });
      const cancel = clock.after(shutdownMs + GRACE_MS, () => {
        for (const child of all) child.kill("SIGKILL");
      });
      await Promise.all(all.map((child) => child.exited));
      cancel();
    },
  };
}

function send(child: Child, message: ToMember): void {
  try {
    child.send(message);
  } catch {
    // It is gone; its end is noticed where it is waited for.
  }
}

/** The program that runs now, whether as sources or as one executable. */
function memberCommand(): string[] {
  const words = ["start", MEMBER_WORD];
  const isExecutable = Bun.main.startsWith("/$bunfs/");
  return isExecutable
    ? [process.execPath, ...words]
    : [process.execPath, "--max-http-header-size=65536", Bun.main, ...words];
}
