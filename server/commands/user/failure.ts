// What a user's command says when the server refuses or cannot be reached: the fault, what to type instead, an exit code.
import {
  ApiError,
  AuthenticationError,
  ConnectionError,
  PermissionDeniedError,
  RateLimitError,
} from "../../../sdks/typescript/src/errors.ts";
import { flagsOf } from "../catalog.mjs";
import { EXIT, type Explained } from "../command.ts";

/** `command` tells which flags there are, so that a fault names what was typed. */
export function explainFailure(error: unknown, command: string): Explained | null {
  if (error instanceof ApiError) return { message: describe(error, command), code: codeOf(error) };
  if (error instanceof ConnectionError) {
    const reason = (error.cause as { code?: string } | undefined)?.code ?? error.message;
    const hint = "Hint: is it running, and is the address right? connector login --list";
    return { message: `The server does not answer (${reason}). ${hint}`, code: EXIT.unreachable };
  }
  const { code, path } = (error ?? {}) as { code?: string; path?: string };
  if (code && path) return { message: `${path} cannot be used: ${(error as Error).message}`, code: EXIT.usage };
  return null;
}

function codeOf(error: ApiError): number {
  if (error instanceof AuthenticationError || error instanceof PermissionDeniedError) return EXIT.key;
  return error instanceof RateLimitError ? EXIT.quota : EXIT.failed;
}

function describe(error: ApiError, command: string): string {
  const flags = flagsOf(command);
  const place = (pointer: string) => {
    const name = pointer.split("/").at(-1)!.replaceAll("_", "-");
    return flags.has(name) ? `--${name}` : pointer || "/";
  };
  const faults = error.errors.map(
    ({ pointer, detail, hint }) => `  ${place(pointer)}: ${detail}${hint ? ` Hint: ${hint}` : ""}`,
  );
  const hint = error.hint && faults.length === 0 ? [`Hint: ${error.hint}`] : [];
  const login = error instanceof AuthenticationError ? ["Hint: connector login keeps another key."] : [];
  const request = error.requestId ? [`Request: ${error.requestId}`] : [];
  return [`${error.code ?? error.status}: ${error.detail}`, ...faults, ...hint, ...login, ...request].join("\n");
}
