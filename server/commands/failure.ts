// What a command says when it fails: one line with a hint for every failure whose cause is known.
import { ConfigError } from "../config.ts";
import { StoreError } from "../store/db.ts";
import { UsageError } from "./command.ts";

const SYSTEM_FAILURES: Record<string, (path: string) => string> = {
  EADDRINUSE: () => "The port is in use. Hint: stop the other program, or set another CONNECTOR_PORT.",
  EADDRNOTAVAIL: () => "This machine does not have the address in CONNECTOR_HOST. Hint: use 127.0.0.1 or 0.0.0.0.",
  EACCES: (path) => `${path} cannot be written: permission denied. ${FOLDER_HINT}`,
  EPERM: (path) => `${path} cannot be written: not permitted. ${FOLDER_HINT}`,
  EROFS: (path) => `${path} cannot be written: the file system is read-only. ${FOLDER_HINT}`,
  ENOTDIR: (path) => `${path} cannot be made: a part of the path is a file. ${FOLDER_HINT}`,
  ENOSPC: (path) => `The disk is full: ${path} cannot be written. Hint: free some space, then start again.`,
  EDQUOT: (path) => `The disk quota is used up: ${path} cannot be written. Hint: free some space, then start again.`,
};
const FOLDER_HINT = "Hint: correct its owner, or set another CONNECTOR_DATA_DIR.";

/** The message of a failure whose cause is known; null for all others, which deserve a stack trace. */
export function explainFailure(error: unknown): string | null {
  const { code = "", path, message = "" } = (error ?? {}) as { code?: string; path?: string; message?: string };
  if (/no space left on device/i.test(message)) return SYSTEM_FAILURES.ENOSPC(path ?? "the data folder");
  if (error instanceof ConfigError || error instanceof StoreError || error instanceof UsageError) return message;
  return SYSTEM_FAILURES[code]?.(path ?? "a file of the data folder") ?? null;
}
