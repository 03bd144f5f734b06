// The courier's page and what is sent from it. The address is the credential.
import { type CallOf, handle, type Handler } from "../../../../contract/define.ts";
import { Failure } from "../../../../contract/errors.ts";
import { findOr404 } from "../../../../platform/pages.ts";
import * as contract from "../../contract/index.ts";
import type { CourierRow } from "../../store/index.ts";
import { readCourierForm } from "./form.ts";
import { applyCourierMove, type CourierMove } from "./moves.ts";
import type { RouteDeps } from "../deps.ts";
import { courierPage } from "../pages/courier.ts";

export const findCourierByToken = ({ store }: RouteDeps, token: string): Promise<CourierRow> =>
  findOr404("courier", store.couriers.findByToken(token));

async function renderPage(deps: RouteDeps, token: string, message: string | null): Promise<Response> {
  const courier = await findCourierByToken(deps, token);
  const rows = await deps.platform.db.sql.begin((tx) => deps.store.inHand(tx, courier.tenantId, courier.id));
  return courierPage(token, courier.view, rows, message);
}

/** One press of a button. A refusal shows the page again with the reason. */
async function submitForm(deps: RouteDeps, call: CallOf<typeof contract.courierMove>): Promise<Response> {
  const { token } = call.params;
  const courier = await findCourierByToken(deps, token);
  try {
    const contentType = call.request.headers.get("content-type") ?? "";
    await runMove(deps, courier, await readCourierForm({ contentType, bytes: call.raw.bytes }), call.now);
  } catch (error) {
    if (!(error instanceof Failure) || error.status === 500) throw error;
    const page = await renderPage(deps, token, `${error.message} ${error.options.hint ?? ""}`.trim());
    return new Response(page.body, { status: error.status, headers: page.headers });
  }
  // Back to the page, so that a reload does not send it twice.
  return new Response(null, { status: 303, headers: { Location: `/courier/${token}` } });
}

async function runMove(deps: RouteDeps, courier: CourierRow, move: CourierMove, now: number): Promise<void> {
  const refusal = await deps.platform.db.sql.begin(async (tx) => {
    const locked = await deps.store.couriers.lock(tx, courier.tenantId, courier.id);
    return applyCourierMove(deps, tx, locked!, move, now);
  });
  if (refusal) throw refusal;
}

export const courierPageRoutes = (deps: RouteDeps): Handler[] => [
  handle(contract.courierPage, (call) => renderPage(deps, call.params.token, null)),
  handle(contract.courierMove, (call) => submitForm(deps, call)),
];
