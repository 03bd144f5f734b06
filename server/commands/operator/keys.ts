// `connector keys create|list|roll|revoke`.
import { type Mode, type Scope, SCOPES } from "../../contract/define.ts";
import { nearest } from "../../lib/nearest.ts";
import { parseTime } from "../../lib/time.ts";
import {
  createKeyByOperator,
  listKeysByOperator,
  revokeKeyByOperator,
  rollKeyByOperator,
} from "../../platform/keys/index.ts";
import type { Platform } from "../../platform/platform.ts";
import { type OperatorCommand, type CommandInput, UsageError } from "../command.ts";
import { usageOf } from "../help.mjs";
import { withPlatform } from "./with-platform.ts";

type Flags = CommandInput["flags"];

const NO_KEY = "--key names no valid key. Hint: connector keys list --account ID";

export const keys: OperatorCommand = ({ words, flags, config }) => {
  const verb = { create, list, roll, revoke }[words[0]];
  if (!verb) throw new UsageError(usageOf("keys"));
  return withPlatform(config(), (platform) => verb(platform, flags));
};

async function create(platform: Platform, flags: Flags): Promise<void> {
  const mode = flags.mode as Mode;
  if (mode !== "test" && mode !== "live") throw new UsageError("--mode must be test or live.");
  const expiresMs = flags["expires-at"] === undefined ? null : parseTime(flags["expires-at"]);
  if (flags["expires-at"] !== undefined && expiresMs === null)
    throw new UsageError("--expires-at must be a time like 2026-12-01T15:00:00Z.");
  const name = flags.name ?? "Made by the operator";
  const order = { accountId: flags.account ?? "", mode, name, scopes: readScopes(flags.scopes ?? "all"), expiresMs };
  const made = await createKeyByOperator(platform, order);
  if (!made) throw new UsageError("--account names no account. Hint: connector accounts list");
  console.log(flags.json ? JSON.stringify(made) : `${made.id}  ${made.key}`);
}

function readScopes(text: string): Scope[] {
  if (text === "all") return SCOPES.filter((scope) => scope !== "admin");
  const wanted = text.split(",").map((scope) => scope.trim());
  for (const scope of wanted) {
    if (SCOPES.includes(scope as Scope)) continue;
    const near = nearest(scope, SCOPES);
    throw new UsageError(
      `There is no scope "${scope}".${near ? ` Did you mean ${near}?` : ` Scopes: ${SCOPES.join(", ")}`}`,
    );
  }
  return wanted as Scope[];
}

async function list(platform: Platform, flags: Flags): Promise<void> {
  for (const key of await listKeysByOperator(platform, flags.account ?? "")) {
    const state = key.revoked_at ? "revoked" : "valid";
    const line = `${key.id}  ${key.mode}  ${key.prefix}…${key.last4}  ${state}  ${key.name}`;
    console.log(flags.json ? JSON.stringify(key) : line);
  }
}

async function roll(platform: Platform, flags: Flags): Promise<void> {
  const grace = flags["grace-seconds"];
  if (grace !== undefined && !/^\d{1,9}$/.test(grace))
    throw new UsageError("--grace-seconds must be a whole number, e.g. 3600.");
  const made = await rollKeyByOperator(platform, flags.key ?? "", grace === undefined ? undefined : Number(grace));
  if (!made) throw new UsageError(NO_KEY);
  if (flags.json) return console.log(JSON.stringify(made));
  console.log(`${made.id}  ${made.key}\n${made.old_key_id} works until ${made.old_key_expires_at}`);
}

async function revoke(platform: Platform, flags: Flags): Promise<void> {
  if (!(await revokeKeyByOperator(platform, flags.key ?? ""))) throw new UsageError(NO_KEY);
  console.log(`${flags.key} is revoked`);
}
