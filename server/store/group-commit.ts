// Group commit: rows that arrive while the store is busy go in one statement, so one fsync serves many requests.
// When a row is at fault, each row is tried alone: one bad row must not fail its neighbours. When the store is, all fail at once.
import { isRowError } from "./faults.ts";

export type Write<Row> = (row: Row) => Promise<void>;

interface Waiting<Row> {
  row: Row;
  done(): void;
  fail(error: unknown): void;
}

/** `flush` must write all rows or none. At most `lanes` groups are under way at a time. */
export function createGroupCommit<Row>(
  flush: (rows: Row[]) => Promise<void>,
  { lanes = 2, maxRows = 500 } = {},
): Write<Row> {
  let queue: Waiting<Row>[] = [];
  let running = 0;
  let scheduled = false;

  async function writeGroup(group: Waiting<Row>[]): Promise<void> {
    try {
      await flush(group.map((w) => w.row));
      for (const waiting of group) waiting.done();
    } catch (error) {
      if (group.length === 1 || !isRowError(error)) {
        for (const waiting of group) waiting.fail(error);
        return;
      }
      for (const waiting of group) await writeGroup([waiting]);
    }
  }

  function pump(): void {
    scheduled = false;
    while (running < lanes && queue.length > 0) {
      const group = queue.length > maxRows ? queue.splice(0, maxRows) : queue;
      if (group === queue) queue = [];
      running++;
      void writeGroup(group).finally(() => {
        running--;
        if (queue.length > 0) pump();
      });
    }
  }

  return (row) =>
    new Promise((done, fail) => {
      queue.push({ row, done, fail });
      if (scheduled || running >= lanes) return;
      scheduled = true;
      // Requests that were read from their sockets in this turn of the loop join the same group.
      setImmediate(pump);
    });
}
