// Sends mail by SMTP for whatever action has something to say. What it says is rendered by the action.
import type { Transporter } from "nodemailer";

export interface OutgoingMail {
  to: string;
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
}

export interface MailResult {
  ok: boolean;
  status: number | null;
  error: string | null;
  /** The mail server says that there is no such mailbox. */
  gone: boolean;
}

export interface Mailer {
  send(mail: OutgoingMail): Promise<MailResult>;
  close(): void;
}

const NO_MAILBOX = new Set([550, 553]);

/** `smtpUrl` is e.g. smtp://user:password@host:587. */
export function createMailer(smtpUrl: string, from: string): Mailer {
  // Loaded only by a service that sends mail, and then at its start: megabytes that most do without.
  const loading: Promise<Transporter> = import("nodemailer").then(({ createTransport }) =>
    createTransport(smtpUrl, { from }),
  );
  return {
    async send({ to, subject, text, html, headers }) {
      try {
        const transport = await loading;
        await transport.sendMail({ to, subject, text, html, headers, disableFileAccess: true, disableUrlAccess: true });
        return { ok: true, status: null, error: null, gone: false };
      } catch (error) {
        const status = (error as { responseCode?: number }).responseCode ?? null;
        const reason = `The mail server refused: ${(error as Error).message.slice(0, 300)}`;
        return { ok: false, status, error: reason, gone: status !== null && NO_MAILBOX.has(status) };
      }
    },
    close: () => void loading.then((transport) => transport.close()),
  };
}
