// What is served outside /api/v1: health, metrics, the OpenAPI document.
import { createHash, timingSafeEqual } from "node:crypto";
import Type from "typebox";
import { type Call, handle, route, type Handler, type Route } from "../contract/define.ts";
import { Failure } from "../contract/errors.ts";
import { isLoopback } from "../lib/network.ts";
import { staticFile } from "./compress.ts";

export interface RootDeps {
  /** Names what is not ready; empty when everything is. */
  notReady(): Promise<string[]>;
  scrape(): Promise<{ contentType: string; text: string }>;
  /** What a scraper must send as its bearer token; null lets only this very machine scrape. */
  metricsToken: string | null;
  /** The OpenAPI document; each form is asked for once. */
  openapi(form: "json" | "yaml"): Promise<string>;
}

const text = Type.Any();

const live = route({
  id: "health.live",
  method: "GET",
  path: "/health/live",
  mount: "root",
  scope: null,
  unlimited: true,
  summary: "The process runs",
  answer: text,
});
const ready = route({
  id: "health.ready",
  method: "GET",
  path: "/health/ready",
  mount: "root",
  scope: null,
  unlimited: true,
  summary: "The service can take requests",
  answer: text,
});
const metrics = route({
  id: "metrics.scrape",
  method: "GET",
  path: "/metrics",
  mount: "root",
  scope: null,
  unlimited: true,
  summary: "Prometheus metrics",
  description: "With CONNECTOR_METRICS_TOKEN set, send it as a bearer token; without it only this machine may ask.",
  produces: "text/plain",
});
const openapi = route({
  id: "openapi.get",
  method: "GET",
  path: "/openapi.json",
  mount: "root",
  scope: null,
  summary: "The OpenAPI 3.1 document",
  answer: text,
});

const openapiYaml = route({
  id: "openapi.yaml",
  method: "GET",
  path: "/openapi.yaml",
  mount: "root",
  scope: null,
  summary: "The OpenAPI 3.1 document as YAML",
  produces: "application/yaml",
});

export const routes: Route[] = [live, ready, metrics, openapi, openapiYaml];

export function createRootRoutes(deps: RootDeps): Handler[] {
  const json = (value: unknown, status = 200) =>
    new Response(JSON.stringify(value), { status, headers: { "Content-Type": "application/json" } });
  const asJson = staticFile("application/json", () => deps.openapi("json"));
  const asYaml = staticFile("application/yaml", () => deps.openapi("yaml"));
  return [
    handle(live, () => json({ status: "live" })),
    handle(ready, async () => {
      const missing = await deps.notReady();
      return json({ status: missing.length > 0 ? "not_ready" : "ready", missing }, missing.length > 0 ? 503 : 200);
    }),
    handle(metrics, async (call) => {
      refuseScraper(call, deps.metricsToken);
      const { contentType, text } = await deps.scrape();
      return new Response(text, { headers: { "Content-Type": contentType } });
    }),
    handle(openapi, ({ request }) => asJson(request)),
    handle(openapiYaml, ({ request }) => asYaml(request)),
  ];
}

/** A request that a proxy passed on comes from elsewhere, whatever its address says. */
function refuseScraper({ request, clientAddress }: Call, token: string | null): void {
  if (token === null) {
    if (isLoopback(clientAddress) && !request.headers.has("x-forwarded-for")) return;
    const hint = "Set CONNECTOR_METRICS_TOKEN and send it as Authorization: Bearer.";
    throw new Failure("missing_api_key", "Metrics are shown to this machine alone.", { hint });
  }
  const given = createHash("sha256")
    .update(request.headers.get("authorization") ?? "")
    .digest();
  if (timingSafeEqual(given, createHash("sha256").update(`Bearer ${token}`).digest())) return;
  const hint = "Send Authorization: Bearer with the value of CONNECTOR_METRICS_TOKEN.";
  throw new Failure("missing_api_key", "The metrics need their own token.", { hint });
}
