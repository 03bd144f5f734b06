// What an operator reads and changes through the API: accounts, plans, settings, health.
import Type from "typebox";
import { route } from "../../../contract/define.ts";
import { Choice, Id, named, Nullable, Page, pageQuery, Shape, Text, Time } from "../../../contract/shapes.ts";

const PlanName = Choice(["free", "plus", "max"], "The plan, which sets the quota.");

const AccountStanding = named(
  "AccountStanding",
  Shape({
    user_id: Id("usr"),
    name: Type.String({ description: "Name of the account." }),
    email: Nullable(Type.String({ description: "E-mail address of the account." })),
    plan: PlanName,
    keys: Type.Integer({ description: "Keys that work, in both worlds." }),
    requests_today: Type.Integer({ description: "Requests since midnight UTC, in both worlds." }),
    suspended_at: Nullable(Time("Since when its keys are refused.")),
    created_at: Time("When the account was made."),
  }),
);

export const listAccounts = route({
  id: "admin.accounts.list",
  method: "GET",
  path: "/admin/accounts",
  summary: "List accounts, newest first",
  scope: "admin",
  query: Shape({
    ...pageQuery,
    plan: Type.Optional(PlanName),
    suspended: Type.Optional(Type.Boolean({ description: "Only suspended accounts, or only the others." })),
    search: Type.Optional(Text("Only accounts whose name, e-mail address or id holds this.", 100)),
  }),
  answer: Page(AccountStanding),
});

export const updateAccount = route({
  id: "admin.accounts.update",
  method: "PATCH",
  path: "/admin/accounts/{id}",
  summary: "Change an account's name, plan or suspension",
  description:
    "The plan counts from the next request on. A suspended account's keys are refused with account_suspended, and its open streams end. Nobody suspends the account of the key that asks.",
  scope: "admin",
  params: Shape({ id: Id("usr") }),
  body: Shape(
    {
      name: Type.Optional(Text("Name of the account.", 100)),
      plan: Type.Optional(PlanName),
      suspended: Type.Optional(Type.Boolean({ description: "true suspends the account, false resumes it." })),
    },
    { minProperties: 1 },
  ),
  answer: AccountStanding,
  errors: ["not_found", "conflict"],
});

export const listPlans = route({
  id: "admin.plans",
  method: "GET",
  path: "/admin/plans",
  summary: "The plans: quota, what each may store, and how many accounts have it",
  scope: "admin",
  answer: Shape({
    items: Type.Array(
      named(
        "PlanSummary",
        Shape({
          name: PlanName,
          requests_per_minute: Type.Integer({ description: "Requests in any window of 60 seconds, per world." }),
          accounts: Type.Integer({ description: "How many accounts have it." }),
          limits: Type.Array(
            named(
              "PlanLimit",
              Shape({
                kind: Type.String({ description: "What is stored." }),
                rows: Type.Integer({ description: "How many, per world." }),
                megabytes: Type.Integer({ description: "How much of it, per world." }),
              }),
            ),
            { description: "What an account may store." },
          ),
        }),
      ),
      { description: "The smallest first." },
    ),
  }),
});

export const listSettings = route({
  id: "admin.settings",
  method: "GET",
  path: "/admin/settings",
  summary: "The settings of this process; secrets say only whether they are set",
  scope: "admin",
  answer: Shape({
    items: Type.Array(
      named(
        "SettingValue",
        Shape({
          name: Type.String({ description: "The environment variable." }),
          value: Nullable(Type.String({ description: "Its value; null for a secret and where there is none." })),
          default: Nullable(Type.String({ description: "What holds unless it is set." })),
          changed: Type.Boolean({ description: "Whether it differs from the default." }),
          secret: Type.Boolean({ description: "Whether its value is never shown." }),
          description: Type.String({ description: "What it does." }),
        }),
      ),
      { description: "In the order of docs/config.md." },
    ),
  }),
});

export const readHealth = route({
  id: "admin.health",
  method: "GET",
  path: "/admin/health",
  summary: "How the service is: readiness, the store, and what waits",
  scope: "admin",
  answer: Shape({
    ready: Type.Boolean({ description: "Whether the service takes requests." }),
    missing: Type.Array(Type.String(), { description: "What keeps it from being ready." }),
    version: Type.String({ description: "The version of the contract." }),
    started_at: Time("When this process began."),
    disk_free_bytes: Nullable(
      Type.Integer({ description: "Free space for the embedded store; null when it lies elsewhere." }),
    ),
    memory_bytes: Type.Integer({ format: "int64", description: "Resident memory of this process." }),
    jobs_dead: Type.Integer({ description: "Background jobs that failed for good." }),
    webhook_retries: Type.Integer({ description: "Webhook deliveries that wait for another attempt." }),
  }),
});

export const routes = [listAccounts, updateAccount, listPlans, listSettings, readHealth];
