// Two accounts × every id-taking route: a foreign id and an unknown id give the same bytes but for the request id.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { routes } from "../server/contracts.ts";
import { type Account, type Harness, routeOf, startHarness } from "./harness.ts";
import { sampleOf, samplePath, sampleQuery } from "./sample.ts";

let app: Harness;
let stranger: Account;
beforeAll(async () => {
  app = await startHarness();
  stranger = await app.openAccount("max");
});
afterAll(() => app.stop());

/** How the owner makes a thing of each kind; the answer's id is then a stranger's foreign id. */
const makers: Record<string, () => Promise<string>> = {
  key: async () => idOf("/keys", { name: "k", mode: "test", scopes: ["usage:read"] }),
  dlv: async () => (await schedule()).delivery_id,
  crr: async () =>
    idOf("/delivery/couriers", { ...sampleOf(routeOf("POST", "/v1/delivery/couriers")!.body), name: "C" }),
  tpl: async () => idOf("/delivery/templates", sampleOf(routeOf("POST", "/v1/delivery/templates")!.body)),
  plc: async () => {
    const { delivery_id } = await schedule();
    await app.call("PATCH", `/delivery/${delivery_id}`, { body: { dropoff: { lat: 42.5, lon: -70.9 } } });
    return (await app.call("GET", "/delivery/places")).body.data.items[0].id;
  },
  trk: async () => {
    const url = `${app.url}/demo-shop/kettle`;
    const { data } = (await app.call("GET", `/shopping/track?url=${encodeURIComponent(url)}`)).body;
    return data.tracker_id ?? data.id;
  },
  lvl: async () => idOf("/stock/levels", { symbol: "AAPL", above: "1000.00" }),
  alt: async () => idOf("/alerts/create", { tag: "kettle" }),
  ana: async () => {
    const content = "The kettle stood on the stove while the rain went on outside the window. ".repeat(12);
    return (await app.call("POST", "/detector/analyze", { body: { content, store: true } })).body.data.analysis_id;
  },
  bat: async () => idOf("/detector/batches", { items: [{ content: "The kettle stood on the stove." }] }),
  evt: async () => {
    await schedule();
    return (await app.call("GET", "/events?limit=1")).body.data.items[0].id;
  },
  whk: async () => idOf("/webhooks", { url: "https://example.com/hook", types: ["delivery.scheduled"] }),
};

async function idOf(path: string, body: unknown): Promise<string> {
  const reply = await app.call("POST", path, { body });
  const data = reply.body.data ?? {};
  const id = data.id ?? Object.entries<any>(data).find(([name]) => /_id$/.test(name))?.[1];
  if (!id) throw new Error(`POST ${path} made nothing: ${reply.text.slice(0, 300)}`);
  return id;
}

async function schedule() {
  const body = {
    pickup: { address: "Boston, MA", time: "2026-11-01T15:00:00Z" },
    dropoff: { address: "Salem, MA" },
  };
  return (await app.call("POST", "/delivery/schedule", { body })).body.data;
}

const taking = routes.flatMap((route) => {
  const prefix = /^\^([a-z]+)_/.exec((route.params as any)?.properties?.id?.pattern ?? "")?.[1];
  // An operator's route reaches every account: that is what it is for.
  return route.scope !== null && route.scope !== "admin" && prefix ? [{ route, prefix }] : [];
});

describe("a foreign id", () => {
  test.each(taking.map((t) => [`${t.route.method} ${t.route.path}`, t] as const))(
    "%s answers as for an unknown one",
    async (_, { route, prefix }) => {
      const foreign = await makers[prefix]();
      const unknown = `${prefix}_01KB2M3N4P5Q6R7S8T9V0W1X2Y`;
      const ask = async (id: string) => {
        const path = samplePath(route.path.replace("{id}", id), route.params) + sampleQuery(route.query);
        const reply = await app.call(route.method, path, {
          key: stranger.testKey,
          body: route.body ? sampleOf(route.body) : undefined,
        });
        return [reply.status, reply.text.replace(/req_[0-9A-Z]{26}/, "req_").replaceAll(id, "ID")];
      };
      const [theirs, nobodys] = [await ask(foreign), await ask(unknown)];
      expect(theirs).toEqual(nobodys);
      expect(theirs[0]).toBe(404);
    },
  );
});
