// The interface of a channel: send once, report the result, never throw for a fault of the receiver.
import type { Message, VerifyMessage } from "../engine/channel/message.ts";

export interface Target {
  /** Of the channel. */
  id: string;
  type: string;
  /** What may be shown. */
  target: Record<string, string | number>;
  /** What may not. */
  secrets: Record<string, string>;
  /** Confirms and ends a subscription by mail. */
  token: string;
}

export interface SendResult {
  ok: boolean;
  status: number | null;
  error: string | null;
  retryAfterMs: number | null;
  /** The receiver asked to get nothing more. */
  gone: boolean;
}

export interface Outgoing {
  /** The same over retries. */
  id: string;
  atMs: number;
  message: Message | VerifyMessage;
}

export interface Sender {
  send(target: Target, outgoing: Outgoing): Promise<SendResult>;
}

export const sent = (status: number | null = null): SendResult => ({
  ok: true,
  status,
  error: null,
  retryAfterMs: null,
  gone: false,
});
export const failed = (error: string, more: Partial<SendResult> = {}): SendResult => ({
  ok: false,
  status: null,
  error,
  retryAfterMs: null,
  gone: false,
  ...more,
});
