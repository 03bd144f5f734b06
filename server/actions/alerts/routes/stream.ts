// GET /alerts/stream: the tenant's alert events as server-sent events.
import { type Call, type Handler, handle } from "../../../contract/define.ts";
import { findOr404 } from "../../../platform/pages.ts";
import type { EventRow, EventStreams } from "../../../platform/events/index.ts";
import * as contract from "../contract/index.ts";
import { findAlert } from "../store/alerts.ts";
import type { AlertsContext } from "./context.ts";

async function openStream({ platform }: AlertsContext, streams: EventStreams, call: Call): Promise<Response> {
  const alertId: string | undefined = call.query.alert_id;
  if (alertId !== undefined) await findOr404("alert", findAlert(platform.db.sql, call.caller.tenantId, alertId));
  return streams.open(call, (event) => event.type.startsWith("alert.") && (!alertId || isAbout(event, alertId)));
}

function isAbout(event: EventRow, alertId: string): boolean {
  // Parsed only when it may be: most events are about other alerts.
  if (!event.json.includes(alertId)) return false;
  const { data } = JSON.parse(event.json);
  return (data.alert?.id ?? data.alert_id) === alertId;
}

export const streamRoutes = (context: AlertsContext, streams: EventStreams): Handler[] => [
  handle(contract.stream, (call) => openStream(context, streams, call)),
];
