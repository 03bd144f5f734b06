// `connector webhooks listen --forward-to URL`: hands the account's events to a local receiver as a webhook would, signed.
import type { Event } from "../../../sdks/typescript/src/index.ts";
import { signWebhook } from "../../../sdks/typescript/src/webhook.ts";
import { systemClock } from "../../lib/clock.ts";
import { type Command, UsageError } from "../command.ts";
import { usageOf } from "../help.mjs";
import { connect, findTarget } from "./connection.ts";
import { once } from "./events.ts";
import { follow, readLimit } from "./follow.ts";
import { readProfiles, writeProfiles } from "./profiles.ts";
import { clockTime, paint, plain, printJson } from "./terminal.ts";

/** As long as a webhook of the service waits. */
const TIMEOUT_MS = 15_000;
const SECRET_BYTES = 32;
const MAX_SHOWN = 200;

export const webhooks: Command = async (input) => {
  const { words, flags } = input;
  if (words[0] !== "listen" || words.length > 1) throw new UsageError(usageOf("webhooks"));
  const target = readTarget(flags["forward-to"]);
  const limit = readLimit(flags.limit);
  const client = connect(input);
  const secret = secretOf(findTarget(flags).profile);
  const onReady = once(() => {
    console.error(`Forwarding to ${target}\nSigning secret: ${secret}\nReady. Ctrl+C ends it.`);
  });
  const stream = client.events.stream({ type: flags.type }, { lastEventId: flags.after, onReady });
  await follow(
    stream,
    async ({ data }) => {
      const answer = await forward(data, target, secret);
      if (flags.json) printJson({ event: data.id, type: data.type, ...answer });
      else showAnswer(data, answer);
    },
    limit,
  );
};

/** `3000/hook` and `127.0.0.1:3000` are short for a local address. */
function readTarget(text: string | undefined): string {
  if (text === undefined)
    throw new UsageError("Where to? Hint: connector webhooks listen --forward-to http://127.0.0.1:3000/hook");
  const whole = /^\d{1,5}(\/|$)/.test(text)
    ? `http://127.0.0.1:${text}`
    : /^https?:\/\//.test(text)
      ? text
      : `http://${text}`;
  if (!URL.canParse(whole))
    throw new UsageError(`--forward-to ${text} is no address. Hint: --forward-to http://127.0.0.1:3000/hook`);
  return new URL(whole).href;
}

/** The same for every run of a profile, so that a receiver is set up once. */
function secretOf(profile: string | null): string {
  const known = readProfiles();
  const kept = profile === null ? null : known.profiles[profile];
  if (kept?.webhook_secret) return kept.webhook_secret;
  const secret = `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(SECRET_BYTES))).toString("base64")}`;
  if (kept) {
    kept.webhook_secret = secret;
    writeProfiles(known);
  }
  return secret;
}

interface Answer {
  status: number | null;
  duration_ms: number;
  error: string | null;
  body: string | null;
}

async function forward(event: Event, target: string, secret: string): Promise<Answer> {
  const started = systemClock.monotonic();
  // Standard Webhooks asks for `timestamp` beside type and data.
  const body = JSON.stringify({ timestamp: event.created_at, ...event });
  const headers = { "content-type": "application/json", ...(await signWebhook(body, secret, { id: event.id })) };
  const done = (rest: Partial<Answer>): Answer => ({
    status: null,
    error: null,
    body: null,
    duration_ms: Math.round(systemClock.monotonic() - started),
    ...rest,
  });
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const answer = await fetch(target, { method: "POST", headers, body, redirect: "manual", signal });
    const text = (await answer.text()).slice(0, MAX_SHOWN);
    return done({ status: answer.status, body: text || null });
  } catch (error) {
    return done({ error: (error as Error).message });
  }
}

function showAnswer(event: Event, { status, error, duration_ms, body }: Answer): void {
  const ok = status !== null && status < 300;
  const said = error ?? (ok ? "" : plain(body));
  console.log(
    `${paint("dim", clockTime(event.created_at))}  ${paint("cyan", event.type)}  ${paint("dim", event.id)}  ${paint(ok ? "green" : "red", `→ ${status ?? "failed"}`)}  ${duration_ms} ms  ${said}`.trimEnd(),
  );
}
