// What this process may still store of each kind for each tenant, counted in memory. Pure.
import type { CapKind } from "../plans/caps.ts";

/** One row to store. */
export interface Cost {
  kind: CapKind;
  bytes: number;
}

export interface Lease {
  tenantId: number;
  kind: CapKind;
  rows: number;
  bytes: number;
}

interface Entry {
  lease: Lease;
  /** Below these it is time to ask for more. */
  lowRows: number;
  lowBytes: number;
  used: boolean;
}

export type LeaseBook = ReturnType<typeof createLeaseBook>;

export function createLeaseBook() {
  const byKind = new Map<CapKind, Map<number, Entry>>();
  const find = (tenantId: number, kind: CapKind) => byKind.get(kind)?.get(tenantId);

  function remove({ tenantId, kind }: Lease): void {
    byKind.get(kind)!.delete(tenantId);
  }

  return {
    add(lease: Lease): void {
      const { tenantId, kind, rows, bytes } = lease;
      let entries = byKind.get(kind);
      if (!entries) byKind.set(kind, (entries = new Map()));
      const entry = entries.get(tenantId);
      if (!entry) {
        const [lowRows, lowBytes] = [rows / 2, bytes / 2];
        return void entries.set(tenantId, { lease: { ...lease }, lowRows, lowBytes, used: true });
      }
      entry.lease.rows += rows;
      entry.lease.bytes += bytes;
      entry.lowRows = entry.lease.rows / 2;
      entry.lowBytes = entry.lease.bytes / 2;
      entry.used = true;
    },
    /** Takes all of it or nothing; "low" when it was taken and more should be asked for. */
    take(tenantId: number, costs: Cost[]): "enough" | "low" | "none" {
      let low = false;
      for (const { kind, bytes } of costs) {
        const entry = find(tenantId, kind);
        if (!entry || entry.lease.rows < 1 || entry.lease.bytes < bytes) return "none";
        low ||= entry.lease.rows <= entry.lowRows || entry.lease.bytes <= entry.lowBytes;
      }
      for (const { kind, bytes } of costs) {
        const entry = find(tenantId, kind)!;
        entry.lease.rows -= 1;
        entry.lease.bytes -= bytes;
        entry.used = true;
      }
      return low ? "low" : "enough";
    },
    /** What was taken and not stored. */
    refund(tenantId: number, costs: Cost[]): void {
      for (const { kind, bytes } of costs) {
        const entry = find(tenantId, kind);
        if (!entry) {
          this.add({ tenantId, kind, rows: 1, bytes });
          continue;
        }
        entry.lease.rows += 1;
        entry.lease.bytes += bytes;
      }
    },
    needsMore(tenantId: number, kind: CapKind): boolean {
      const entry = find(tenantId, kind);
      return !entry || entry.lease.rows <= entry.lowRows || entry.lease.bytes <= entry.lowBytes;
    },
    /** Removes and returns what was not used since the last call. */
    removeUnused(): Lease[] {
      const all = [...byKind.values()].flatMap((entries) => [...entries.values()]);
      const unused = all.filter((entry) => !entry.used).map(({ lease }) => lease);
      for (const entry of all) entry.used = false;
      unused.forEach(remove);
      return unused;
    },
    /** Removes and returns all of a tenant. */
    removeTenant(tenantId: number): Lease[] {
      const leases = [...byKind.keys()].flatMap((kind) => find(tenantId, kind)?.lease ?? []);
      leases.forEach(remove);
      return leases;
    },
  };
}
