// `connector accounts create|list|plan`.
import { type Plan, scopes } from "../../contract/define.ts";
import { openAccount } from "../../platform/accounts/index.ts";
import { bumpGeneration } from "../../platform/keys/store.ts";
import { plans } from "../../platform/plans/index.ts";
import type { Platform } from "../../platform/platform.ts";
import { withPlatform } from "./with-platform.ts";
import { type Command, type CommandInput, UsageError } from "../command.ts";
import { usageOf } from "../help.mjs";

export const accounts: Command = ({ words, flags, config }) => {
  const verb = { create, list, plan: changePlan }[words[0]];
  if (!verb) throw new UsageError(usageOf("accounts"));
  return withPlatform(config(), (platform) => verb(platform, flags));
};

function readPlan(flags: CommandInput["flags"]): Plan {
  if (plans.includes(flags.plan as Plan)) return flags.plan as Plan;
  throw new UsageError(`--plan must be one of ${plans.join(", ")}.`);
}

async function create(platform: Platform, flags: CommandInput["flags"]): Promise<void> {
  if (!flags.name) throw new UsageError("--name is missing.");
  const order = {
    name: flags.name,
    email: flags.email ?? null,
    plan: readPlan(flags),
    scopes: scopes.filter((s) => s !== "admin"),
    actor: "operator",
  };
  const made = await platform.db.sql.begin((tx) => openAccount(platform, tx, order, platform.clock.now()));
  if (flags.json)
    return console.log(
      JSON.stringify({ id: made.account.user_id, account_id: made.account.user_id, key: made.test_key.key, ...made }),
    );
  console.log(`account   ${made.account.user_id}\ntest key  ${made.test_key.key}\nlive key  ${made.live_key.key}`);
}

async function list(platform: Platform, flags: CommandInput["flags"]): Promise<void> {
  const rows = await platform.db.sql`select id, name, email, plan, created_at from accounts order by id`;
  for (const row of rows)
    console.log(flags.json ? JSON.stringify(row) : `${row.id}  ${row.plan.padEnd(4)}  ${row.name}`);
}

async function changePlan(platform: Platform, flags: CommandInput["flags"]): Promise<void> {
  const plan = readPlan(flags);
  await platform.db.sql.begin(async (tx) => {
    const changed = await tx`update accounts set plan = ${plan} where id = ${flags.account ?? ""} returning id`;
    if (changed.length === 0) throw new UsageError("--account names no account. Hint: connector accounts list");
    await bumpGeneration(tx);
    const deed = {
      accountId: flags.account,
      actor: "operator",
      action: "account.plan_changed",
      target: flags.account,
      detail: { plan },
    };
    await platform.audit.record(tx, deed, platform.clock.now());
  });
  console.log(`${flags.account} is now on ${plan}`);
}
