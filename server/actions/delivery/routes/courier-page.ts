// The courier's own page and what is sent from it. The address is the credential.
import { type CallOf, handle, type Handler } from "../../../contract/define.ts";
import { Failure } from "../../../contract/errors.ts";
import { findOr404 } from "../../../platform/pages.ts";
import type { Tx } from "../../../store/db.ts";
import * as contract from "../contract/index.ts";
import type { Proof } from "../contract/shapes.ts";
import type { State } from "../contract/states.ts";
import type { CourierRow } from "../store/index.ts";
import type { RouteDeps } from "./deps.ts";
import { acceptOffer, moveByFleet, releaseDeliveries, updatePosition } from "./fleet-moves.ts";
import { courierPage } from "./pages/courier.ts";

const COURIER_STATES: readonly string[] = [
  "en_route_to_pickup",
  "at_pickup",
  "picked_up",
  "en_route_to_dropoff",
  "at_dropoff",
  "delivered",
  "returning",
  "returned",
  "failed",
];

const findCourier = ({ store }: RouteDeps, token: string): Promise<CourierRow> =>
  findOr404("courier", store.couriers.findByToken(token));

async function renderPage(deps: RouteDeps, token: string, message: string | null): Promise<Response> {
  const courier = await findCourier(deps, token);
  const rows = await deps.platform.db.sql.begin((tx) => deps.store.inHand(tx, courier.tenantId, courier.id));
  return courierPage(courier.view, rows, message);
}

/** One press of a button. A refusal shows the page again with the reason. */
async function submitMove(deps: RouteDeps, call: CallOf<typeof contract.courierMove>): Promise<Response> {
  const { token } = call.params;
  const form = new URLSearchParams(new TextDecoder().decode(call.raw.bytes));
  const courier = await findCourier(deps, token);
  try {
    await deps.platform.db.sql.begin(async (tx) => {
      const locked = await deps.store.couriers.lock(tx, courier.tenantId, courier.id);
      await applyForm(deps, tx, locked!, form, call.now);
    });
  } catch (error) {
    if (!(error instanceof Failure) || error.status === 500) throw error;
    const page = await renderPage(deps, token, error.message);
    return new Response(page.body, { status: error.status, headers: page.headers });
  }
  // Back to the page, so that a reload does not send it twice.
  return new Response(null, { status: 303, headers: { Location: `/courier/${token}` } });
}

async function applyForm(deps: RouteDeps, tx: Tx, courier: CourierRow, form: URLSearchParams, now: number) {
  const action = form.get("do") ?? "";
  if (action === "on_duty" || action === "off_duty") {
    courier.view.on_duty = action === "on_duty";
    if (action === "off_duty") await releaseDeliveries(deps, tx, courier, now);
    await deps.store.couriers.save(tx, courier);
  } else if (action === "position") {
    const [lat, lon] = [Number(form.get("lat")), Number(form.get("lon"))];
    if (!(Math.abs(lat) <= 90) || !(Math.abs(lon) <= 180)) throw new Failure("wrong_state", "That is not a position.");
    await updatePosition(deps, tx, courier, { lat, lon }, now);
    await deps.store.couriers.save(tx, courier);
  } else await applyDeliveryForm(deps, tx, courier, form, now);
}

async function applyDeliveryForm(deps: RouteDeps, tx: Tx, courier: CourierRow, form: URLSearchParams, now: number) {
  const action = form.get("do") ?? "";
  const row = await deps.store.lock(tx, courier.tenantId, form.get("delivery") ?? "");
  if (!row || row.view.courier?.id !== courier.id)
    throw new Failure("wrong_state", "That delivery is no longer yours.");
  if (action === "accept") return acceptOffer(deps, tx, row, now);
  if (action === "decline") return moveByFleet(deps, tx, row, "courier", { to: "scheduled" }, now);
  if (!COURIER_STATES.includes(action)) throw new Failure("wrong_state", "That cannot be done.");
  const reason = form.get("reason")?.slice(0, 200) || undefined;
  await moveByFleet(deps, tx, row, "courier", { to: action as State, proof: proofOf(form), reason }, now);
}

function proofOf(form: URLSearchParams): Proof | undefined {
  const proof: Proof = {};
  for (const name of ["photo_sha256", "pin", "signature", "note"] as const) {
    const value = form.get(name)?.trim();
    if (value) proof[name] = value.slice(0, name === "note" ? 500 : 100);
  }
  if (proof.photo_sha256 && !/^[0-9a-f]{64}$/.test(proof.photo_sha256)) delete proof.photo_sha256;
  if (proof.pin && !/^\d{4}$/.test(proof.pin)) delete proof.pin;
  return Object.keys(proof).length > 0 ? proof : undefined;
}

export const courierPageRoutes = (deps: RouteDeps): Handler[] => [
  handle(contract.courierPage, (call) => renderPage(deps, call.params.token, null)),
  handle(contract.courierMove, (call) => submitMove(deps, call)),
];
