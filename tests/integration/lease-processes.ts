// For tests of leases: processes of the service as far as they store deliveries, on one store, with tenants of their own plan.
import pino from "pino";
import { createDeliveryStore } from "../../server/actions/delivery/store/deliveries.ts";
import type { Call, JsonText } from "../../server/contract/define.ts";
import type { ManualClock } from "../../server/lib/clock.ts";
import type { Db } from "../../server/store/db.ts";
import { capFailure } from "../../server/platform/caps/failure.ts";
import { createLeases, type Leases } from "../../server/platform/caps/leases.ts";
import { readStored, type Stored } from "../../server/platform/caps/store/stored.ts";

const AT = "2026-11-01T12:00:00Z";
const MANY = 1_000_000_000;
const KINDS = ["deliveries", "events", "idempotency_records"] as const;

let made = 0;

/** A tenant on a plan of its own; every kind holds much but deliveries, which hold `rows`. */
export async function openTenant(db: Db, rows: number, bytes = MANY): Promise<{ id: number; plan: string }> {
  const plan = `plan_${++made}`;
  await db.sql`insert into plan_caps select ${plan}, kind, ${MANY}, ${MANY} from unnest(${[...KINDS]}::text[]) as kind`;
  await setCap(db, plan, rows, bytes);
  await db.sql`insert into accounts (id, name, email, plan, created_at) values (${plan}, 'Ada', 'ada@example.com', ${plan}, now())`;
  const [{ id }] = await db.sql`insert into tenants (account_id, mode) values (${plan}, 'test') returning id`;
  return { id, plan };
}

export async function setCap(db: Db, plan: string, rows: number, bytes = MANY): Promise<void> {
  await db.sql`update plan_caps set max_rows = ${rows}, max_bytes = ${bytes} where plan = ${plan} and kind = 'deliveries'`;
}

/** Stores deliveries in one statement that leaves the counting to the triggers. */
export async function fill(db: Db, tenantId: number, count: number): Promise<void> {
  const from = made;
  made += count;
  await db.sql`
    insert into deliveries (id, tenant_id, status, view, machine, details, pickup_at, track, created_at)
    select 'fill_' || n, ${tenantId}, 'scheduled', '{}', '{}', '{}', ${AT}::timestamptz, 'fill_' || n, ${AT}::timestamptz
    from generate_series(${from + 1}::int, ${from + count}::int) as n`;
}

export type Outcome = "stored" | "refused" | "taken";

export interface Process {
  leases: Leases;
  /** Refused at the cap, or taken: another delivery has this external id. */
  order(tenantId: number, externalId?: string | null, digest?: string): Promise<Outcome>;
  /** Orders until the process has leases of the tenant, or may have none. */
  warm(tenantId: number): Promise<void>;
}

export function openProcess(db: Db, clock: ManualClock, leases = newLeases(db, clock)): Process {
  const store = createDeliveryStore(db, (prefix) => `${prefix}_${++made}`, leases);
  async function order(tenantId: number, externalId: string | null = null, digest?: string): Promise<Outcome> {
    const id = `dlv_${++made}`;
    const view = {
      id,
      external_id: externalId,
      tags: [],
      created_at: AT,
      pickup: { scheduled_time: AT },
      note: "é".repeat(made % 50),
    };
    const row = { id, tenantId, view, machine: {}, details: {}, wakeMs: null, track: id } as never;
    const render = (data: JsonText) => ({ status: 201, body: `{"data":${data.text}}` });
    const idempotency = { digest: digest ?? `key_${id}`, tenantId, fingerprint: "f", render };
    try {
      await store.insert({ now: clock.now(), idempotency } as unknown as Call, row);
      return "stored";
    } catch (error) {
      if (capFailure(error)) return "refused";
      if ((error as { code?: string }).code === "conflict") return "taken";
      throw error;
    }
  }
  return {
    leases,
    order,
    async warm(tenantId) {
      await order(tenantId);
      await order(tenantId);
      await leases.settle();
    },
  };
}

function newLeases(db: Db, clock: ManualClock): Leases {
  const leases = createLeases({ db, clock, log: pino({ level: "silent" }) });
  leases.start();
  return leases;
}

/** What is stored, counted in the tables themselves. */
export async function countAll(db: Db, tenantId: number): Promise<Map<string, Stored>> {
  const rows = await db.sql`
    select 'deliveries' as kind, count(*)::int as rows, coalesce(sum(octet_length(view::text) + 700), 0)::int as bytes
    from deliveries where tenant_id = ${tenantId}
    union all select 'events', count(*)::int, coalesce(sum(octet_length(data::text) + 200), 0)::int
    from events where tenant_id = ${tenantId}
    union all select 'idempotency_records', count(*)::int, coalesce(sum(octet_length(body) + 150), 0)::int
    from idempotency where tenant_id = ${tenantId}`;
  return new Map(rows.map((row: any) => [row.kind, { rows: row.rows, bytes: row.bytes }]));
}

/** What the account's profile shows, without kinds of which there is nothing. */
export async function shown(db: Db, tenantId: number): Promise<Map<string, Stored>> {
  return (await readStored(db, [tenantId])).get(tenantId)!;
}

export async function countDeliveries(db: Db, tenantId: number): Promise<number> {
  return (await countAll(db, tenantId)).get("deliveries")!.rows;
}

/** Rows of deliveries that live holders have in advance. */
export async function leased(db: Db, tenantId: number): Promise<number> {
  const [{ rows }] = await db.sql`
    select coalesce(sum(free_rows), 0)::int as rows from stored_changes
    where tenant_id = ${tenantId} and kind = 'deliveries' and session < 0`;
  return rows;
}
