// The job that writes to a recipient what became of a delivery: by mail, or by the account's own SMS gateway.
import { GuardError } from "../../../lib/guard-fetch/index.ts";
import { formatTime, SECOND_MS } from "../../../lib/time.ts";
import type { Job } from "../../../platform/jobs/index.ts";
import type { Mailer } from "../../../lib/mail.ts";
import type { Platform } from "../../../platform/platform.ts";
import { noticeMail } from "../engine/notices/notice.ts";
import { type NoticeEvent, noticeText } from "../engine/notices/texts.ts";
import type { DeliveryRow, DeliveryStore } from "../store/index.ts";

export interface NoticeDeps {
  platform: Platform;
  store: DeliveryStore;
  mailer: Mailer | null;
}

interface Payload {
  id: string;
  tenantId: number;
  event: NoticeEvent;
}

type Sent = NonNullable<DeliveryRow["view"]["dropoff"]["notify"]>["sent"][number];
type Channel = Sent["channel"];

/** A receiver that fails this often is given up. */
const MAX_ATTEMPTS = 5;
/** How long an SMS gateway may take. */
const GATEWAY_MS = 10 * SECOND_MS;

export const noticeJob = (deps: NoticeDeps): Job<Payload> => ({
  name: "delivery.notice",
  maxAttempts: MAX_ATTEMPTS,
  async run(payload, { attempt }) {
    const row = await deps.store.find(payload.tenantId, payload.id);
    for (const channel of ["email", "phone"] as const) {
      const to = row?.view.dropoff.notify?.[channel];
      if (!row || !to || isSent(row, payload.event, channel)) continue;
      const status = await send(deps, row, payload.event, channel, to, attempt);
      await record(deps, payload, channel, status);
    }
  },
});

const isSent = ({ view }: DeliveryRow, event: NoticeEvent, channel: Channel): boolean =>
  view.dropoff.notify!.sent.some((sent) => sent.event === event && sent.channel === channel);

async function send(
  deps: NoticeDeps,
  row: DeliveryRow,
  event: NoticeEvent,
  channel: Channel,
  to: string,
  attempt: number,
): Promise<Sent["status"]> {
  if (await deps.store.notices.isStopped(row.tenantId, to)) return "stopped";
  if (row.mode === "test") return "simulated";
  const { settings } = await deps.store.facts.get(row.tenantId);
  const { language } = row.view.dropoff.notify!;
  const text = noticeText(language, event, { sender: settings.brand?.name ?? null, time: timeOf(row, language) });
  const isTaken =
    channel === "email"
      ? await mail(deps, { to, text, language, trackingUrl: row.view.tracking_url })
      : await post(deps, settings.sms_url, { to, text, event, delivery_id: row.id });
  if (isTaken === null && attempt < MAX_ATTEMPTS) throw new Error(`a ${channel} notice could not be sent; tried again`);
  return isTaken ? "sent" : "failed";
}

/** True when it was taken, false when it never will be, null when another try may help. */
async function mail({ mailer }: NoticeDeps, about: Parameters<typeof noticeMail>[0]): Promise<boolean | null> {
  if (!mailer) return false;
  const { ok, gone } = await mailer.send(noticeMail(about));
  return ok ? true : gone ? false : null;
}

async function post({ platform }: NoticeDeps, url: string | null, body: object): Promise<boolean | null> {
  if (!url) return false;
  try {
    const headers = { "Content-Type": "application/json" };
    const options = {
      method: "POST",
      headers,
      body: JSON.stringify(body),
      redirects: 0,
      polite: false,
      skipBody: true,
      limits: { totalMs: GATEWAY_MS },
    };
    const { status } = await platform.guard.fetch(url, options);
    if (status >= 200 && status < 300) return true;
    return status >= 500 || status === 429 ? null : false;
  } catch (error) {
    if (!(error instanceof GuardError)) throw error;
    return error.retryable ? null : false;
  }
}

async function record(
  { platform, store }: NoticeDeps,
  { id, tenantId, event }: Payload,
  channel: Channel,
  status: Sent["status"],
) {
  await platform.db.sql.begin(async (tx) => {
    const row = await store.lock(tx, tenantId, id);
    if (!row?.view.dropoff.notify || isSent(row, event, channel)) return;
    row.view.dropoff.notify.sent.push({ event, channel, at: formatTime(platform.clock.now()), status });
    await store.save(tx, row);
  });
}

function timeOf({ view }: DeliveryRow, language: string): string {
  const timeZone = view.locations.dropoff.time_zone ?? view.locations.pickup.time_zone ?? "UTC";
  const format = new Intl.DateTimeFormat(language, { hour: "numeric", minute: "2-digit", timeZone });
  return format.format(Date.parse(view.dropoff.estimated_arrival));
}
