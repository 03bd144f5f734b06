// Sends mail by SMTP. The engine renders it.
import { createTransport, type Transporter } from "nodemailer";
import { email, type Mail, verificationMail } from "../engine/channel/email.ts";
import type { Message } from "../engine/channel/message.ts";
import { failed, type Outgoing, type Sender, sent, type Target } from "./port.ts";

export interface MailOptions {
  /** smtp://user:password@host:587 */
  smtpUrl: string;
  from: string;
  publicUrl(): string;
}

export function mailOf({ target, token }: Target, { id, message }: Outgoing, publicUrl: string): Mail {
  const to = String(target.to);
  const domain = /^https?:\/\/([^/:]+)/.exec(publicUrl)?.[1] ?? "localhost";
  if ("verify" in message)
    return verificationMail({ to, confirmUrl: `${publicUrl}/alerts/confirm/${token}`, domain, id });
  return email(message as Message, { to, unsubscribeUrl: `${publicUrl}/alerts/unsubscribe/${token}`, domain });
}

export function createMailSender({ smtpUrl, from, publicUrl }: MailOptions): Sender & { close(): void } {
  const transport: Transporter = createTransport(smtpUrl, { from });
  return {
    async send(target, outgoing) {
      const { to, subject, text, html, headers } = mailOf(target, outgoing, publicUrl());
      try {
        await transport.sendMail({ to, subject, text, html, headers, disableFileAccess: true, disableUrlAccess: true });
        return sent();
      } catch (error) {
        const code = (error as { responseCode?: number }).responseCode ?? null;
        return failed(`The mail server refused: ${(error as Error).message.slice(0, 300)}`, {
          status: code,
          gone: code === 550 || code === 553,
        });
      }
    },
    close: () => transport.close(),
  };
}
