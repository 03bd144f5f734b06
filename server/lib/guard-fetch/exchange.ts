// One request and its answer over one checked connection, within limits of time and size.
// Follows nothing, retries nothing.
import type { Clock } from "../clock.ts";
import { type AnswerReader, createAnswerReader, type Head } from "./answer.ts";
import { type Body, readWhole, skim } from "./body.ts";
import type { Connection } from "./connect.ts";
import type { BodyLimits } from "./decode.ts";
import { GuardError } from "./errors.ts";
import { type TimeLimits, watchTime } from "./watch.ts";

export interface Limits extends BodyLimits, TimeLimits {
  headerBytes: number;
}

export interface Exchange {
  method: string;
  /** Head and body as they travel. */
  message: string | Uint8Array;
  limits: Limits;
  /** When the total time is over, on the monotonic clock. */
  endMs: number;
  /** Only the beginning of the body matters. */
  skipBody: boolean;
  /** Whether the connection may carry another request afterwards. */
  mayKeep: boolean;
  signal?: AbortSignal;
}

export interface Answer extends Head {
  body: Uint8Array;
}

/** A kept connection that the other side closed before it answered anything: a fresh one may be tried. */
export class StaleConnection extends GuardError {
  constructor(cause: unknown) {
    super("upstream_unreachable", "The other side closed the connection.", { cause });
  }
}

/** `giveBack` is called exactly once, before the promise settles. */
export function exchange(
  clock: Clock,
  connection: Connection,
  spec: Exchange,
  giveBack: (connection: Connection, mayKeep: boolean) => void,
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const { limits, signal } = spec;
  let head: Head | null = null;
  let body: Body | null = null;
  let settled = false;
  const reader = createAnswerReader(spec.method, limits.headerBytes, {
    head(next) {
      head = next;
      body = spec.skipBody
        ? skim(finish)
        : readWhole(connection, next.headers.get("content-encoding"), limits, finish, fail);
    },
    piece: (bytes) => body!.piece(bytes),
  });
  const watch = watchTime(clock, limits, spec.endMs, fail);
  const onAbort = () => fail(new GuardError("aborted", "The request was given up.", { cause: signal?.reason }));

  function settle(): boolean {
    if (settled) return false;
    settled = true;
    watch.stop();
    signal?.removeEventListener("abort", onAbort);
    connection.setUser(null);
    return true;
  }

  function fail(error: unknown): void {
    if (!settle()) return;
    giveBack(connection, false);
    body?.fail(error);
    reject(error);
  }

  /** The body is there, or as much of it as was wanted. */
  function finish(bytes: Uint8Array): void {
    if (!settle()) return;
    const answer = { status: head!.status, headers: head!.headers, body: bytes };
    if (!spec.mayKeep || !reader.mayKeepConnection() || !connection.isFlushed()) {
      giveBack(connection, false);
      return resolve(answer);
    }
    // What was sent behind the answer must be seen before the next request is: it would be taken for its answer.
    connection.resume();
    void nextPoll().then(() => {
      giveBack(connection, true);
      resolve(answer);
    });
  }

  function send(): void {
    watch.connected();
    connection.write(spec.message);
  }

  connection.setUser({
    ready: send,
    bytes(bytes) {
      watch.touch();
      try {
        reader.read(bytes);
        if (reader.isComplete()) body!.end();
      } catch (error) {
        fail(error);
      }
    },
    gone(error) {
      if (reader.isComplete()) return;
      if (error !== null || !reader.hasBegun()) return fail(translate(error, reader, connection.used));
      try {
        reader.closed();
        body!.end();
      } catch (cause) {
        fail(cause);
      }
    },
  });
  if (signal?.aborted) onAbort();
  else if (!connection.isOpen()) fail(translate(null, reader, connection.used));
  else {
    signal?.addEventListener("abort", onAbort, { once: true });
    if (connection.isReady()) send();
  }
  return promise;
}

let polled: Promise<void> | null = null;

/** Resolves when every socket has been asked for news once more: an immediate runs before the next poll, its successor after it. */
function nextPoll(): Promise<void> {
  polled ??= new Promise<void>((go) => {
    setImmediate(() =>
      setImmediate(() => {
        polled = null;
        go();
      }),
    );
  });
  return polled;
}

function translate(error: unknown, reader: AnswerReader, used: boolean): GuardError {
  if (error instanceof GuardError) return error;
  if (reader.hasBegun()) return new GuardError("upstream_protocol", "The answer broke off half-way.", { cause: error });
  const { code = "" } = (error ?? {}) as { code?: string };
  if (/CERT|TLS|SSL|SIGNED|ISSUER/i.test(code)) {
    return new GuardError("upstream_tls", "The certificate of the other side was not accepted.", { cause: error });
  }
  if (used) return new StaleConnection(error);
  return new GuardError("upstream_unreachable", "The other side could not be reached.", { cause: error });
}
