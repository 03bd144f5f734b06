// The priority of a thread that works on foreign bytes: lower than that of the thread that answers requests.
import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";

const NICENESS = 10;

/** Lowers the calling thread. Linux alone gives each thread a priority of its own; elsewhere nothing changes. */
export function lowerPriority(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(Number(readlinkSync("/proc/thread-self").split("/").at(-1)), NICENESS);
  } catch {
    // A sandbox without /proc: the work is done all the same.
  }
}
