// What an operator command says when it fails: one line with a hint for every failure whose cause is known.
import { ConfigError } from "../config.ts";
import { StoreError } from "../store/db.ts";
import { EXIT, type Explained, UsageError } from "./command.ts";

const FOLDER_HINT = "Hint: correct its owner, or set another CONNECTOR_DATA_DIR.";
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

/** Null for a failure whose cause is not known: it deserves a stack trace. */
export function explainFailure(error: unknown): Explained | null {
  const { code = "", path, message = "" } = (error ?? {}) as { code?: string; path?: string; message?: string };
  const explained = (text: string): Explained => ({ message: text, code: EXIT.usage });
  if (/no space left on device/i.test(message)) return explained(SYSTEM_FAILURES.ENOSPC(path ?? "the data folder"));
  if (error instanceof ConfigError || error instanceof StoreError || error instanceof UsageError)
    return explained(message);
  const known = SYSTEM_FAILURES[code];
  return known ? explained(known(path ?? "a file of the data folder")) : null;
}
