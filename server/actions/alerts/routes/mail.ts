// The public pages of mail: confirm and unsubscribe. A GET only asks, since mail scanners open every link.
import { type Call, type Handler, handle } from "../../../contract/define.ts";
import { findOr404 } from "../../../platform/pages.ts";
import * as contract from "../contract/index.ts";
import { step } from "../machine.ts";
import { lockAlerts, notifyReplicas, saveAlert } from "../store/alerts.ts";
import { findChannelByToken, saveChannel } from "../store/channels.ts";
import { confirmAddress } from "../store/mail-consent.ts";
import type { AlertsContext } from "./context.ts";
import { page } from "./mail-pages.ts";

const requireChannel = ({ platform }: AlertsContext, call: Call) =>
  findOr404("subscription", findChannelByToken(platform.db.sql, call.params.token));

async function showConfirm(context: AlertsContext, call: Call) {
  const { status } = await requireChannel(context, call);
  const button = status === "pending_verification" ? "Yes, send them" : null;
  return page("Confirm", "Should alerts be sent to this address?", button);
}

async function confirmMail(context: AlertsContext, call: Call) {
  await setSubscription(context, call, "active");
  return page("Confirmed", "Alerts will be sent to this address. Every message has a link to stop them.", null);
}

async function showUnsubscribe(context: AlertsContext, call: Call) {
  const { status } = await requireChannel(context, call);
  const button = status === "disabled" ? null : "Stop them";
  return page("Stop alerts", "Should no more alerts be sent to this address?", button);
}

async function unsubscribeMail(context: AlertsContext, call: Call) {
  await setSubscription(context, call, "disabled");
  return page("Stopped", "No more alerts will be sent to this address.", null);
}

async function setSubscription(context: AlertsContext, call: Call, status: "active" | "disabled"): Promise<void> {
  const { platform, index } = context;
  const numbers = await platform.db.sql.begin(async (tx) => {
    const channel = await findOr404("subscription", findChannelByToken(tx, call.params.token));
    if (status === "active" && channel.status !== "pending_verification") return [];
    if (status === "active") {
      // One consent counts for every alert of the tenant to this address.
      const confirmed = await confirmAddress(tx, channel.tenantId, String(channel.target.to));
      for (const row of await lockAlerts(tx, confirmed)) {
        const next = step(row.status, "verify");
        if (next) await saveAlert(tx, { ...row, status: next, updatedMs: call.now });
        await notifyReplicas(tx, row.number);
      }
      return confirmed;
    }
    await saveChannel(tx, { ...channel, status, lastError: "The receiver ended the subscription." });
    await notifyReplicas(tx, channel.alertNumber);
    return [channel.alertNumber];
  });
  for (const number of numbers) await index.refresh(number);
}

export const mailRoutes = (context: AlertsContext): Handler[] => [
  handle(contract.confirmPage, (call) => showConfirm(context, call)),
  handle(contract.confirm, (call) => confirmMail(context, call)),
  handle(contract.unsubscribePage, (call) => showUnsubscribe(context, call)),
  handle(contract.unsubscribe, (call) => unsubscribeMail(context, call)),
];
