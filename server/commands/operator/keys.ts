// `connector keys create|list|revoke`.
import { type Mode, type Scope, scopes } from "../../contract/define.ts";
import { nearest } from "../../lib/nearest.ts";
import { parseTime } from "../../lib/time.ts";
import { issueKey } from "../../platform/keys/index.ts";
import { bumpGeneration } from "../../platform/keys/store.ts";
import type { Platform } from "../../platform/platform.ts";
import { withPlatform } from "./with-platform.ts";
import { type Command, type CommandInput, UsageError } from "../command.ts";
import { usageOf } from "../help.mjs";

type Flags = CommandInput["flags"];

export const keys: Command = ({ words, flags, config }) => {
  const verb = { create, list, revoke }[words[0]];
  if (!verb) throw new UsageError(usageOf("keys"));
  return withPlatform(config(), (platform) => verb(platform, flags));
};

async function create(platform: Platform, flags: Flags): Promise<void> {
  const { db, clock } = platform;
  const mode = flags.mode as Mode;
  if (mode !== "test" && mode !== "live") throw new UsageError("--mode must be test or live.");
  const expiresMs = flags["expires-at"] === undefined ? null : parseTime(flags["expires-at"]);
  if (flags["expires-at"] !== undefined && expiresMs === null)
    throw new UsageError("--expires-at must be a time like 2026-12-01T15:00:00Z.");
  const wanted = readScopes(flags.scopes ?? "all");
  const { view } = await db.sql.begin(async (tx) => {
    const [tenant] = await tx`select id from tenants where account_id = ${flags.account ?? ""} and mode = ${mode}`;
    if (!tenant) throw new UsageError("--account names no account. Hint: connector accounts list");
    const order = {
      tenantId: tenant.id,
      mode,
      name: flags.name ?? "Made by the operator",
      scopes: wanted,
      ipAllowlist: [],
      expiresAt: expiresMs === null ? null : new Date(expiresMs),
      createdBy: "operator",
    };
    const made = await issueKey(platform, tx, order, clock.now());
    const deed = {
      accountId: flags.account,
      actor: "operator",
      action: "key.created",
      target: made.view.id,
      detail: { mode, scopes: wanted },
    };
    await platform.audit.record(tx, deed, clock.now());
    return made;
  });
  console.log(flags.json ? JSON.stringify(view) : `${view.id}  ${view.key}`);
}

function readScopes(text: string): Scope[] {
  if (text === "all") return scopes.filter((scope) => scope !== "admin");
  const wanted = text.split(",").map((scope) => scope.trim());
  for (const scope of wanted) {
    if (scopes.includes(scope as Scope)) continue;
    const near = nearest(scope, scopes);
    throw new UsageError(
      `There is no scope "${scope}".${near ? ` Did you mean ${near}?` : ` Scopes: ${scopes.join(", ")}`}`,
    );
  }
  return wanted as Scope[];
}

async function list(platform: Platform, flags: Flags): Promise<void> {
  const rows = await platform.db.sql`
    select k.id, k.name, k.first, k.last, k.scopes, k.expires_at, k.revoked_at, t.mode
    from keys k join tenants t on t.id = k.tenant_id where t.account_id = ${flags.account ?? ""} order by k.id`;
  for (const row of rows) {
    if (flags.json) console.log(JSON.stringify(row));
    else
      console.log(
        `${row.id}  ${row.mode}  ${row.first}…${row.last}  ${row.revoked_at ? "revoked" : "valid"}  ${row.name}`,
      );
  }
}

async function revoke(platform: Platform, flags: Flags): Promise<void> {
  const now = platform.clock.now();
  await platform.db.sql.begin(async (tx) => {
    const [row] = await tx`
      update keys k set revoked_at = coalesce(k.revoked_at, ${new Date(now)}) from tenants t
      where t.id = k.tenant_id and k.id = ${flags.key ?? ""} returning t.account_id`;
    if (!row) throw new UsageError("--key names no key. Hint: connector keys list --account ID");
    await bumpGeneration(tx);
    await platform.audit.record(
      tx,
      { accountId: row.account_id, actor: "operator", action: "key.revoked", target: flags.key },
      now,
    );
  });
  console.log(`${flags.key} is revoked`);
}
