// Advisory locks of PostgreSQL: every number that the service uses, so that no two purposes share one.
// Any number will do, as long as all replicas use the same.
import type { Tx } from "./db.ts";

/** Locks of one number. */
const LOCKS = {
  migrations: 7_161_207,
  auditChain: 7_161_212,
} as const;

/** Locks of two numbers: the purpose, and a hash of what is locked. */
const LOCK_SPACES = {
  jobWorker: 7_161_208,
  webhook: 7_161_209,
  /** Taken by a trigger of migration 0010, with 0 as the second number. */
  eventWriter: 7_161_210,
  deliveryDispatch: 4020,
  cap: 7_161_211,
  mailConsent: 7_161_213,
  /** Taken by functions of migration 0095, with the number of the holder. */
  capHolder: 7_161_214,
} as const;

export type LockName = keyof typeof LOCKS;
export type LockSpace = keyof typeof LOCK_SPACES;

/** Waits for the one lock of this name and holds it until the transaction ends. */
export async function lockOnce(tx: Tx, name: LockName): Promise<void> {
  await tx`select pg_advisory_xact_lock(${LOCKS[name]})`;
}

/** The same for as long as the session lives, or until `unlockSession`. */
export async function lockSession(sql: Tx, name: LockName): Promise<void> {
  await sql`select pg_advisory_lock(${LOCKS[name]})`;
}

export async function unlockSession(sql: Tx, name: LockName): Promise<void> {
  await sql`select pg_advisory_unlock(${LOCKS[name]})`;
}

/** Waits for the lock of one thing and holds it until the transaction ends. */
export async function lockInTransaction(tx: Tx, space: LockSpace, name: string | number): Promise<void> {
  await tx`select pg_advisory_xact_lock(${LOCK_SPACES[space]}::int, hashtext(${String(name)}))`;
}

/** The same without waiting; false when another transaction holds it. */
export async function tryLockInTransaction(tx: Tx, space: LockSpace, name: string | number): Promise<boolean> {
  const [{ free }] =
    await tx`select pg_try_advisory_xact_lock(${LOCK_SPACES[space]}::int, hashtext(${String(name)})) as free`;
  return free;
}

/** Takes the lock of this session if it is free; true when it is now held. */
export async function tryLockInSession(sql: Tx, space: LockSpace, name: string): Promise<boolean> {
  const [{ free }] = await sql`select pg_try_advisory_lock(${LOCK_SPACES[space]}::int, hashtext(${name})) as free`;
  return free;
}

export async function lockInSession(sql: Tx, space: LockSpace, name: string): Promise<void> {
  await sql`select pg_advisory_lock(${LOCK_SPACES[space]}::int, hashtext(${name}))`;
}

export async function unlockInSession(sql: Tx, space: LockSpace, name: string): Promise<void> {
  await sql`select pg_advisory_unlock(${LOCK_SPACES[space]}::int, hashtext(${name}))`;
}
