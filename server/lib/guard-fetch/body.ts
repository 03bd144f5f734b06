// What becomes of the pieces of a body: the beginning is kept, or the whole is decoded within its limits.
import type { Connection } from "./connect.ts";
import { type BodyLimits, readBody } from "./decode.ts";

export interface Body {
  piece(bytes: Uint8Array): void;
  end(): void;
  fail(error: unknown): void;
}

const SKIM_BYTES = 65_536;
const KEPT_BYTES = 2_048;
const NOTHING = new Uint8Array(0);

/** Reads a short body to its end, so that the connection can be used again; is done early with a long one. */
export function skim(done: (body: Uint8Array) => void): Body {
  let kept: Uint8Array = NOTHING;
  let bytes = 0;
  return {
    piece(piece) {
      if (kept.length < KEPT_BYTES) kept = Buffer.concat([kept, piece.subarray(0, KEPT_BYTES - kept.length)]);
      bytes += piece.length;
      if (bytes > SKIM_BYTES) done(kept);
    },
    end: () => done(kept),
    fail: () => {},
  };
}

/** Undoes the encoding as the pieces come and stops reading while the decoder is behind. */
export function readWhole(
  connection: Connection,
  encoding: string | null,
  limits: BodyLimits,
  done: (body: Uint8Array) => void,
  fail: (error: unknown) => void,
): Body {
  const waiting: Uint8Array[] = [];
  let ended = false;
  let failure: { error: unknown } | null = null;
  let wake = () => {};

  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (;;) {
      while (waiting.length > 0) yield waiting.shift()!;
      if (ended) return;
      if (failure) throw failure.error;
      const next = new Promise<void>((go) => (wake = go));
      connection.resume();
      await next;
    }
  }

  readBody(pieces(), encoding, limits).then(done, fail);
  return {
    piece(bytes) {
      waiting.push(bytes);
      connection.pause();
      wake();
    },
    end() {
      ended = true;
      wake();
    },
    fail(error) {
      failure ??= { error };
      wake();
    },
  };
}
