// SQL of consent to mail: which addresses have agreed, and which were asked lately.
import { type Tx, toIso, toMs } from "../../../store/db.ts";
import { lockInTransaction } from "../../../store/locks.ts";

/** Whether the address has confirmed mail of this tenant. */
export async function hasConsent(tx: Tx, tenantId: number, address: string): Promise<boolean> {
  const rows = await tx`
    select 1 from alert_channels where type = 'email' and lower(target->>'to') = ${address.toLowerCase()}
      and tenant_id = ${tenantId} and status in ('active', 'failing') limit 1`;
  return rows.length > 0;
}

/** When this address was last asked for consent, by any tenant of the mode. Holds off others who would ask it now. */
export async function lockLastAsked(tx: Tx, mode: string, address: string): Promise<number | null> {
  await lockInTransaction(tx, "mailConsent", address.toLowerCase());
  const [row] = await tx`
    select max(coalesce(o.next_at, o.created_at)) as asked from alert_outbox o
      join alert_channels c on c.id = o.channel_id join tenants t on t.id = o.tenant_id
    where c.type = 'email' and lower(c.target->>'to') = ${address.toLowerCase()} and t.mode = ${mode}
      and jsonb_exists(o.message, 'verify')`;
  return toMs(row.asked ?? null);
}

/** How many addresses a tenant has asked for consent since then. */
export async function countAsked(tx: Tx, tenantId: number, sinceMs: number): Promise<number> {
  const [{ count }] = await tx`
    select count(*)::int as count from alert_outbox
    where tenant_id = ${tenantId} and created_at >= ${toIso(sinceMs)} and jsonb_exists(message, 'verify')`;
  return count;
}

/** Every channel of the tenant to this address that waits for consent; each becomes active. */
export async function confirmAddress(tx: Tx, tenantId: number, address: string): Promise<number[]> {
  const rows = await tx`
    update alert_channels set status = 'active', last_error = null
    where type = 'email' and tenant_id = ${tenantId} and lower(target->>'to') = ${address.toLowerCase()}
      and status = 'pending_verification' returning alert_number`;
  return rows.map((r: any) => r.alert_number);
}
