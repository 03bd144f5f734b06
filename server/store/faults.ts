// What an error of the store means: a bad row, a conflict worth one more try, or a store that is away. Pure.
import { DeadlineError } from "../lib/deadline.ts";

/** PostgreSQL's five-character error code, or null when the error is not PostgreSQL's. */
export function sqlStateOf(error: unknown): string | null {
  const errno = (error as { errno?: unknown } | null)?.errno;
  return typeof errno === "string" && /^[0-9A-Z]{5}$/.test(errno) ? errno : null;
}

/** The row itself is at fault (a value out of range, a violated constraint): other rows of a group may pass without it. */
export function isRowError(error: unknown): boolean {
  return /^2[23]/.test(sqlStateOf(error) ?? "");
}

/** Two transactions were in each other's way: the same one may pass when it is run again. */
export function isConflict(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state === "40P01" || state === "40001";
}

/** The disk of the store is full. */
export const isDiskFull = (error: unknown): boolean => sqlStateOf(error) === "53100";

/** The store cannot be reached, is starting or stopping, lacks a resource, or took too long: the same request may pass later. */
export function isStoreAway(error: unknown): boolean {
  if (error instanceof DeadlineError) return true;
  const { code } = (error ?? {}) as { code?: unknown };
  if (typeof code === "string" && (code.startsWith("ERR_POSTGRES_CONNECTION") || /^E(CONN|TIMEDOUT|PIPE)/.test(code)))
    return true;
  return /^(08|53|57P0[1-5]|57014|40001|40P01|25P0[3-4])/.test(sqlStateOf(error) ?? "");
}
