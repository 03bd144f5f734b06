// What a user of the package sees.
export { ActionConnector, ActionConnector as default, type ClientOptions } from "./client.ts";
export { Call, type WithResponse } from "./call.ts";
export * from "./errors.ts";
export type * from "./generated/types.ts";
export type { LogLevel, WriteLine } from "./log.ts";
export { Page, PageCall } from "./page.ts";
export { readQuota, type QuotaSnapshot } from "./quota.ts";
export { SseParser, type RawEvent } from "./sse.ts";
export { EventStream, type ServerEvent } from "./stream.ts";
export type { Fetch, RequestOptions, Runtime } from "./transport.ts";
export { version } from "./version.ts";
export { type Dated, withDates } from "./times.ts";
export { signWebhook, unwrapWebhook, verifyWebhook, type WebhookEvent, type WebhookOptions } from "./webhook.ts";
