// `connector accounts create|list|plan`.
import { type Plan, scopes } from "../../contract/define.ts";
import { changePlan, listAccounts, openAccount } from "../../platform/accounts/index.ts";
import { PLANS } from "../../platform/plans/index.ts";
import type { Platform } from "../../platform/platform.ts";
import { withPlatform } from "./with-platform.ts";
import { type Command, type CommandInput, UsageError } from "../command.ts";
import { usageOf } from "../help.mjs";

export const accounts: Command = ({ words, flags, config }) => {
  const verb = { create, list, plan: movePlan }[words[0]];
  if (!verb) throw new UsageError(usageOf("accounts"));
  return withPlatform(config(), (platform) => verb(platform, flags));
};

function readPlan(flags: CommandInput["flags"]): Plan {
  if (PLANS.includes(flags.plan as Plan)) return flags.plan as Plan;
  throw new UsageError(`--plan must be one of ${PLANS.join(", ")}.`);
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
  for (const account of await listAccounts(platform)) {
    const line = `${account.user_id}  ${account.plan.padEnd(4)}  ${account.name}`;
    console.log(flags.json ? JSON.stringify({ id: account.user_id, ...account }) : line);
  }
}

async function movePlan(platform: Platform, flags: CommandInput["flags"]): Promise<void> {
  const plan = readPlan(flags);
  if (!(await changePlan(platform, flags.account ?? "", plan)))
    throw new UsageError("--account names no account. Hint: connector accounts list");
  console.log(`${flags.account} is now on ${plan}`);
}
