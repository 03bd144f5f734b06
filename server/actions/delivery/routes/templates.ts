// Orders that come again, and the address book: made, listed, changed, removed.
import { type CallOf, handle, type Handler } from "../../../contract/define.ts";
import { formatTime } from "../../../lib/time.ts";
import { transact } from "../../../platform/idempotency/index.ts";
import { findOr404, notFound, readPage } from "../../../platform/pages.ts";
import * as contract from "../contract/index.ts";
import type { Template } from "../contract/templates.ts";
import { placeOf } from "../engine/places/learned.ts";
import { nextOccurrence } from "../engine/recurrence.ts";
import { checkCoordinates } from "../planner.ts";
import type { PlaceRow } from "../store/index.ts";
import type { RouteDeps } from "./deps.ts";

function addTemplate({ platform, store }: RouteDeps, call: CallOf<typeof contract.addTemplate>): Promise<Template> {
  const { name, order, recurrence } = call.body;
  checkCoordinates(order);
  const { tenantId, mode } = call.caller;
  return transact(platform.db, call, async (tx) => {
    const nextMs = nextOccurrence(recurrence, call.now);
    const view: Template = {
      id: platform.makeId("tpl"),
      name,
      order,
      recurrence,
      active: true,
      next_pickup: nextMs === null ? null : formatTime(nextMs),
      last_delivery_id: null,
      last_error: null,
      created_at: formatTime(call.now),
    };
    await store.templates.save(tx, { id: view.id, tenantId, mode, view, nextMs });
    return view;
  });
}

function listTemplates({ platform, store }: RouteDeps, { query, caller }: CallOf<typeof contract.listTemplates>) {
  return readPage({
    cursors: platform.cursors,
    list: `delivery templates ${caller.tenantId}`,
    query,
    read: (after, count) => store.templates.list(caller.tenantId, after, count),
    position: (row) => row.id,
    view: (row) => row.view,
  });
}

function changeTemplate(
  { platform, store }: RouteDeps,
  call: CallOf<typeof contract.changeTemplate>,
): Promise<Template> {
  if (call.body.order) checkCoordinates(call.body.order);
  return transact(platform.db, call, async (tx) => {
    const row = await findOr404("template", store.templates.lock(tx, call.caller.tenantId, call.params.id));
    Object.assign(row.view, call.body);
    row.nextMs = row.view.active ? nextOccurrence(row.view.recurrence, call.now) : null;
    row.view.next_pickup = row.nextMs === null ? null : formatTime(row.nextMs);
    await store.templates.save(tx, row);
    return row.view;
  });
}

function removeTemplate({ platform, store }: RouteDeps, call: CallOf<typeof contract.removeTemplate>) {
  const { id } = call.params;
  return transact(platform.db, call, async (tx) => {
    if (!(await store.templates.remove(tx, call.caller.tenantId, id))) throw notFound("template");
    return { id, deleted: true as const };
  });
}

function listPlaces({ platform, store }: RouteDeps, { query, caller }: CallOf<typeof contract.listPlaces>) {
  return readPage({
    cursors: platform.cursors,
    list: `delivery places ${caller.tenantId}`,
    query,
    read: (after, count) => store.places.list(caller.tenantId, after, count),
    position: (row) => row.id,
    view: placeView,
  });
}

function placeView({ id, address, sightings, updatedMs }: PlaceRow) {
  const { lat, lon } = placeOf(sightings);
  return { id, address, lat, lon, sightings: sightings.length, updated_at: formatTime(updatedMs) };
}

function removePlace({ platform, store }: RouteDeps, call: CallOf<typeof contract.removePlace>) {
  const { id } = call.params;
  return transact(platform.db, call, async (tx) => {
    if (!(await store.places.remove(tx, call.caller.tenantId, id))) throw notFound("place");
    return { id, deleted: true as const };
  });
}

export const templateHandlers = (deps: RouteDeps): Handler[] => [
  handle(contract.addTemplate, (call) => addTemplate(deps, call)),
  handle(contract.listTemplates, (call) => listTemplates(deps, call)),
  handle(contract.changeTemplate, (call) => changeTemplate(deps, call)),
  handle(contract.removeTemplate, (call) => removeTemplate(deps, call)),
  handle(contract.listPlaces, (call) => listPlaces(deps, call)),
  handle(contract.removePlace, (call) => removePlace(deps, call)),
];
