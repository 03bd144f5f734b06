// Sends alerts by mail. The engine renders them, the platform's mailer sends them.
import type { Mailer } from "../../../lib/mail.ts";
import { email, type Mail, verificationMail } from "../engine/channel/email.ts";
import type { Message } from "../engine/channel/message.ts";
import { failed, type Outgoing, type Sender, sent, type Target } from "./port.ts";

export interface MailOptions {
  mailer: Mailer;
  publicUrl(): string;
}

export function mailOf({ target, token }: Target, { id, message }: Outgoing, publicUrl: string): Mail {
  const to = String(target.to);
  const domain = /^https?:\/\/([^/:]+)/.exec(publicUrl)?.[1] ?? "localhost";
  if ("verify" in message)
    return verificationMail({ to, confirmUrl: `${publicUrl}/alerts/confirm/${token}`, domain, id });
  return email(message as Message, { to, unsubscribeUrl: `${publicUrl}/alerts/unsubscribe/${token}`, domain });
}

export const createMailSender = ({ mailer, publicUrl }: MailOptions): Sender => ({
  async send(target, outgoing) {
    const { ok, status, error, gone } = await mailer.send(mailOf(target, outgoing, publicUrl()));
    return ok ? sent() : failed(error!, { status, gone });
  },
});
