// Two accounts × every id-taking route: a foreign id and an unknown id give the same bytes but for the request id.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { routes } from "../server/contracts.ts";
import { type Account, type Harness, startHarness } from "./harness.ts";
import { sampleOf, sampleQuery } from "./sample.ts";

let house: Harness;
let stranger: Account;
beforeAll(async () => {
  house = await startHarness();
  stranger = await house.openAccount("max");
});
afterAll(() => house.stop());

/** How the owner makes a thing of each kind; the answer's id is then a stranger's foreign id. */
const makers: Record<string, () => Promise<string>> = {
  key: async () =>
    (await house.call("POST", "/keys", { body: { name: "k", mode: "test", scopes: ["usage:read"] } })).body.data.id,
  dlv: async () => {
    const body = { pickup: { address: "Boston, MA", time: "2026-11-01T15:00:00Z" }, dropoff: { address: "Salem, MA" } };
    return (await house.call("POST", "/delivery/schedule", { body })).body.data.delivery_id;
  },
};

const taking = routes.flatMap((route) => {
  const prefix = /^\^([a-z]+)_/.exec((route.params as any)?.properties?.id?.pattern ?? "")?.[1];
  return route.scope !== null && prefix ? [{ route, prefix }] : [];
});

describe("a foreign id", () => {
  test.each(taking.map((t) => [`${t.route.method} ${t.route.path}`, t] as const))(
    "%s answers as for an unknown one",
    async (_, { route, prefix }) => {
      const foreign = await makers[prefix]();
      const unknown = `${prefix}_01KB2M3N4P5Q6R7S8T9V0W1X2Y`;
      const ask = async (id: string) => {
        const path = route.path.replace("{id}", id) + sampleQuery(route.query);
        const reply = await house.call(route.method, path, {
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
