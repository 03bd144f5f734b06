// Keys: shapes and routes.
import Type from "typebox";
import { route, SCOPES } from "../../contract/define.ts";
import { about, Id, Mode, Nullable, Page, Shape, Text, Time, pageQuery } from "../../contract/shapes.ts";

const Scopes = Type.Array(Type.Enum([...SCOPES]), {
  minItems: 1,
  maxItems: SCOPES.length,
  uniqueItems: true,
  description: "What the key may do.",
  examples: [["delivery:write"]],
});
const Allowlist = Type.Array(Type.String({ format: "cidr" }), {
  maxItems: 50,
  description: "Addresses and networks the key may be used from; empty allows all.",
  examples: [["203.0.113.0/24"]],
});

export const Key = Shape({
  id: Id("key"),
  name: Type.String({ description: "Your name for the key." }),
  mode: Mode(),
  prefix: Type.String({ description: "The first 12 characters of the key." }),
  last4: Type.String({ description: "The last 4 characters of the key." }),
  scopes: Scopes,
  ip_allowlist: Allowlist,
  expires_at: Nullable(Time("When the key stops working.")),
  revoked_at: Nullable(Time("When the key was revoked.")),
  last_used_at: Nullable(Time("When the key was last used, to within a few seconds.")),
  created_at: Time("When the key was made."),
});

export const NewKey = Shape({
  ...Key.properties,
  key: Type.String({ description: "The key itself, shown this once." }),
});

const params = Shape({ id: Id("key") });

export const createKey = route({
  id: "keys.create",
  method: "POST",
  path: "/keys",
  summary: "Make an API key",
  description:
    "The key is shown once. A key can only make keys with a subset of its own scopes, that end no later and work from no other networks than itself (both are taken over unless given); a test key makes only test keys.",
  scope: "keys:write",
  status: 201,
  body: Shape({
    name: Text("Your name for the key.", 100),
    mode: Type.Optional(about(Mode(), "The world of the new key; that of the asking key, unless given.")),
    scopes: Scopes,
    expires_at: Type.Optional(Nullable(Time("When the key stops working; never, unless given."))),
    ip_allowlist: Type.Optional(Allowlist),
  }),
  answer: NewKey,
  secretAnswer: true,
});

export const listKeys = route({
  id: "keys.list",
  method: "GET",
  path: "/keys",
  summary: "List the keys of this world",
  scope: "keys:write",
  query: Shape(pageQuery),
  answer: Page(Key),
});

export const changeKey = route({
  id: "keys.update",
  method: "PATCH",
  path: "/keys/{id}",
  summary: "Change a key",
  description:
    "Needs a key that has every scope of the changed one. The end of a key that was rolled can only be brought forward.",
  scope: "keys:write",
  params,
  body: Shape(
    {
      name: Type.Optional(Text("Your name for the key.", 100)),
      scopes: Type.Optional(Scopes),
      expires_at: Type.Optional(Nullable(Time("When the key stops working; null for never."))),
      ip_allowlist: Type.Optional(Allowlist),
    },
    { minProperties: 1 },
  ),
  answer: Key,
  errors: ["not_found", "wrong_state"],
});

export const revokeKey = route({
  id: "keys.revoke",
  method: "DELETE",
  path: "/keys/{id}",
  summary: "Revoke a key",
  description:
    "The key stops working at once, on every replica within a second; its open streams end. Needs a key that has every scope of the revoked one.",
  scope: "keys:write",
  params,
  answer: Key,
  errors: ["not_found"],
});

export const rollKey = route({
  id: "keys.roll",
  method: "POST",
  path: "/keys/{id}/roll",
  summary: "Replace a key",
  description: "Makes a new key with the same rights; the old one keeps working for the grace.",
  scope: "keys:write",
  status: 201,
  params,
  body: Shape({
    grace_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 604_800,
        default: 86_400,
        description: "How long the old key keeps working; a day unless given.",
        examples: [86_400],
      }),
    ),
  }),
  bodyOptional: true,
  answer: Shape({
    ...NewKey.properties,
    old_key_id: Id("key"),
    old_key_expires_at: Time("When the old key stops working."),
  }),
  secretAnswer: true,
  errors: ["not_found", "wrong_state"],
});

export const routes = [createKey, listKeys, changeKey, revokeKey, rollKey];
export const events = [
  {
    type: "key.rolled",
    summary: "A key was replaced by a new one.",
    data: Shape({
      old_key_id: Id("key"),
      new_key_id: Id("key"),
      old_key_expires_at: Time("When the old key stops working."),
    }),
  },
];
