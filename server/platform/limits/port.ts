// What a limit is to those who ask it: in memory or in Redis, it answers the same.
import { MINUTE_MS } from "../../lib/time.ts";
import type { Verdict } from "./ring.ts";

export type { Verdict } from "./ring.ts";

export interface Limits {
  /** Counts one request of `subject` if it fits within `limit` per window. */
  admit(subject: string, limit: number): Verdict | Promise<Verdict>;
  /** Asks without counting. */
  peek(subject: string, limit: number): Verdict | Promise<Verdict>;
  /** True for the first of several processes that asks for this name within an hour; absent where there is one process. */
  isFirst?(name: string): boolean;
  /** Why requests cannot be counted right now, or null. */
  trouble(): Promise<string | null>;
  close(): Promise<void>;
}

export const WINDOW_MS = MINUTE_MS;
