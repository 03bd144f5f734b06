// One open event stream as a Response: beats, bounded buffer, clean end. Knows nothing of what is sent.
import type { Clock } from "./clock.ts";
import { encodeComment, encodeEvent } from "./sse.ts";
import type { SseEvent } from "./sse.ts";

export interface SseStreamOptions {
  clock: Clock;
  /** The request's signal: the stream ends when the reader goes away. */
  signal?: AbortSignal;
  /** Is handed `close` and calls it when the reader may no longer listen; returns how to stop watching. */
  until?(close: () => void): () => void;
  beatMs?: number;
  /** A reader that lets more than this pile up is dropped; it can resume by its last id. */
  maxQueuedBytes?: number;
  /** Called once, however the stream ends. */
  onClose?(): void;
}

export interface SseStream {
  response: Response;
  /** False when the reader is gone or was dropped for being slow. */
  send(event: SseEvent): boolean;
  /** The same with bytes encoded once for many readers. */
  sendBytes(bytes: Uint8Array): boolean;
  /** Resolves when what was sent has been taken, or the stream has ended: for sending much at once. */
  drained(): Promise<void>;
  close(): void;
}

const BEAT_MS = 15_000;
const MAX_QUEUED_BYTES = 1 << 20;
const encoder = new TextEncoder();
const beat = encoder.encode(encodeComment());

export const encodeFrame = (event: SseEvent): Uint8Array => encoder.encode(encodeEvent(event));

export function openSseStream(options: SseStreamOptions): SseStream {
  const { clock, signal } = options;
  const most = options.maxQueuedBytes ?? MAX_QUEUED_BYTES;
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  const body = new ReadableStream<Uint8Array>(
    {
      start: (given) => void (controller = given),
      pull: () => wake(),
      cancel: () => end(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
  );

  const waiting: Array<() => void> = [];
  const wake = () => {
    for (const go of waiting.splice(0)) go();
  };

  function end(): void {
    if (!controller) return;
    controller = null;
    wake();
    stopBeats();
    stopWatching();
    signal?.removeEventListener("abort", close);
    options.onClose?.();
  }

  function close(): void {
    const open = controller;
    end();
    try {
      open?.close();
    } catch {
      // Already closed from the other side.
    }
  }

  function sendBytes(bytes: Uint8Array): boolean {
    if (!controller) return false;
    if (-(controller.desiredSize ?? 0) + bytes.length > most) {
      close();
      return false;
    }
    controller.enqueue(bytes);
    return true;
  }

  function drained(): Promise<void> {
    if (!controller || (controller.desiredSize ?? 0) >= 0) return Promise.resolve();
    return new Promise((go) => waiting.push(go));
  }

  const stopBeats = clock.every(options.beatMs ?? BEAT_MS, () => sendBytes(beat));
  const stopWatching = options.until?.(close) ?? (() => {});
  signal?.addEventListener("abort", close, { once: true });
  // Later, so that the opener holds the stream before it learns of its end.
  if (signal?.aborted) queueMicrotask(close);
  const headers = {
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-store",
    // Tells nginx and its kin not to hold the stream back.
    "X-Accel-Buffering": "no",
  };
  const send = (event: SseEvent) => sendBytes(encodeFrame(event));
  return { response: new Response(body, { headers }), send, sendBytes, drained, close };
}
