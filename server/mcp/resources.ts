// Deliveries, trackers, alerts and analyses as MCP resources: how they are listed, read and recognised in events.
import type { Resource, ResourceTemplateType } from "@modelcontextprotocol/server";
import type { Route } from "../contract/define.ts";
import type { RestAnswer, Send } from "./actions.ts";
import { callRoute } from "./actions.ts";

interface Kind {
  /** First word of the address: connector://deliveries/dlv_… */
  name: string;
  title: string;
  /** What ids of this kind begin with. */
  prefix: string;
  list: string;
  get: string;
  idOf(item: any): string;
  nameOf(item: any): string;
}

const KINDS: Kind[] = [
  {
    name: "deliveries",
    title: "A delivery",
    prefix: "dlv_",
    list: "delivery.list",
    get: "delivery.get",
    idOf: (i) => i.delivery_id,
    nameOf: (i) => `${i.status}: ${i.dropoff?.address}`,
  },
  {
    name: "trackers",
    title: "A tracked product",
    prefix: "trk_",
    list: "shopping.list",
    get: "shopping.get",
    idOf: (i) => i.id,
    nameOf: (i) => i.url,
  },
  {
    name: "alerts",
    title: "An alert",
    prefix: "alt_",
    list: "alerts.list",
    get: "alerts.get",
    idOf: (i) => i.id,
    nameOf: (i) => i.name,
  },
  {
    name: "analyses",
    title: "A kept analysis",
    prefix: "ana_",
    list: "detector.list",
    get: "detector.get",
    idOf: (i) => i.analysis_id,
    nameOf: (i) => i.verdict,
  },
];
/** Newest of each kind that a list shows; older ones are read by their address. */
const LISTED = 20;

const SCHEME = "connector://";

export const resourceTemplates = (): ResourceTemplateType[] =>
  KINDS.map(({ name, title }) => ({ uriTemplate: `${SCHEME}${name}/{id}`, name, title, mimeType: "application/json" }));

/** The newest resources that the key may read. Each kind is one request of the quota. */
export async function listResources(
  send: Send,
  routes: Map<string, Route>,
  allowed: (route: Route) => boolean,
): Promise<Resource[]> {
  const found: Resource[] = [];
  for (const kind of KINDS) {
    const route = routes.get(kind.list);
    if (!route || !allowed(route)) continue;
    const answer = await callRoute(send, route, { params: {}, query: { limit: LISTED }, body: undefined });
    for (const item of answer.data?.items ?? []) {
      const uri = `${SCHEME}${kind.name}/${kind.idOf(item)}`;
      found.push({
        uri,
        name: String(kind.nameOf(item)).slice(0, 100),
        title: kind.title,
        mimeType: "application/json",
      });
    }
  }
  return found;
}

/** Null for an address that names no resource of ours. */
export function readResource(send: Send, routes: Map<string, Route>, uri: string): Promise<RestAnswer> | null {
  const [, name, id] = /^connector:\/\/([a-z]+)\/([\w-]+)$/.exec(uri) ?? [];
  const kind = KINDS.find((k) => k.name === name);
  const route = kind && routes.get(kind.get);
  return route ? callRoute(send, route, { params: { id }, query: {}, body: undefined }) : null;
}

/** The resources an event is about: every id in it that is one of theirs. */
export function resourcesOf(eventJson: string): string[] {
  const uris = new Set<string>();
  for (const [id] of eventJson.matchAll(/\b(?:dlv|trk|alt|ana)_[A-Za-z0-9]+/g)) {
    const kind = KINDS.find((k) => id.startsWith(k.prefix));
    if (kind) uris.add(`${SCHEME}${kind.name}/${id}`);
  }
  return [...uris];
}
