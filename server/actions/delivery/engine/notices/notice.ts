// Which moments of a delivery a recipient hears of, and the mail that says so. Pure.
import { escapeHtml } from "../../../../lib/html.ts";
import { type NoticeEvent, textsOf } from "./texts.ts";

const BY_STATUS: Record<string, NoticeEvent> = {
  picked_up: "on_its_way",
  en_route_to_dropoff: "on_its_way",
  at_dropoff: "near",
  delivered: "delivered",
  failed: "failed",
  returning: "failed",
};

/** What the recipient hears when a delivery comes into this state, if anything. */
export const noticeFor = (status: string): NoticeEvent | null => BY_STATUS[status] ?? null;

export interface NoticeMail {
  to: string;
  /** The one sentence. */
  text: string;
  language: string;
  trackingUrl: string;
}

/** The stop link is the tracking page, which is the recipient's own; mail programs may also post to it (RFC 8058). */
export function noticeMail({ to, text, language, trackingUrl }: NoticeMail) {
  const { stop } = textsOf(language);
  const direction = language === "ar" ? "rtl" : "ltr";
  const stopUrl = `${trackingUrl}?lang=${language}#messages`;
  return {
    to,
    subject: text,
    text: `${text}\n\n${trackingUrl}?lang=${language}\n\n${stop}: ${stopUrl}\n`,
    html: `<!doctype html><html lang="${language}" dir="${direction}"><body style="font:16px/1.5 system-ui,sans-serif"><p>${escapeHtml(text)}</p><p><a href="${escapeHtml(trackingUrl)}?lang=${language}">${escapeHtml(trackingUrl)}</a></p><p style="color:#666;font-size:13px"><a href="${escapeHtml(stopUrl)}">${escapeHtml(stop)}</a></p></body></html>`,
    headers: {
      "List-Unsubscribe": `<${trackingUrl}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      "Auto-Submitted": "auto-generated",
    },
  };
}
