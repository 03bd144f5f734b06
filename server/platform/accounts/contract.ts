// Accounts: the profile of the caller, and what an operator may do.
import Type from "typebox";
import { route } from "../../contract/define.ts";
import { about, Choice, Id, Mode, named, Nullable, Shape, Text, Time } from "../../contract/shapes.ts";
import { NewKey } from "../keys/contract.ts";
import { CAP_KINDS } from "../plans/caps.ts";

const PlanName = Choice(["free", "plus", "max"], "The plan, which sets the quota.");
const Email = (description: string) =>
  Type.String({ format: "email", maxLength: 254, description, examples: ["ada@example.com"] });

const Limit = named(
  "StorageLimit",
  Shape({
    limit: Type.Integer({ description: "How many the plan holds in this world." }),
    used: Type.Integer({ description: "How many there are, to within half a minute." }),
    limit_bytes: Type.Integer({ format: "int64", description: "How many bytes of them the plan holds." }),
    used_bytes: Type.Integer({ format: "int64", description: "How many bytes they take, as text." }),
  }),
);

export const Profile = Shape({
  user_id: Id("usr"),
  name: Type.String({ description: "Name of the account." }),
  email: Nullable(Type.String({ description: "E-mail address of the account." })),
  plan: PlanName,
  mode: Mode(),
  scopes: Type.Array(Type.String(), { description: "What this key may do." }),
  key: about(
    Shape({
      id: Id("key"),
      name: Type.String({ description: "Your name for the key." }),
      prefix: Type.String({ description: "The first 12 characters of the key." }),
      expires_at: Nullable(Time("When the key stops working.")),
    }),
    "The key of this call.",
  ),
  quota: about(
    Shape({
      limit: Type.Integer({ description: "Requests in any window." }),
      remaining: Type.Integer({ description: "Requests that would be admitted now." }),
      window_seconds: Type.Integer({ description: "Length of the sliding window." }),
      reset_at: Time("When the oldest counted request leaves the window."),
    }),
    "What is left of the quota.",
  ),
  usage: about(
    Shape({
      today: Type.Integer({ description: "Requests since midnight UTC." }),
      this_month: Type.Integer({ description: "Requests since the first of the month, UTC." }),
    }),
    "What was called.",
  ),
  limits: about(
    Shape(Object.fromEntries(CAP_KINDS.map((kind) => [kind, about(Limit, `The ${kind.replaceAll("_", " ")}.`)]))),
    "What the plan holds of everything that is stored, and what there is.",
  ),
  created_at: Time("When the account was made."),
});

export const getProfile = route({
  id: "user.profile",
  method: "GET",
  path: "/user/profile",
  summary: "Who this key belongs to, what it may do, and what is left of its quota",
  scope: "profile:read",
  answer: Profile,
});

export const Account = Shape({
  user_id: Id("usr"),
  name: Type.String({ description: "Name of the account." }),
  email: Nullable(Type.String({ description: "E-mail address of the account." })),
  plan: PlanName,
  created_at: Time("When the account was made."),
});

export const createAccount = route({
  id: "admin.accounts.create",
  method: "POST",
  path: "/admin/accounts",
  summary: "Make an account with its first keys",
  description:
    "For operators. A live key makes the account with one test and one live key; a test key only with a test key (live_key is null), since a test key never obtains a live one. The keys have every scope but admin, and are shown once. Several accounts may carry the same e-mail address: it is for contact and identifies nobody.",
  scope: "admin",
  status: 201,
  body: Shape({
    name: Text("Name of the account.", 100),
    email: Type.Optional(Email("E-mail address of the account.")),
    plan: PlanName,
  }),
  answer: Shape({
    account: named("Account", Account, "The new account."),
    test_key: about(NewKey, "Its first test key."),
    live_key: Nullable(about(NewKey, "Its first live key; null when a test key asked.")),
  }),
  secretAnswer: true,
});

export const routes = [getProfile, createAccount];
