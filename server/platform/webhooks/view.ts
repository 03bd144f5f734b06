// Rows of webhooks as answers.
import { toIso } from "../../store/db.ts";
import type { AttemptRow, NewAttempt } from "./store/attempts.ts";
import type { WebhookRow } from "./store/webhooks.ts";

export function viewWebhook(row: WebhookRow) {
  return {
    id: row.id,
    url: row.url,
    types: row.types,
    description: row.description,
    status: row.status,
    disabled_reason: row.disabledReason,
    disabled_at: toIso(row.disabledMs),
    failing_since: toIso(row.health.failingSinceMs),
    throttled_until: toIso(row.health.throttledUntilMs),
    old_secret_expires_at: toIso(row.oldSecretUntilMs),
    created_at: toIso(row.createdMs),
    updated_at: toIso(row.updatedMs),
  };
}

/** `requestBody` is the event as it was sent; null when it is no longer kept. */
export function viewAttempt(row: NewAttempt | AttemptRow, requestBody: string | null) {
  return {
    event_id: row.eventId,
    event_type: row.eventType,
    attempt: row.attempt,
    at: toIso(row.atMs),
    outcome: row.outcome,
    status: row.status,
    duration_ms: row.durationMs,
    error: row.error,
    next_at: toIso(row.nextMs),
    request_body: row.requestBody ?? requestBody,
    answer_body: row.answerBody,
  };
}
