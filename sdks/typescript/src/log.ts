// One line for each attempt: method, path, status, time, request id. Never a key, never a body.
import { environment } from "./platform.ts";

export type LogLevel = "off" | "error" | "info";
export type WriteLine = (line: string) => void;

export interface Log {
  level: LogLevel;
  write: WriteLine;
}

/** What the options say, else what ACTION_CONNECTOR_LOG says, else nothing. */
export function createLog(level: LogLevel | undefined, write: WriteLine | undefined): Log {
  const wanted = level ?? environment("ACTION_CONNECTOR_LOG")?.toLowerCase();
  const known = wanted === "error" || wanted === "info" ? wanted : wanted === "debug" ? "info" : "off";
  return { level: level === undefined && write ? "info" : known, write: write ?? ((line) => console.error(line)) };
}

export function logAttempt(log: Log, what: string, status: number | null, ms: number, more: string[]): void {
  const failed = status === null || status >= 400;
  if (log.level === "off" || (log.level === "error" && !failed)) return;
  const parts = ["action-connector:", what, status === null ? "" : String(status), `${Math.round(ms)} ms`, ...more];
  log.write(parts.filter(Boolean).join(" "));
}
