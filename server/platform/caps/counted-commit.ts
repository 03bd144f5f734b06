// Group commit of rows that count against caps: by the leases of this process where they suffice, else by the triggers of the
// store.
import { createGroupCommit, type Write } from "../../store/group-commit.ts";
import { isConflict, isRowError } from "../../store/faults.ts";
import { capFailure } from "./failure.ts";
import type { Cost } from "./lease-book.ts";
import { type Counted, isLeaseLost } from "./store/leases.ts";
import type { Holder } from "./holder.ts";
import type { Leases } from "./leases.ts";

export interface CountedCommit<Row> {
  leases: Leases;
  tenantOf(row: Row): number;
  /** What the row stores, of every kind, in the bytes that the triggers would count. */
  costsOf(row: Row): Cost[];
  /** Writes all rows or none; with `counted` by a statement that counts itself. */
  flush(rows: Row[], counted: Counted | null): Promise<void>;
}

interface Counting<Row> {
  row: Row;
  tenantId: number;
  costs: Cost[];
}

export function createCountedCommit<Row>({ leases, tenantOf, costsOf, flush }: CountedCommit<Row>): Write<Row> {
  const writeUncounted = createGroupCommit<Row>((rows) => flush(rows, null));
  let holder: Holder | null = null;
  let write: Write<Counting<Row>>;

  /** Every holder has groups of its own. */
  function writeAs(own: Holder): Write<Counting<Row>> {
    if (own !== holder) {
      holder = own;
      write = createGroupCommit((group) =>
        flush(
          group.map(({ row }) => row),
          countedOf(own.number, group),
        ),
      );
    }
    return write;
  }

  async function writeOrRelease(row: Row, tenantId: number): Promise<void> {
    try {
      await writeUncounted(row);
    } catch (error) {
      if (capFailure(error)) leases.release(tenantId);
      throw error;
    }
  }

  return async (row) => {
    const [tenantId, costs] = [tenantOf(row), costsOf(row)];
    const own = leases.take(tenantId, costs);
    if (own === null) return writeOrRelease(row, tenantId);
    try {
      await writeAs(own)({ row, tenantId, costs });
    } catch (error) {
      const [atFault, inTheWay, lost] = [isRowError(error), isConflict(error), isLeaseLost(error)];
      if (atFault || inTheWay) own.book.refund(tenantId, costs);
      else leases.forget(own);
      if (!inTheWay && !lost) throw error;
      await writeOrRelease(row, tenantId);
    }
  };
}

function countedOf(holder: number, group: Counting<unknown>[]): Counted {
  const entries: Counted["entries"] = new Map();
  for (const { tenantId, costs } of group) {
    for (const { kind, bytes } of costs) {
      let entry = entries.get(kind);
      if (!entry) entries.set(kind, (entry = { tenantIds: [], bytes: [] }));
      entry.tenantIds.push(tenantId);
      entry.bytes.push(bytes);
    }
  }
  return { holder, entries };
}
