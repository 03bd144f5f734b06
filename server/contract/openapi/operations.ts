// The operations of the document: parameters, bodies, answers, and the links from an answer to what can be done next.
import type { EventType, Route } from "../define.ts";
import { answerExampleOf, exampleOf } from "../example.ts";
import { answered, type Components } from "./components.ts";
import { createFailures, ownCodes } from "./failures.ts";
import { pascal, singular, words } from "./names.ts";

export const headers = {
  RateLimit: header('What is left of the quota and for how many seconds: "free";r=97;t=42.'),
  "RateLimit-Policy": header('The quota and its window in seconds: "free";q=100;w=60.'),
  "X-Request-Id": header("The id of this request, for support."),
  "Retry-After": header("How many seconds to wait before the next attempt."),
  "WWW-Authenticate": header("How to authenticate, and what is wrong with the key that was sent."),
};

function header(description: string) {
  return { description, schema: { type: "string" } };
}

export function createOperations(routes: Route[], components: Components) {
  const failures = createFailures(routes);
  const parameters = createParameters(routes, components);
  const answers = createAnswers(routes, components);

  return {
    operation(route: Route): Record<string, unknown> {
      const described = [
        ...parameters.of(route, "path"),
        ...parameters.of(route, "query"),
        ...parameters.idempotency(route),
      ];
      return {
        operationId: route.id,
        tags: [route.id.split(".")[0]],
        summary: route.summary,
        description: describe(route),
        ...(route.scope === null ? { security: [] } : { "x-scope": route.scope }),
        ...(described.length > 0 ? { parameters: described } : {}),
        ...((route.query as any)?.exactlyOne ? { "x-exactly-one": (route.query as any).exactlyOne } : {}),
        ...requestBody(route, components),
        responses: { [route.status ?? 200]: answers.of(route), ...failures.of(route) },
        ...(ownCodes(route).length > 0 ? { "x-error-codes": ownCodes(route) } : {}),
      };
    },
    responses: () => ({ ...answers.responses(), ...failures.responses(), Received: RECEIVED }),
    parameters: parameters.components,
  };
}

/** Linters ask for a description everywhere; the scope of a key is no OAuth scope, so it stands in words and in x-scope. */
function describe({ description, summary, scope }: Route): string {
  const needs = scope === null ? "" : `Needs the scope \`${scope}\`.`;
  return [description ? sentence(description) : needs ? "" : sentence(summary), needs].filter(Boolean).join(" ");
}

function requestBody(route: Route, components: Components): Record<string, unknown> {
  if (!route.body && !route.consumes) return {};
  const content: Record<string, unknown> = {};
  if (route.body) {
    const schema = plain(route.body);
    content["application/json"] = {
      schema: components.place(schema, "in", `${pascal(route.id)}Request`),
      example: exampleOf(schema),
    };
  }
  for (const type of route.consumes ?? []) content[type] ??= { schema: { type: "string" } };
  return { requestBody: { required: !route.bodyOptional, content } };
}

/** Parameters that several routes share are components. */
function createParameters(routes: Route[], components: Components) {
  const shared = new Map<string, { name: string; value: any }>();
  const uses = new Map<string, number>();
  const names = new Set<string>();
  const all = (route: Route, where: "path" | "query") => {
    const schema: any = plain(route[where === "path" ? "params" : "query"]);
    return Object.entries<any>(schema.properties ?? {}).map(([name, property]) => {
      const { description, ...rest } = property;
      return {
        name,
        in: where,
        ...(where === "path" || (schema.required ?? []).includes(name) ? { required: true } : {}),
        description: description ?? property.items?.description,
        ...(property.type === "array" ? { style: "form", explode: false } : {}),
        schema: components.place(asText(rest), "in", pascal(route.id) + pascal(name)),
      };
    });
  };
  for (const route of routes)
    for (const where of ["path", "query"] as const)
      for (const parameter of all(route, where)) {
        const key = JSON.stringify(parameter);
        uses.set(key, (uses.get(key) ?? 0) + 1);
      }

  function refer(parameter: any, route: Route): any {
    const key = JSON.stringify(parameter);
    if (uses.get(key)! < 2) return parameter;
    let known = shared.get(key);
    if (!known) {
      const before = route.path.split(`/{${parameter.name}}`)[0].split("/").at(-1)!;
      const base = parameter.in === "path" ? singular(pascal(before)) + pascal(parameter.name) : pascal(parameter.name);
      const name = names.has(base) ? pascal(route.id) + pascal(parameter.name) : base;
      names.add(name);
      shared.set(key, (known = { name, value: parameter }));
    }
    return { $ref: `#/components/parameters/${known.name}` };
  }

  return {
    of: (route: Route, where: "path" | "query") => all(route, where).map((parameter) => refer(parameter, route)),
    idempotency: (route: Route) =>
      route.method === "GET" || route.scope === null ? [] : [{ $ref: "#/components/parameters/IdempotencyKey" }],
    components: () => ({
      IdempotencyKey: {
        name: "Idempotency-Key",
        in: "header",
        description: "Makes a retry safe: the same key and body give the same answer for 24 hours.",
        schema: { type: "string", pattern: "^[!-~]{1,255}$", examples: ["order-1042"] },
      },
      ...Object.fromEntries([...shared.values()].map(({ name, value }) => [name, value])),
    }),
  };
}

/** In an address every value is text, so forms of another type are no shorthand there. */
const asText = (schema: any) => ({ ...schema, alsoAs: schema.alsoAs?.filter((form: any) => !form.schema.type) });

/** Answers by the name of what they carry; routes with the same answer share one component. */
function createAnswers(routes: Route[], components: Components) {
  const responses = new Map<string, unknown>();
  return {
    of(route: Route): unknown {
      if (!route.answer) {
        const example = isStream(route) ? STREAM_EXAMPLE : "sample";
        const schema = isStream(route) ? { $ref: "#/components/schemas/ServerSentEvent" } : { type: "string" };
        const content = { [route.produces ?? "text/plain"]: { schema, example } };
        return { description: sentence(route.summary), content };
      }
      const whole = plain(route.answer);
      const schema = answered(whole);
      const data = components.place(schema, "out", `${pascal(route.id)}Result`);
      const name = `${data.$ref?.split("/").at(-1) ?? pascal(route.id)}Response`;
      if (!responses.has(name)) {
        const envelope = components.place(
          {
            type: "object",
            title: name,
            required: ["success", "data"],
            properties: {
              success: { type: "boolean", const: true, description: "Always true." },
              data: schema.description || schema.words ? schema : { ...schema, words: "What was asked for." },
            },
          },
          "out",
          name,
        );
        const links = route.method === "DELETE" ? {} : linksOf(whole, routes);
        responses.set(name, {
          description: sentence(schema.description ?? "Success"),
          content: {
            "application/json": { schema: envelope, example: { success: true, data: answerExampleOf(whole) } },
          },
          ...(Object.keys(links).length > 0 ? { links } : {}),
        });
      }
      return { $ref: `#/components/responses/${name}` };
    },
    responses: () => Object.fromEntries([...responses].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

const isStream = (route: Route) => route.produces === "text/event-stream";

const STREAM_EXAMPLE = {
  id: "evt_01KB2M3N4P5Q6R7S8T9V0W1X2Y",
  event: "delivery.scheduled",
  data: '{"id":"evt_01KB2M3N4P5Q6R7S8T9V0W1X2Y"}',
};

/** What can be done with the thing an answer holds: the routes whose path takes an id like its own. */
function linksOf(schema: any, routes: Route[]): Record<string, unknown> {
  const [own, first] = Object.entries<any>(schema.properties ?? {})[0] ?? [];
  const property = first?.anyOf?.[0] ?? first;
  if (!property?.pattern?.startsWith("^") || !/(^|_)id$/.test(own)) return {};
  const links = routes.flatMap((route) => {
    const params = Object.entries<any>((route.params as any)?.properties ?? {});
    if (route.mount === "root" || params.length !== 1 || params[0][1].pattern !== property.pattern) return [];
    const link = { operationId: route.id, parameters: { [params[0][0]]: `$response.body#/data/${own}` } };
    return [[words(route.id).slice(1).join("_"), link]];
  });
  return Object.fromEntries(links);
}

const RECEIVED = { description: "Received; any other answer leads to another attempt." };

/** An event as a webhook brings it: the common envelope with the data of its type. */
export function webhook(event: EventType, components: Components): unknown {
  const data = components.place(answered(plain(event.data)), "out", `${pascal(event.type)}Data`);
  const own = { properties: { type: { const: event.type }, data } };
  const schema = { allOf: [{ $ref: "#/components/schemas/Event" }, own] };
  return {
    post: {
      operationId: event.type,
      tags: ["webhooks"],
      summary: event.summary.replace(/\.$/, ""),
      security: [],
      requestBody: { required: true, content: { "application/json": { schema } } },
      responses: { "2XX": { $ref: "#/components/responses/Received" } },
    },
  };
}

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

/** A copy without TypeBox's hidden marks. */
export const plain = (schema: unknown): any => (schema === undefined ? {} : JSON.parse(JSON.stringify(schema)));
