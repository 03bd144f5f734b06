// Channels that are one or several HTTP requests: rendered by the engine, sent through guard-fetch.
import { GuardError, type GuardFetch } from "../../../lib/guard-fetch/index.ts";
import { webhookHeaders } from "../../../lib/sign.ts";
import { discord, mattermost, slack, teams } from "../engine/channel/chat.ts";
import type { ChannelRequest, Message } from "../engine/channel/message.ts";
import { gotify, matrix, ntfy, pagerduty, telegram } from "../engine/channel/push.ts";
import { payloadOf } from "../engine/channel/webhook.ts";
import { failed, type Outgoing, type Sender, type SendResult, sent, type Target } from "./port.ts";

const TIMEOUT_MS = 15_000;
const LIMITS = { totalMs: TIMEOUT_MS, idleMs: TIMEOUT_MS, connectMs: 5000, headerBytes: 16_384 };

/** The requests that carry a message to a channel. */
export function requestsOf({ type, target, secrets }: Target, { id, atMs, message }: Outgoing): ChannelRequest[] {
  const m = message as Message;
  const url = String(target.url ?? secrets.url ?? "");
  const optional = target.base_url === undefined ? {} : { baseUrl: String(target.base_url) };
  switch (type) {
    case "slack":
      return slack(m, { url });
    case "discord":
      return discord(m, { url });
    case "teams":
      return teams(m, { url });
    case "mattermost":
      return mattermost(m, { url });
    case "telegram":
      return telegram(m, {
        token: secrets.token,
        chatId: String(target.chat_id),
        ...(target.thread_id === undefined ? {} : { threadId: Number(target.thread_id) }),
        ...optional,
      });
    case "ntfy":
      return ntfy(m, { topic: String(target.topic), ...(secrets.token ? { token: secrets.token } : {}), ...optional });
    case "gotify":
      return gotify(m, { baseUrl: String(target.base_url), token: secrets.token });
    case "matrix":
      return matrix(m, { baseUrl: String(target.base_url), roomId: String(target.room_id), token: secrets.token });
    case "pagerduty":
      return pagerduty(m, { routingKey: secrets.routing_key, ...optional });
    default: {
      const body = JSON.stringify(payloadOf(m));
      const headers = webhookHeaders([secrets.secret], { id, timestamp: Math.floor(atMs / 1000), body });
      return [{ method: "POST", url, headers: { "Content-Type": "application/json", ...headers }, body }];
    }
  }
}

export function createHttpSender(guard: Pick<GuardFetch, "fetch">): Sender {
  async function once(request: ChannelRequest): Promise<SendResult> {
    try {
      const answer = await guard.fetch(request.url, {
        method: request.method,
        headers: request.headers,
        body: request.body,
        redirects: 0,
        limits: LIMITS,
        polite: false,
        idempotent: true,
        skipBody: true,
      });
      if (answer.status >= 200 && answer.status < 300) return sent(answer.status);
      return failed(`The receiver answered ${answer.status}.`, {
        status: answer.status,
        retryAfterMs: answer.retryAfterMs,
        gone: answer.status === 410,
      });
    } catch (error) {
      if (!(error instanceof GuardError)) throw error;
      return failed(`${error.code}: ${error.detail}`, { retryAfterMs: error.retryAfterMs ?? null });
    }
  }
  return {
    async send(target, outgoing) {
      let last = sent();
      for (const request of requestsOf(target, outgoing)) {
        last = await once(request);
        if (!last.ok) return last;
      }
      return last;
    },
  };
}
