// The audit log as its account may read it.
import Type from "typebox";
import { route } from "../../contract/define.ts";
import { Id, Mode, Nullable, Page, Shape, Time, pageQuery } from "../../contract/shapes.ts";

const filter = (description: string, example: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 100, description, examples: [example] }));

export const listAudit = route({
  id: "audit.list",
  method: "GET",
  path: "/audit-log",
  summary: "Who did what with this account",
  description:
    "Newest first. A test key sees what was done in the test world; a live key sees the live world and what concerns the whole account. Append-only and hash-chained: each row's hash covers the row before it in the whole service.",
  scope: "audit:read",
  query: Shape({
    ...pageQuery,
    actor: filter("Only what this key did, or operator.", "operator"),
    action: filter("Only this action.", "key.created"),
    target: filter("Only what was done to this id.", "key_01k8xw1yn7e3v8m2c5h9q4t6zd"),
    since: Type.Optional(Time("Only from this time on.")),
    until: Type.Optional(Time("Only before this time.")),
  }),
  answer: Page(
    Shape({
      id: Id("aud"),
      at: Time("When it was done."),
      mode: Nullable(Mode()),
      actor: Type.String({ description: "The key that did it, or operator." }),
      action: Type.String({ description: "What was done, e.g. key.created." }),
      target: Type.String({ description: "What it was done to." }),
      client_address: Nullable(Type.String({ description: "Where it was done from." })),
      request_id: Nullable(Type.String({ description: "The request that did it." })),
      detail: Type.Record(Type.String(), Type.Unknown(), { description: "What was changed." }),
      previous_hash: Type.String({ description: "The hash of the row before." }),
      hash: Type.String({ description: "The hash of this row." }),
    }),
  ),
});

export const routes = [listAudit];
