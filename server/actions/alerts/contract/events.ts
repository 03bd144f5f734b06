// Events of alerts.
import Type from "typebox";
import { Id, Shape } from "../../../contract/shapes.ts";
import { MatchView } from "./answers.ts";

const Notified = Shape({
  alert: Type.Record(Type.String(), Type.Unknown(), { description: "The alert: id, name, severity, labels." }),
  matches: Type.Array(MatchView, { description: "The matches, newest first; at most 100." }),
  total: Type.Integer({ description: "How many matches there are." }),
  suppressed_since_last: Type.Record(Type.String(), Type.Integer(), {
    description: "How many were not sent since the message before, by reason.",
  }),
});

export const events = [
  { type: "alert.matched", summary: "Content matched an alert and was sent at once.", data: Notified },
  { type: "alert.digest", summary: "Held matches were sent together.", data: Notified },
  {
    type: "alert.source_failed",
    summary: "A feed of an alert cannot be read: it is gone, is no feed, or has failed for a day.",
    data: Shape({
      alert_id: Id("alt"),
      source_id: Type.String({ description: "The feed, as in sources of the alert." }),
      url: Type.String({ description: "Its address." }),
      error: Type.String({ description: "Why it cannot be read." }),
    }),
  },
  {
    type: "alert.channel_disabled",
    summary: "A channel failed for five days, or its receiver asked to get nothing more.",
    data: Shape({
      alert_id: Id("alt"),
      channel_id: Id("chn"),
      type: Type.String({ description: "How it was sent." }),
      reason: Type.String({ description: "Why it was disabled." }),
    }),
  },
];
