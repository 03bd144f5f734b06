// What WebSub hubs call: the check of a subscription, and pushed feeds, which count only with the right signature.
import { createHmac, timingSafeEqual } from "node:crypto";
import { type Call, type Handler, handle } from "../../../contract/define.ts";
import { notFound } from "../../../platform/pages.ts";
import { takeItems } from "../background/feed-items.ts";
import { parseFeedBytes } from "../background/parse.ts";
import { LEASE_SECONDS } from "../background/websub.ts";
import * as contract from "../contract/index.ts";
import { lockFeedByHubToken, saveWebSub } from "../store/feeds.ts";
import type { AlertsContext } from "./context.ts";

const MAX_LEASE_SECONDS = 90 * 86_400;
const ALGORITHMS = new Set(["sha1", "sha256", "sha384", "sha512"]);

async function verifySubscription({ platform }: AlertsContext, call: Call): Promise<Response> {
  const mode = call.query["hub.mode"];
  const challenge = await platform.db.sql.begin(async (tx) => {
    const row = await lockFeedByHubToken(tx, call.params.token);
    if (!row?.websub || row.websub.topic !== call.query["hub.topic"]) throw notFound("subscription");
    if (mode === "denied") {
      await saveWebSub(tx, row.id, { ...row.websub, untilMs: null });
      return "";
    }
    // This service never unsubscribes: such a request is not ours, and refusing it keeps the subscription.
    if (mode !== "subscribe") throw notFound("subscription");
    const asked = Number(call.query["hub.lease_seconds"] ?? LEASE_SECONDS) || LEASE_SECONDS;
    const seconds = Math.min(asked, MAX_LEASE_SECONDS);
    await saveWebSub(tx, row.id, { ...row.websub, untilMs: call.now + seconds * 1000 });
    return call.query["hub.challenge"] ?? "";
  });
  return new Response(challenge, { headers: { "Content-Type": "text/plain; charset=utf-8" } });
}

/** Always 202: a wrong signature must reveal nothing, and must not make a hub give up. */
async function receivePush({ platform, index, wake }: AlertsContext, call: Call): Promise<Response> {
  const { makeId, seal, pool } = platform;
  await platform.db.sql.begin(async (tx) => {
    const row = await lockFeedByHubToken(tx, call.params.token);
    if (!row?.websub) throw notFound("subscription");
    const signature = call.request.headers.get("x-hub-signature");
    if (!isSigned(signature, seal.open(row.websub.sealed, row.id), call.raw.bytes)) return;
    const { bytes, contentType } = call.raw;
    const input = { bytes, contentType, url: row.state.url, feedId: row.id, mayDiscover: false };
    const { feed } = await parseFeedBytes(pool, input, `feed ${row.id}`);
    if (feed.format === "") return;
    const deps = { makeId, publicUrl: () => platform.publicUrl(), index, pool };
    await takeItems(deps, tx, row, feed, row.state.bodyHash === null, call.now);
  });
  wake();
  return new Response(null, { status: 202 });
}

function isSigned(header: string | null, secret: string, bytes: Uint8Array): boolean {
  const [algorithm, given] = (header ?? "").split("=");
  if (!ALGORITHMS.has(algorithm) || !given) return false;
  const right = createHmac(algorithm, secret).update(bytes).digest();
  const signature = Buffer.from(given, "hex");
  return signature.length === right.length && timingSafeEqual(signature, right);
}

export const websubRoutes = (context: AlertsContext): Handler[] => [
  handle(contract.verifyHub, (call) => verifySubscription(context, call)),
  handle(contract.pushFromHub, (call) => receivePush(context, call)),
];
