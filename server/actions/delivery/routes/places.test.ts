// The address book: a door that was found once is found again, however its address is spelled.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Account, type Harness, startHarness } from "../../../../tests/harness.ts";

let app: Harness;
beforeAll(async () => {
  app = await startHarness();
});
afterAll(() => app.stop());

const DOOR = { lat: 52.5408, lon: 13.4125 };
const SPELLINGS = [
  "Schönhauser Allee 36, 10435 Berlin",
  "schoenhauser allee 36 10435 berlin",
  "Schönhauser Allee 36, Berlin, Germany",
  "36 Schonhauser Allee, Berlin 10435",
  "Schönhauser Alee 36\n10435 Berlin\nDeutschland",
];
const call = (account: Account, method: string, path: string, body?: unknown) =>
  app.call(method, path, { body, key: account.liveKey });
const schedule = async (account: Account, address: string) =>
  (
    await call(account, "POST", "/delivery/schedule", {
      pickup: { address: "Alexanderplatz, Berlin", time: "asap" },
      dropoff: { address },
    })
  ).body.data;
const metres = (a: any, b: any) => Math.hypot((a.lat - b.lat) * 111_200, (a.lon - b.lon) * 111_200 * 0.608);

describe("an address that was delivered to", () => {
  test("is placed within 50 m in five spellings, from where the courier stood", async () => {
    const account = await app.openAccount();
    const bo = (await call(account, "POST", "/delivery/couriers", { name: "Bo" })).body.data;
    const first = await schedule(account, SPELLINGS[0]);
    expect(first.locations.dropoff.precision).not.toBe("rooftop");
    const go = (to: string) =>
      call(account, "POST", `/delivery/${first.delivery_id}/advance`, { to, courier_id: bo.id });
    for (const to of ["assigned", "picked_up", "at_dropoff"]) await go(to);
    await call(account, "POST", `/delivery/couriers/${bo.id}/position`, DOOR);
    await go("delivered");
    for (const address of SPELLINGS) {
      const { locations } = await schedule(account, address);
      expect([address, locations.dropoff.precision]).toEqual([address, "rooftop"]);
      expect(metres(locations.dropoff, DOOR)).toBeLessThan(50);
    }
    for (const other of ["Schönhauser Allee 38, 10435 Berlin", "Kastanienallee 36, 10435 Berlin"])
      expect((await schedule(account, other)).locations.dropoff.precision).not.toBe("rooftop");
    const stranger = await app.openAccount();
    expect((await schedule(stranger, SPELLINGS[0])).locations.dropoff.precision).not.toBe("rooftop");
  });

  test("200 a pin moved by PATCH is remembered, and beats what couriers reported", async () => {
    const account = await app.openAccount();
    const { delivery_id, dropoff } = await schedule(account, SPELLINGS[0]);
    const moved = await call(account, "PATCH", `/delivery/${delivery_id}`, { dropoff: DOOR });
    expect(moved.body.data.locations.dropoff).toMatchObject({ ...DOOR, precision: "rooftop" });
    expect(moved.body.data.dropoff.promised_arrival).toBe(dropoff.promised_arrival);
    expect(metres((await schedule(account, SPELLINGS[3])).locations.dropoff, DOOR)).toBeLessThan(1);
  });
});
