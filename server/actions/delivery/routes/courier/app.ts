// The courier's app: its files, its work as JSON, and the moves it sends, each taken once and in order.
import { type CallOf, handle, type Handler } from "../../../../contract/define.ts";
import { Failure } from "../../../../contract/errors.ts";
import { DAY_MS, parseTime } from "../../../../lib/time.ts";
import * as contract from "../../contract/index.ts";
import type { CourierRow } from "../../store/index.ts";
import { applyCourierMove } from "./moves.ts";
import { findCourierByToken } from "./page.ts";
import type { RouteDeps } from "../deps.ts";
import { clientScript } from "../pages/client-scripts.ts";
import { courierWork, ICON, manifestOf } from "../pages/courier-app.ts";

/** A phone may have been offline for days, but not for ever. */
const MAX_AGE_MS = 7 * DAY_MS;

type Moves = CallOf<typeof contract.courierMoves>;
type Move = Moves["body"]["moves"][number];
type Result = { id: string; status: "done" | "repeated" | "refused"; detail: string | null };

async function sendFile(deps: RouteDeps, call: CallOf<typeof contract.courierFile>): Promise<Response> {
  const { token, file } = call.params;
  const courier = await findCourierByToken(deps, token);
  switch (file) {
    case "app.js":
      return respond(await clientScript("courier-app"), "text/javascript");
    case "sw.js":
      // The page lies one level above its files, so the worker must be allowed to reach it.
      return respond(await clientScript("service-worker"), "text/javascript", {
        "Service-Worker-Allowed": `/courier/${token}`,
      });
    case "app.webmanifest":
      return respond(JSON.stringify(manifestOf(token, courier.view)), "application/manifest+json");
    case "icon.svg":
      return respond(ICON, "image/svg+xml");
    case "work.json": {
      const rows = await deps.platform.db.sql.begin((tx) => deps.store.inHand(tx, courier.tenantId, courier.id));
      return respond(JSON.stringify(courierWork(courier.view, rows)), "application/json");
    }
  }
}

const respond = (body: string, type: string, headers: Record<string, string> = {}): Response =>
  new Response(body, { headers: { "Content-Type": type, "Cache-Control": "no-cache", ...headers } });

async function takeMoves(deps: RouteDeps, call: Moves): Promise<{ results: Result[] }> {
  const courier = await findCourierByToken(deps, call.params.token);
  const results: Result[] = [];
  for (const move of call.body.moves) results.push(await takeMove(deps, courier, move, call.now));
  return { results };
}

/** The move and the record of it are one transaction: after a crash the app sends it again, and it counts once. */
async function takeMove(deps: RouteDeps, courier: CourierRow, move: Move, now: number): Promise<Result> {
  const { id } = move;
  const { courierMoves, couriers } = deps.store;
  try {
    const taken = await deps.platform.db.sql.begin(async (tx) => {
      const locked = await couriers.lock(tx, courier.tenantId, courier.id);
      if (!locked) throw new Failure("wrong_state", "This courier is no longer there.");
      if (!(await courierMoves.claim(tx, courier.id, id, now))) return "repeated";
      const atMs = Math.min(now, Math.max(parseTime(move.at)!, now - MAX_AGE_MS));
      return applyCourierMove(deps, tx, locked, { action: move.do, ...move }, atMs);
    });
    if (taken instanceof Failure) throw taken;
    if (taken === null) return { id, status: "done", detail: null };
    const detail = await courierMoves.refusalOf(courier.id, id);
    return { id, status: detail === null ? "repeated" : "refused", detail };
  } catch (error) {
    if (!(error instanceof Failure) || error.status === 500) throw error;
    const detail = `${error.message} ${error.options.hint ?? ""}`.trim();
    await courierMoves.refuse(courier.id, id, detail, now);
    return { id, status: "refused", detail };
  }
}

export const courierAppRoutes = (deps: RouteDeps): Handler[] => [
  handle(contract.courierFile, (call) => sendFile(deps, call)),
  handle(contract.courierMoves, (call) => takeMoves(deps, call)),
];
