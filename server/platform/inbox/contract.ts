// The sandbox inbox: what a test key would have sent into the world.
import Type from "typebox";
import { route } from "../../contract/define.ts";
import { Id, Page, pageQuery, Shape, Time } from "../../contract/shapes.ts";

export const InboxItem = Shape({
  id: Id("msg"),
  channel: Type.String({ description: "How it would have gone out.", examples: ["webhook"] }),
  recipient: Type.String({ description: "Where it would have gone: an address, a number, a URL." }),
  content: Type.Unknown({
    description:
      "What would have been sent; for a webhook its headers and the exact text of its body, so that the signature can be checked.",
  }),
  created_at: Time("When it would have been sent."),
});

export const listInbox = route({
  id: "sandbox.inbox",
  method: "GET",
  path: "/sandbox/inbox",
  summary: "Read what a test key would have sent",
  description: "Newest first. Live keys send for real, so their inbox is always empty.",
  scope: "events:read",
  query: Shape({
    ...pageQuery,
    channel: Type.Optional(Type.String({ maxLength: 32, description: "Only this channel." })),
  }),
  answer: Page(InboxItem),
});

export const clearInbox = route({
  id: "sandbox.clear",
  method: "DELETE",
  path: "/sandbox/inbox",
  summary: "Empty the sandbox inbox",
  scope: "events:read",
  answer: Shape({ removed: Type.Integer({ description: "How many messages were removed." }) }),
});

export const routes = [listInbox, clearInbox];
