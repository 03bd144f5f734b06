// Asks owners of mail addresses for consent: once for each tenant, once a day for each address, so many a day for each plan.
import type { Call, Plan } from "../../../contract/define.ts";
import { Failure } from "../../../contract/errors.ts";
import { DAY_MS } from "../../../lib/time.ts";
import type { Tx } from "../../../store/db.ts";
import type { ChannelRow, NewNotification } from "../rows.ts";
import { countAsked, hasConsent, lockLastAsked } from "../store/mail-consent.ts";
import type { AlertsContext } from "./context.ts";

/** Addresses that a tenant may ask in a day. */
const MAX_ASKED_PER_DAY: Record<Plan, number> = { free: 20, plus: 500, max: 5000 };

/** The channels with those active whose address has agreed before, and the mails that ask the others. */
export async function askConsent(
  { platform }: AlertsContext,
  tx: Tx,
  { caller, now }: Pick<Call, "caller" | "now">,
  channels: ChannelRow[],
): Promise<{ channels: ChannelRow[]; mails: NewNotification[] }> {
  const { tenantId, mode, plan } = caller;
  const asked: ChannelRow[] = [];
  const mails: NewNotification[] = [];
  // In one order, so that two requests that ask the same addresses do not wait for each other in a circle.
  for (const channel of channels.toSorted((a, b) => (String(a.target.to) < String(b.target.to) ? -1 : 1))) {
    const address = String(channel.target.to);
    if (channel.type !== "email") asked.push(channel);
    else if (await hasConsent(tx, tenantId, address)) asked.push({ ...channel, status: "active" });
    else {
      asked.push(channel);
      const lastMs = await lockLastAsked(tx, mode, address);
      const dueMs = lastMs === null ? now : Math.max(now, lastMs + DAY_MS);
      const id = platform.makeId("ntf");
      const message = { verify: true as const };
      const { alertNumber, id: channelId } = channel;
      mails.push({ id, tenantId, alertNumber, channelId, message, createdMs: now, dueMs });
    }
  }
  const count = mails.length === 0 ? 0 : await countAsked(tx, tenantId, now - DAY_MS);
  if (mails.length > 0 && count + mails.length > MAX_ASKED_PER_DAY[plan]) {
    const detail = `The ${plan} plan asks ${MAX_ASKED_PER_DAY[plan]} new mail addresses a day for consent.`;
    throw new Failure("plan_limit_reached", detail, { hint: "Wait a day, or use addresses that have confirmed." });
  }
  return { channels: asked, mails };
}
