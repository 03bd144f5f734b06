// What a key may do to other keys: nothing beyond its own rights, and never past its own end or network. Pure.
import type { Scope } from "../../contract/define.ts";
import { Failure, invalid } from "../../contract/errors.ts";
import { containsNetwork } from "../../lib/network.ts";
import { toIso } from "../../store/db.ts";

/** The rights and guards of the key that asks. */
export interface Bounds {
  scopes: ReadonlySet<Scope>;
  /** Infinity when it never expires. */
  expiresMs: number;
  /** Empty when it may be used from everywhere. */
  ipAllowlist: string[];
}

/** Refuses to grant, change or end what has a scope that the asking key lacks. */
export function refuseMoreScopes(bounds: Bounds, wanted: readonly Scope[]): void {
  const missing = wanted.filter((scope) => !bounds.scopes.has(scope));
  if (missing.length === 0) return;
  const detail = `This key cannot grant or touch ${missing.join(", ")}, which it does not have.`;
  throw new Failure("insufficient_scope", detail, { hint: "Use a key that has every scope of the other one." });
}

/** The end of a key that the asking one makes or changes: at most its own. Absent means its own. */
export function boundExpiry(bounds: Bounds, wantedMs: number | null | undefined): number | null {
  if (wantedMs === undefined) return Number.isFinite(bounds.expiresMs) ? bounds.expiresMs : null;
  if ((wantedMs ?? Infinity) <= bounds.expiresMs) return wantedMs;
  const end = toIso(bounds.expiresMs);
  throw invalid(
    "/expires_at",
    `This key ends at ${end} and cannot make one that ends later.`,
    `Send "${end}" or earlier.`,
  );
}

/** The networks of a key that the asking one makes or changes: within its own. Absent means its own. */
export function boundAllowlist(bounds: Bounds, wanted: string[] | undefined): string[] {
  const own = bounds.ipAllowlist;
  if (own.length === 0) return wanted ?? [];
  if (wanted === undefined) return own;
  const outside = wanted.findIndex((network) => !own.some((wider) => containsNetwork(wider, network)));
  if (wanted.length > 0 && outside < 0) return wanted;
  const detail = "This key is bound to networks and cannot make one that may be used from elsewhere.";
  throw invalid(`/ip_allowlist/${Math.max(0, outside)}`, detail, `Send networks within ${own.join(", ")}.`);
}

/** Refuses to touch a key whose guards are wider than those of the asking one: it could be taken over through that. */
export function refuseWiderGuards(bounds: Bounds, row: { expiresMs: number | null; ipAllowlist: string[] }): void {
  const later = (row.expiresMs ?? Infinity) > bounds.expiresMs;
  const { ipAllowlist: own } = bounds;
  const inside = row.ipAllowlist.every((network) => own.some((wider) => containsNetwork(wider, network)));
  const elsewhere = own.length > 0 && (row.ipAllowlist.length === 0 || !inside);
  if (!later && !elsewhere) return;
  const detail = later ? "The other key ends later than this one." : "The other key may be used from more networks.";
  throw new Failure("insufficient_scope", detail, { hint: "Use a key that is bound no more than the other one." });
}
