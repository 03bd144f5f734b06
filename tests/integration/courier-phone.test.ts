// The courier's app on a phone: proof in three taps, and work without a network that arrives in order and once.
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { createServer } from "node:net";
import { rmSync } from "node:fs";
import { makeDataFolder, type Running, startConnector } from "../connector.ts";
import { type Harness, startHarness } from "../harness.ts";
import { chromiumPath, makeProfile, openPhone, type Phone, removeProfile } from "../phone.ts";

setDefaultTimeout(180_000);

/** The smallest picture there is: a PNG of one pixel. */
const PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const ORDER = { pickup: { address: "New York, NY 10118", time: "asap" }, dropoff: { address: "Brooklyn, NY 11201" } };

const cleanups: (() => unknown)[] = [];
afterAll(async () => {
  for (const clean of cleanups.toReversed()) await clean();
});

async function phoneAt(url: string, profile = makeProfile()): Promise<Phone> {
  const phone = await openPhone(profile);
  cleanups.push(
    () => removeProfile(profile),
    () => phone.close(),
  );
  await phone.page.goto(url);
  return phone;
}

describe.skipIf(!chromiumPath)("the courier's app", () => {
  test("a photograph proves a delivery in three taps", async () => {
    const app: Harness = await startHarness();
    cleanups.push(() => app.stop());
    const courier = (await app.call("POST", "/delivery/couriers", { body: { name: "Bo" } })).body.data;
    const { delivery_id: id } = (await app.call("POST", "/delivery/schedule", { body: { ...ORDER, proof: ["photo"] } }))
      .body.data;
    const go = (body: object) => app.call("POST", `/delivery/${id}/advance`, { body });
    for (const to of ["assigned", "picked_up", "at_dropoff"]) await go({ to, courier_id: courier.id });
    const { page } = await phoneAt(courier.courier_url);
    const chooser = page.waitForEvent("filechooser");
    await page.getByText("Take a photo").click();
    // The second tap is the camera's own shutter.
    await (await chooser).setFiles({ name: "door.png", mimeType: "image/png", buffer: PICTURE });
    await page.getByRole("button", { name: "Delivered" }).click();
    await page.getByText("Nothing to do now.").waitFor();
    await page.getByText("Up to date").waitFor();
    const { status, proof } = (await app.call("GET", `/delivery/${id}`)).body.data;
    expect([status, proof.required, proof.given.photo_url]).toEqual([
      "delivered",
      ["photo"],
      expect.stringContaining("/proof/photo"),
    ]);
    const photo = await fetch(proof.given.photo_url, { headers: { Authorization: `Bearer ${app.key}` } });
    expect([photo.status, photo.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
  });

  test("50 moves made offline arrive in order and once, through kill -9 of the phone and of the service", async () => {
    const folder = makeDataFolder();
    const settings = { CONNECTOR_PORT: String(await freePort()) };
    let service: Running = await startConnector(folder, settings);
    cleanups.push(
      () => rmSync(folder, { recursive: true, force: true }),
      () => service.stop(),
    );
    const call = async (method: string, path: string, body?: object) => {
      const headers = { Authorization: `Bearer ${service.key}`, "Content-Type": "application/json" };
      const reply = await fetch(`${service.url}/api/v1${path}`, {
        method,
        headers,
        body: body && JSON.stringify(body),
      });
      return ((await reply.json()) as any).data;
    };
    const courier = await call("POST", "/delivery/couriers", { name: "Bo", capacity: 20 });
    const ids: string[] = [];
    // Far enough ahead that the dispatcher leaves them alone.
    const pickup = { ...ORDER.pickup, time: new Date(Date.now() + 20 * 3_600_000).toISOString() };
    for (let i = 0; i < 10; i++) ids.push((await call("POST", "/delivery/schedule", { ...ORDER, pickup })).delivery_id);
    for (const id of ids) await call("POST", `/delivery/${id}/advance`, { to: "assigned", courier_id: courier.id });

    const profile = makeProfile();
    let phone = await phoneAt(courier.courier_url, profile);
    await phone.page.getByText("Up to date").waitFor();
    await phone.page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await phone.context.setOffline(true);
    const steps = ["Set out for the pickup", "I am at the pickup", "Picked up", "I am at the door", "Delivered"];
    for (const step of steps) {
      for (const id of ids) await phone.page.locator(`[id="${id}"]`).getByRole("button", { name: step }).click();
    }
    await phone.page.getByText("50 to send").waitFor();
    await phone.kill();

    // The phone starts again without a network: the page and the work are there.
    await service.kill();
    phone = await openPhone(profile);
    cleanups.push(() => phone.close());
    await phone.page.goto(courier.courier_url);
    await phone.page.getByText("50 to send").waitFor();

    // The second answer is lost after the service did its work; after the third the service dies.
    let answered = 0;
    let killed = false;
    await phone.page.route("**/moves", async (route) => {
      if (answered === 3 && !killed) {
        killed = true;
        await service.kill();
        service = await startConnector(folder, settings);
        return route.abort();
      }
      const answer = await route.fetch().catch(() => null);
      if (answer) answered++;
      return answer && answered !== 2 ? route.fulfill({ response: answer }) : route.abort();
    });
    service = await startConnector(folder, settings);
    await phone.page.getByText("Up to date").waitFor({ timeout: 90_000 });
    expect([killed, answered]).toEqual([true, 6]);

    for (const id of ids) {
      const { timeline } = await call("GET", `/delivery/${id}`);
      expect(timeline.map((entry: any) => entry.status)).toEqual([
        "scheduled",
        "assigned",
        "en_route_to_pickup",
        "at_pickup",
        "picked_up",
        "en_route_to_dropoff",
        "at_dropoff",
        "delivered",
      ]);
    }
  });
});

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => done(port));
    });
  });
}
