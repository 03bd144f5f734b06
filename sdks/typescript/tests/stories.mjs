// Does the steps of the shared stories with the package as it was installed, under whatever runtime runs this file.
// Usage: stories.mjs <host address>; prints one JSON line a story.
import * as sdk from "action-connector";

const exported = { ...sdk, TypeError };

const host = process.argv[2];
const ask = async (path, body) => {
  const response = await fetch(host + path, body === undefined ? {} : { method: "POST", body: JSON.stringify(body) });
  return response.json();
};

/** Time that passes only when the client waits. */
function testRuntime() {
  let offset = 0;
  const waits = [];
  const warnings = [];
  return {
    waits,
    warnings,
    runtime: {
      now: () => Date.now() + offset,
      sleep: async (ms) => {
        offset += ms;
        waits.push(ms);
      },
      warn: (message) => void warnings.push(message),
    },
  };
}

const camel = (name) => name.replace(/[._](\w)/g, (_, c) => c.toUpperCase());

function clientOptions({ base_url, api_key, client }, runtime) {
  return {
    baseUrl: base_url,
    apiKey: api_key,
    maxRetries: client.max_retries,
    timeoutMs: client.timeout_ms,
    totalTimeoutMs: client.total_timeout_ms,
    pacing: client.pacing,
    streamIdleTimeoutMs: client.stream_idle_timeout_ms,
    runtime,
  };
}

const callOptions = (given = {}) => ({
  idempotencyKey: given.idempotency_key,
  timeoutMs: given.timeout_ms,
  totalTimeoutMs: given.total_timeout_ms,
  maxRetries: given.max_retries,
  lastEventId: given.last_event_id,
  contentType: given.content_type,
});

const kinds = {
  BadRequestError: "bad_request",
  AuthenticationError: "authentication",
  PermissionDeniedError: "permission_denied",
  NotFoundError: "not_found",
  ConflictError: "conflict",
  UnprocessableError: "unprocessable",
  RateLimitError: "rate_limit",
  ServerError: "server",
  ApiError: "api",
  TimeoutError: "timeout",
  ConnectionError: "connection",
  CanceledError: "canceled",
  TypeError: "argument",
  WebhookVerificationError: "webhook",
};

function describe(error) {
  const kind = Object.keys(kinds).find((name) => error?.constructor === exported[name]);
  return {
    kind: kinds[kind] ?? String(error?.stack ?? error),
    status: error.status,
    code: error.code,
    hint: error.hint,
    request_id: error.requestId,
    retry_after_ms: error.retryAfterMs,
    faults: error.errors,
    message: error.message,
  };
}

async function perform(client, step, run) {
  if (step.call === "$unwrap") {
    const { body, headers, secrets } = step.body;
    return { value: await sdk.unwrapWebhook(body, headers, secrets) };
  }
  const resource = step.call.split(".");
  const method = camel(resource.pop());
  const namespace = resource.reduce((at, name) => at[camel(name)], client);
  const canceling = new AbortController();
  const options = { ...callOptions(step.options), ...(step.cancel ? { signal: canceling.signal } : {}) };
  const args = [...(step.path ?? []), ...("body" in step ? [step.body] : []), ...("query" in step ? [step.query] : [])];
  const start = () => namespace[method](...args, options);
  if (step.as === "items") {
    const items = [];
    for await (const item of start()) items.push(item);
    return { value: items };
  }
  if (step.as === "events") {
    const events = [];
    for await (const event of start()) if (events.push(event) >= step.take) break;
    return { value: events };
  }
  let result;
  for (let n = 0; n < (step.repeat ?? 1); n++) {
    const call = start();
    if (step.cancel) ask(`/runs/${run}/held`).then(() => canceling.abort());
    result = await call.withResponse();
  }
  const value = result.data instanceof Response ? await result.data.text() : result.data;
  return { value, response: { status: result.response.status, request_id: result.requestId } };
}

const showQuota = (quota) =>
  quota && {
    policy: quota.policy,
    limit: quota.limit,
    remaining: quota.remaining,
    window_seconds: quota.windowSeconds,
  };

async function tell(name) {
  let { run, step, ...told } = await ask(`/stories/${encodeURIComponent(name)}`, {});
  if (!run) return told;
  const { waits, warnings, runtime } = testRuntime();
  const client = new sdk.ActionConnector(clientOptions(told, runtime));
  for (;;) {
    waits.length = 0;
    warnings.length = 0;
    const seen = await perform(client, step, run).catch((error) => ({ error: describe(error) }));
    const next = await ask(`/runs/${run}`, { ...seen, waits_ms: waits, warnings, quota: showQuota(client.quota) });
    if (next.done) return next;
    step = next.step;
  }
}

const { stories } = await ask("/stories");
for (const name of stories) {
  const { ok, faults } = await tell(name);
  console.log(JSON.stringify({ story: name, ok, faults }));
}
process.exit(0);
