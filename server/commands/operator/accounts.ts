// `connector accounts create|list|plan|suspend|resume|delete`.
import { type Plan, SCOPES } from "../../contract/define.ts";
import {
  changePlan,
  deleteAccount,
  listAccounts,
  openAccount,
  resumeAccount,
  suspendAccount,
} from "../../platform/accounts/index.ts";
import { PLANS } from "../../platform/plans/index.ts";
import type { Platform } from "../../platform/platform.ts";
import { type OperatorCommand, type CommandInput, UsageError } from "../command.ts";
import { usageOf } from "../help.mjs";
import { withPlatform } from "./with-platform.ts";

type Flags = CommandInput["flags"];

export const accounts: OperatorCommand = ({ words, flags, config }) => {
  const verb = { create, list, plan: movePlan, suspend, resume, delete: remove }[words[0]];
  if (!verb) throw new UsageError(usageOf("accounts"));
  if (words[0] === "delete" && flags.yes !== "true")
    throw new UsageError("This removes the account with all its data. Hint: add --yes if you mean it.");
  return withPlatform(config(), (platform) => verb(platform, flags));
};

function readPlan(flags: Flags): Plan {
  if (PLANS.includes(flags.plan as Plan)) return flags.plan as Plan;
  throw new UsageError(`--plan must be one of ${PLANS.join(", ")}.`);
}

async function create(platform: Platform, flags: Flags): Promise<void> {
  if (!flags.name) throw new UsageError("--name is missing.");
  const order = {
    name: flags.name,
    email: flags.email ?? null,
    plan: readPlan(flags),
    scopes: SCOPES.filter((s) => s !== "admin"),
    actor: "operator",
  };
  const made = await platform.db.sql.begin((tx) => openAccount(platform, tx, order, platform.clock.now()));
  if (flags.json)
    return console.log(
      JSON.stringify({ id: made.account.user_id, account_id: made.account.user_id, key: made.test_key.key, ...made }),
    );
  console.log(`account   ${made.account.user_id}\ntest key  ${made.test_key.key}\nlive key  ${made.live_key.key}`);
}

async function list(platform: Platform, flags: Flags): Promise<void> {
  for (const account of await listAccounts(platform)) {
    const state = account.suspended_at ? "  (suspended)" : "";
    const line = `${account.user_id}  ${account.plan.padEnd(4)}  ${account.name}${state}`;
    console.log(flags.json ? JSON.stringify({ id: account.user_id, ...account }) : line);
  }
}

async function movePlan(platform: Platform, flags: Flags): Promise<void> {
  const plan = readPlan(flags);
  await change(flags, `is now on ${plan}`, (id) => changePlan(platform, id, plan));
}

const suspend = (platform: Platform, flags: Flags) =>
  change(flags, "is suspended: its keys answer 403 until it is resumed", (id) => suspendAccount(platform, id));

const resume = (platform: Platform, flags: Flags) => change(flags, "is resumed", (id) => resumeAccount(platform, id));

const remove = (platform: Platform, flags: Flags) =>
  change(flags, "is deleted with all its data; the audit log keeps its entries", (id) => deleteAccount(platform, id));

async function change(flags: Flags, done: string, work: (accountId: string) => Promise<boolean>): Promise<void> {
  if (!(await work(flags.account ?? "")))
    throw new UsageError("--account names no account. Hint: connector accounts list");
  console.log(`${flags.account} ${done}`);
}
