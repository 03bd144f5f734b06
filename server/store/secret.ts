// Which secret a store belongs to. Keys are hashed and webhook secrets sealed with it, so a start with another one
// would look healthy and refuse every key.
import { createHmac } from "node:crypto";
import { type Db, StoreError } from "./db.ts";

/** Says whether two secrets are the same without revealing them. */
export function fingerprintOf(secret: string): string {
  return createHmac("sha256", secret).update("action-connector store").digest("hex");
}

/** Remembers the secret of an empty store; refuses another one once there is an account. */
export async function checkSecret(db: Db, secret: string): Promise<void> {
  const fingerprint = fingerprintOf(secret);
  const [row] = await db.sql`
    select (select fingerprint from store_secret) as known, exists (select 1 from accounts) as used`;
  if (row.known === fingerprint) return;
  if (row.known !== null && row.used) {
    throw new StoreError(
      "The secret is not the one this store was made with: no key would work. Hint: put back DATA_DIR/secret or CONNECTOR_SECRET as it was.",
    );
  }
  await db.sql`
    insert into store_secret (fingerprint) values (${fingerprint})
    on conflict (one) do update set fingerprint = excluded.fingerprint`;
}
