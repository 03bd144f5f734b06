// Orders that come again, and the address book. Data, no logic.
import Type, { type Static } from "typebox";
import { route } from "../../../contract/define.ts";
import { about, Deleted, Id, Nullable, Page, pageQuery, Shape, Text, Time } from "../../../contract/shapes.ts";
import { TimeZone, WeeklyHours } from "./courier.ts";
import { Order } from "./order.ts";
import { Latitude, Longitude } from "./shapes.ts";

const { time: _, until: __, ...pickup } = Order.properties.pickup.properties;
const { external_id: ___, quote: ____, ...order } = Order.properties;

/** An order without a time: the recurrence says when. */
const TemplateOrder = Shape(
  { ...order, pickup: Shape(pickup, { description: "Pickup point; the recurrence says when." }) },
  {
    examples: [{ pickup: { address: "350 5th Ave, New York" }, dropoff: { address: "Downtown Brooklyn" } }],
  },
);

const Recurrence = Shape(
  {
    days: WeeklyHours.items.properties.days,
    time: WeeklyHours.items.properties.from,
    time_zone: TimeZone,
    until: Type.Optional(Time("Nothing is scheduled after this time.")),
  },
  { examples: [{ days: ["mon", "wed"], time: "09:00", time_zone: "America/New_York" }] },
);

export const Template = Shape({
  id: Id("tpl"),
  name: Type.String({ description: "Your own name for it." }),
  order: about(TemplateOrder, "What is ordered each time."),
  recurrence: about(Recurrence, "When it is picked up."),
  active: Type.Boolean({ description: "Whether deliveries are scheduled from it." }),
  next_pickup: Nullable(Time("The next pickup that is not scheduled yet.")),
  last_delivery_id: Nullable(Id("dlv", "The last delivery that was scheduled from it.")),
  last_error: Nullable(Type.String({ description: "Why the last one could not be scheduled." })),
  created_at: Time("When it was made."),
});
export type Template = Static<typeof Template>;

const params = Shape({ id: Id("tpl") });

export const addTemplate = route({
  id: "delivery.templates.create",
  method: "POST",
  path: "/delivery/templates",
  summary: "Order something again and again",
  description: "Each delivery is scheduled half a day before its pickup, once, whatever happens.",
  scope: "delivery:write",
  status: 201,
  body: Shape({
    name: Text("Your own name for it.", 100),
    order: about(TemplateOrder, "What is ordered each time."),
    recurrence: about(Recurrence, "When it is picked up."),
  }),
  answer: Template,
});

export const listTemplates = route({
  id: "delivery.templates.list",
  method: "GET",
  path: "/delivery/templates",
  summary: "List orders that come again",
  scope: "delivery:read",
  query: Shape(pageQuery),
  answer: Page(Template),
});

export const changeTemplate = route({
  id: "delivery.templates.update",
  method: "PATCH",
  path: "/delivery/templates/{id}",
  summary: "Stop, start or change an order that comes again",
  scope: "delivery:write",
  params,
  body: Shape(
    {
      name: Type.Optional(Text("Your own name for it.", 100)),
      order: Type.Optional(about(TemplateOrder, "What is ordered each time.")),
      recurrence: Type.Optional(about(Recurrence, "When it is picked up.")),
      active: Type.Optional(Type.Boolean({ description: "Whether deliveries are scheduled from it." })),
    },
    { minProperties: 1, examples: [{ active: false }] },
  ),
  answer: Template,
  errors: ["not_found"],
});

export const removeTemplate = route({
  id: "delivery.templates.delete",
  method: "DELETE",
  path: "/delivery/templates/{id}",
  summary: "Remove an order that comes again; what is scheduled stays",
  scope: "delivery:write",
  params,
  answer: Deleted("tpl"),
  errors: ["not_found"],
});

export const listPlaces = route({
  id: "delivery.places.list",
  method: "GET",
  path: "/delivery/places",
  summary: "List the doors your deliveries have taught",
  scope: "delivery:read",
  query: Shape(pageQuery),
  answer: Page(
    Shape({
      id: Id("plc"),
      address: Type.String({ description: "As it was first written." }),
      lat: Latitude(),
      lon: Longitude(),
      sightings: Type.Integer({ description: "How often it was seen." }),
      updated_at: Time("When it was last seen."),
    }),
  ),
});

export const removePlace = route({
  id: "delivery.places.delete",
  method: "DELETE",
  path: "/delivery/places/{id}",
  summary: "Forget a learned door",
  scope: "delivery:write",
  params: Shape({ id: Id("plc") }),
  answer: Deleted("plc"),
  errors: ["not_found"],
});

export const templateRoutes = [addTemplate, listTemplates, changeTemplate, removeTemplate, listPlaces, removePlace];
