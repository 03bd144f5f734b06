import { expect, test } from "bun:test";
import { makeKey } from "../../lib/checksum-key.ts";
import { ManualClock } from "../../lib/clock.ts";
import { seededRandom } from "../../lib/random.ts";
import type { Db } from "../../store/db.ts";
import { createAuthenticator } from "./authenticate.ts";

/** A store whose answers to "which key is this" arrive when the test lets them. */
function slowStore() {
  const state = { generation: 1, revoked: false };
  const answers: Array<() => void> = [];
  const rowOf = (revoked: boolean) => ({
    id: "key_1",
    tenant_id: 1,
    scopes: [],
    ip_allowlist: [],
    mode: "test",
    revoked_at: revoked ? new Date(0) : null,
    expires_at: null,
    account_created_at: new Date(0),
    created_at: new Date(0),
    last_used_at: null,
  });
  const sql = (parts: TemplateStringsArray) => {
    if (parts[0].includes("generations")) return Promise.resolve([{ value: state.generation }]);
    const row = rowOf(state.revoked);
    return new Promise((done) => answers.push(() => done([row])));
  };
  return { db: { sql } as unknown as Db, state, answers };
}

test("a key that was read before its revocation and answered after it is not held", async () => {
  const { db, state, answers } = slowStore();
  const authenticator = createAuthenticator(db, new ManualClock(), "pepper");
  await authenticator.poll();
  const key = makeKey("test", seededRandom(1));
  const reading = authenticator.find(key);
  state.revoked = true;
  state.generation = 2;
  await authenticator.poll();
  answers.at(-1)!();
  await reading;
  expect(authenticator.peek(`Bearer ${key}`)).toBeNull();
  authenticator.close();
});
