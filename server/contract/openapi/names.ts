// Names of the schemas of the document and of the SDKs' types: what the contract named, else one per structure by rule.

/** What a route answers with (the item, for a list). Routes that are not named here get `<Namespace><Method>Result`. */
const answerNames: Record<string, string> = {
  "delivery.schedule": "Delivery",
  "delivery.estimate": "DeliveryEstimate",
  "delivery.couriers.list": "Courier",
  "shopping.track": "Tracker",
  "stock.quote": "StockQuotes",
  "stock.symbols": "StockSymbol",
  "stock.levels.list": "StockLevel",
  "detector.get": "StoredAnalysis",
  "alerts.create": "Alert",
  "alerts.matches": "AlertMatch",
  "alerts.deliveries": "AlertMessage",
  "user.profile": "Profile",
  "admin.accounts.create": "NewAccount",
  "keys.create": "NewKey",
  "keys.list": "Key",
  "usage.get": "Usage",
  "audit.list": "AuditEntry",
  "events.list": "Event",
  "webhooks.create": "NewWebhook",
  "webhooks.list": "Webhook",
  "webhooks.attempts": "WebhookAttempt",
  "sandbox.inbox": "SandboxMessage",
};

/** Rule-made name → better name. */
const betterNames: Record<string, string> = {
  AdminJobsListItem: "DeadJob",
  AlertResult: "AlertContentResult",
  AlertsTestResultDelivery: "AlertTestMessage",
  DeliveryHour: "WeeklyHours",
  DeliveryHourInput: "WeeklyHoursInput",
  DeliveryGiven: "DeliveryProofGiven",
  KeysRollResult: "RolledKey",
  ShoppingMin: "ShoppingExtreme",
  StockBid: "StockSide",
  StockMarketResult: "StockMarket",
  StockMarketsItem: "StockMarketListItem",
  StockTicksResultError: "StockTickError",
  DeliveryLocationsPickup: "DeliveryLocation",
  DeliverySchedulePickupInput: "DeliveryPickupInput",
  DeliveryScheduleDropoffInput: "DeliveryDropoffInput",
  StockQuotesResult: "StockQuoteEntry",
  DetectorAnalyzeResult1: "Analysis",
  DetectorAnalyzeResult2: "AnalysisBatch",
  AnalysisBatchResult2: "AnalysisFailure",
};

export const words = (text: string) => text.split(/[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])/).filter(Boolean);
export const pascal = (text: string) =>
  words(text)
    .map((w) => w[0].toUpperCase() + w.slice(1))
    .join("");
export const camel = (text: string) => pascal(text).replace(/^./, (c) => c.toLowerCase());
export const singular = (text: string) =>
  /ies$/.test(text)
    ? text.replace(/ies$/, "y")
    : /(ss|us|is)$/.test(text)
      ? text
      : /(ches|shes|xes)$/.test(text)
        ? text.slice(0, -2)
        : text.replace(/s$/, "");

const structures = new WeakMap<object, string>();

/** The shape without what only people read, as text. */
export function structureOf(schema: any): string {
  if (!schema || typeof schema !== "object") return JSON.stringify(schema);
  let structure = structures.get(schema);
  if (structure === undefined) structures.set(schema, (structure = write(schema)));
  return structure;
}

/** As JSON with sorted members; parts that were written before are not written again. */
function write(schema: any): string {
  if (Array.isArray(schema)) return `[${schema.map(structureOf).join()}]`;
  const kept = Object.entries<any>(schema).filter(
    ([key, v]) =>
      !(["description", "title", "words", "default"].includes(key) && typeof v !== "object") && key !== "examples",
  );
  return `{${kept
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, v]) => `"${key}":${structureOf(v)}`)
    .join()}}`;
}

export interface Naming {
  /** The name the contract gave to a shape of this structure, if it did. */
  given(schema: any, direction: "in" | "out"): string | undefined;
  nameOf(schema: any, direction: "in" | "out", suggested: string): string;
  /** Whether a structure other than this one has the name for itself. */
  isReserved(name: string, schema: any, direction: "in" | "out"): boolean;
}

interface Named {
  id: string;
  body?: any;
  answer?: any;
}

const inputName = (title: string) => (/(Request|Input|Query)$/.test(title) ? title : `${title}Input`);

export function createNaming(operations: Named[], events: any[]): Naming {
  const fixed = new Map<string, string>();
  const given = {
    in: namesOf(operations.map((o) => o.body)),
    out: namesOf([...operations.map((o) => o.answer), ...events]),
  };
  const titles = [
    ...titlesIn([...operations.map((o) => o.answer), ...events]),
    ...titlesIn(operations.map((o) => o.body)).map(inputName),
  ];
  const set = (schema: any, name: string) => {
    const key = `out ${structureOf(schema ?? {})}`;
    if (schema?.properties && !fixed.has(key)) fixed.set(key, name);
  };
  for (const { id, answer } of operations) if (answerNames[id]) set(answer, answerNames[id]);
  for (const { id, answer } of operations) if (answer && uses(operations, answer) > 1) set(answer, thingOf(id, fixed));
  for (const { id, body } of operations) {
    const key = `in ${structureOf(body ?? {})}`;
    if (body?.properties && !fixed.has(key)) fixed.set(key, `${pascal(id)}Request`);
  }
  nameNested(operations, fixed, given, titles);
  const reserved = new Set([...fixed.values(), ...titles]);
  return {
    given: (schema, direction) => schema.title ?? given[direction].get(structureOf(schema)),
    nameOf(schema, direction, suggested) {
      const title = schema.title ?? given[direction].get(structureOf(schema));
      if (title) return direction === "in" ? inputName(title) : title;
      const name = fixed.get(`${direction} ${structureOf(schema)}`) ?? suggested;
      return betterNames[name] ?? name;
    },
    isReserved(name, schema, direction) {
      return !schema.title && reserved.has(name) && fixed.get(`${direction} ${structureOf(schema)}`) !== name;
    },
  };
}

/** Structure → name of every shape that the contract named; the same name for two structures is a mistake. */
function namesOf(schemas: any[]): Map<string, string> {
  const names = new Map<string, string>();
  const structures = new Map<string, string>();
  const see = (schema: any): void => {
    if (!schema || typeof schema !== "object") return;
    if (typeof schema.title === "string" && (schema.properties || schema.anyOf)) {
      const structure = structureOf(schema);
      if ((structures.get(schema.title) ?? structure) !== structure)
        throw new Error(`Two shapes are named ${schema.title}. Hint: give one of them another name.`);
      structures.set(schema.title, structure);
      if (!names.has(structure)) names.set(structure, schema.title);
    }
    for (const value of Object.values(schema)) see(value);
  };
  for (const schema of schemas) see(schema);
  return names;
}

const titlesIn = (schemas: any[]): string[] =>
  [...JSON.stringify(schemas).matchAll(/"title":"(\w+)"/g)].map(([, title]) => title);

const VERBS = new Set(["create", "get", "list", "update", "change", "delete", "add", "remove", "read", "set"]);

/** What the calls are about: `stock.levels.create` → StockLevel, `alerts.get` → Alert. */
function thingOf(id: string, fixed: Map<string, string>): string {
  const [namespace, ...rest] = id.split(".");
  const nouns = words(rest.join(".")).filter((w) => !VERBS.has(w));
  const short = singular(pascal(namespace)) + singular(pascal(nouns.join("_")));
  return [...fixed.values()].includes(short) ? `${pascal(id)}Result` : short;
}

function uses(operations: Named[], schema: any): number {
  const structure = structureOf(schema);
  return operations.filter((o) => o.answer && structureOf(o.answer) === structure).length;
}

/** A property name that always holds the same structure within its namespace gives `<Namespace><Property>`. */
function nameNested(
  operations: Named[],
  fixed: Map<string, string>,
  given: Record<"in" | "out", Map<string, string>>,
  titles: string[],
): void {
  const taken = new Set([...fixed.values(), ...titles]);
  for (const side of ["answer", "body"] as const) {
    const found = new Map<string, Set<string>>();
    for (const operation of operations) {
      const prefix = singular(pascal(operation.id.split(".")[0]));
      visit(operation[side], (property, schema) => {
        if (given[side === "body" ? "in" : "out"].has(structureOf(schema))) return;
        const name = prefix + pascal(property) + (side === "body" ? "Input" : "");
        const key = `${side === "body" ? "in" : "out"} ${structureOf(schema)}`;
        found.set(name, (found.get(name) ?? new Set()).add(key));
      });
    }
    for (const [name, structures] of found) {
      const [structure] = structures;
      if (structures.size > 1 || taken.has(name) || fixed.has(structure)) continue;
      fixed.set(structure, name);
      taken.add(name);
    }
  }
}

function visit(schema: any, see: (property: string, schema: any) => void): void {
  if (!schema || typeof schema !== "object") return;
  for (const option of [...(schema.anyOf ?? []), ...(schema.allOf ?? [])]) visit(option, see);
  if (schema.items) visit(schema.items, see);
  for (const [name, property] of Object.entries<any>(schema.properties ?? {})) {
    for (const inner of [property, ...(property?.anyOf ?? [])]) {
      if (inner?.properties) see(name, inner);
      if (inner?.items?.properties) see(singular(name), inner.items);
    }
    visit(property, see);
  }
}
