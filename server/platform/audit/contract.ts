// The audit log as its account may read it.
import Type from "typebox";
import { route } from "../../contract/define.ts";
import { Id, Nullable, Page, Shape, Time, pageQuery } from "../../contract/shapes.ts";

export const listAudit = route({
  id: "audit.list",
  method: "GET",
  path: "/audit-log",
  summary: "Who did what with this account",
  description: "Append-only and hash-chained: each row's hash covers the row before it in the whole service.",
  scope: "audit:read",
  query: Shape(pageQuery),
  answer: Page(
    Shape({
      id: Id("aud"),
      at: Time("When it was done."),
      actor: Type.String({ description: "The key that did it, or operator." }),
      action: Type.String({ description: "What was done, e.g. key.created." }),
      target: Type.String({ description: "What it was done to." }),
      client_address: Nullable(Type.String()),
      request_id: Nullable(Type.String()),
      detail: Type.Record(Type.String(), Type.Unknown()),
      previous_hash: Type.String(),
      hash: Type.String(),
    }),
  ),
});

export const routes = [listAudit];
