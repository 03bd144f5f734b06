// The doors without a key: the tracking page, the courier's page, and the reports of courier services.
import { handle, type Handler } from "../../../contract/define.ts";
import { Failure } from "../../../contract/errors.ts";
import { notFound, type Platform } from "../../../platform/platform.ts";
import type { Tx } from "../../../store/db.ts";
import { courierMove, courierPage as courierRoute, type Proof, providerHook, trackPage } from "../contract/index.ts";
import type { Fleet } from "./couriers.ts";
import type { Reports } from "../background/handover.ts";
import type { State } from "../machine.ts";
import type { Couriers, Report } from "../providers/port.ts";
import type { CourierRow, DeliveryStore } from "../store/index.ts";
import { courierPage } from "./pages/courier.ts";
import { trackingPage } from "./pages/track.ts";

const courierStates = [
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

export function createPages(
  platform: Platform,
  store: DeliveryStore,
  fleet: Fleet,
  couriers: Couriers,
  take: Reports,
): Handler[] {
  const { db } = platform;

  async function show(courier: CourierRow, said: string | null): Promise<Response> {
    const rows = await db.sql.begin((tx) => store.inHand(tx, courier.tenantId, courier.id));
    return courierPage(courier.view, rows, said);
  }

  async function find(token: string): Promise<CourierRow> {
    const courier = await store.couriers.findByToken(token);
    if (!courier) throw notFound("courier");
    return courier;
  }

  async function act(tx: Tx, courier: CourierRow, form: URLSearchParams, now: number): Promise<void> {
    const what = form.get("do") ?? "";
    if (what === "on_duty" || what === "off_duty") {
      courier.view.on_duty = what === "on_duty";
      if (what === "off_duty") await fleet.giveBack(tx, courier, now);
      await store.couriers.save(tx, courier);
    } else if (what === "position") {
      const [lat, lon] = [Number(form.get("lat")), Number(form.get("lon"))];
      if (!(Math.abs(lat) <= 90) || !(Math.abs(lon) <= 180))
        throw new Failure("wrong_state", "That is not a position.");
      await fleet.moved(tx, courier, { lat, lon }, now);
      await store.couriers.save(tx, courier);
    } else await actOn(tx, courier, what, form, now);
  }

  async function actOn(tx: Tx, courier: CourierRow, what: string, form: URLSearchParams, now: number): Promise<void> {
    const row = await store.lock(tx, courier.tenantId, form.get("delivery") ?? "");
    if (!row || row.view.courier?.id !== courier.id)
      throw new Failure("wrong_state", "That delivery is no longer yours.");
    if (what === "accept") return fleet.accept(tx, row, now);
    if (what === "decline") return fleet.act(tx, row, "courier", { to: "scheduled" }, now);
    if (!courierStates.includes(what)) throw new Failure("wrong_state", "That cannot be done.");
    await fleet.act(
      tx,
      row,
      "courier",
      { to: what as State, proof: proofOf(form), reason: form.get("reason")?.slice(0, 200) || undefined },
      now,
    );
  }

  return [
    handle(trackPage, async (call) => {
      const row = await store.findByTrack(call.params.token);
      if (!row) throw notFound("delivery");
      return trackingPage(row);
    }),
    handle(courierRoute, async (call) => show(await find(call.params.token), null)),
    handle(courierMove, async (call) => {
      const form = new URLSearchParams(new TextDecoder().decode(call.raw.bytes));
      const courier = await find(call.params.token);
      try {
        await db.sql.begin(async (tx) => {
          const locked = await store.couriers.lock(tx, courier.tenantId, courier.id);
          await act(tx, locked!, form, call.now);
        });
      } catch (error) {
        if (!(error instanceof Failure) || error.status === 500) throw error;
        const again = await show(await find(call.params.token), error.message);
        return new Response(again.body, { status: error.status, headers: again.headers });
      }
      // Back to the page, so that a reload does not send it twice.
      return new Response(null, { status: 303, headers: { Location: `/courier/${call.params.token}` } });
    }),
    handle(providerHook, async (call) => {
      const provider = couriers.get(call.params.provider);
      if (!provider) throw new Failure("provider_not_configured", `${call.params.provider} is not set up.`);
      let taken = 0;
      for (const report of readReports(call.request.headers, call.raw.bytes)) {
        const row = await store.findByReference(provider.name, report.ref);
        if (row && (await take(row.tenantId, row.id, report))) taken++;
      }
      return { taken };

      function readReports(headers: Headers, bytes: Uint8Array): Report[] {
        let reports: Report[] | null;
        try {
          reports = provider!.receive(headers, bytes);
        } catch {
          reports = [];
        }
        if (!reports) throw new Failure("invalid_api_key", "The report is not signed as it should be.");
        return reports;
      }
    }),
  ];
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
