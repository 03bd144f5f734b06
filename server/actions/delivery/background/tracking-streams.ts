// Open tracking pages: one query a second for all of them, and a message to each whose delivery changed.
import type { Clock } from "../../../lib/clock.ts";
import { createLoop, type Loop } from "../../../lib/loop.ts";
import { openSseStream, type SseStream } from "../../../lib/sse-stream.ts";
import { SECOND_MS } from "../../../lib/time.ts";
import type { DeliveryRow, DeliveryStore } from "../store/index.ts";

export interface TrackingStreams extends Pick<Loop, "settle" | "start" | "stop"> {
  /** Null when too many pages are open. */
  open(row: DeliveryRow, signal: AbortSignal, render: (row: DeliveryRow) => string): Response | null;
  /** Ends all streams of this process. */
  drain(): void;
}

interface Open {
  stream: SseStream;
  track: string;
  seen: string;
  status: string;
  render(row: DeliveryRow): string;
}

const LOOK_MS = SECOND_MS;
const MAX_OPEN = 2000;

export function createTrackingStreams(
  clock: Clock,
  store: DeliveryStore,
  onError: (error: unknown) => void,
): TrackingStreams {
  const open = new Set<Open>();
  const loop = createLoop({ clock, everyMs: LOOK_MS, run: look, onError });

  async function look(): Promise<void> {
    if (open.size === 0) return;
    const rows = await store.findByTracks([...new Set([...open].map((one) => one.track))]);
    const byTrack = new Map(rows.map((row) => [row.track, row]));
    for (const one of open) {
      const row = byTrack.get(one.track);
      const now = row && versionOf(row);
      if (!row || now === one.seen) continue;
      one.seen = now!;
      if (row.view.status !== one.status) one.stream.send({ event: "state", data: row.view.status });
      else one.stream.send({ event: "update", data: JSON.stringify(one.render(row)) });
      one.status = row.view.status;
    }
  }

  return {
    open(row, signal, render) {
      if (open.size >= MAX_OPEN) return null;
      const stream = openSseStream({ clock, signal, onClose: () => void open.delete(entry) });
      const entry: Open = { stream, track: row.track, seen: versionOf(row), status: row.view.status, render };
      open.add(entry);
      stream.send({ event: "ready", data: "{}", retryMs: 3 * SECOND_MS });
      return stream.response;
    },
    settle: loop.settle,
    start: loop.start,
    stop: loop.stop,
    drain() {
      for (const { stream } of open) stream.close();
    },
  };
}

const versionOf = ({ view }: DeliveryRow): string => JSON.stringify(view);
