// Proof of delivery: the pin and its tries, photographs that can be seen, hints that help.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Account, type Harness, noteSeen, startHarness } from "../../../../tests/harness.ts";

let app: Harness;
beforeAll(async () => {
  app = await startHarness();
});
afterAll(() => app.stop());

const JPEG = Buffer.concat([
  Buffer.from("ffd8ffe000104a464946", "hex"),
  Buffer.alloc(200, 7),
  Buffer.from("ffd9", "hex"),
]);
const call = (account: Account, method: string, path: string, body?: unknown) =>
  app.call(method, path, { body, key: account.liveKey });

/** A delivery at its door, in the hands of an own courier. */
async function atTheDoor(proof: string[], more: object = {}) {
  const account = await app.openAccount();
  const courier = (await call(account, "POST", "/delivery/couriers", { name: "Bo" })).body.data;
  const order = {
    pickup: { address: "New York, NY 10118", time: "asap" },
    dropoff: { address: "Brooklyn, NY 11201" },
    proof,
    ...more,
  };
  const { delivery_id: id } = (await call(account, "POST", "/delivery/schedule", order)).body.data;
  const go = (body: object) => call(account, "POST", `/delivery/${id}/advance`, body);
  await go({ to: "assigned", courier_id: courier.id });
  for (const to of ["picked_up", "at_dropoff"]) expect((await go({ to })).status).toBe(200);
  const path = `/${new URL(courier.courier_url).pathname}`;
  const press = (fields: Record<string, string | Blob>) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    return app.call("POST", path, { key: null, ...multipart(form) });
  };
  const read = async () => (await call(account, "GET", `/delivery/${id}`)).body.data;
  return { account, courier, id, go, press, path, read };
}

/** The form as bytes: the harness sends what it is given. */
function multipart(form: FormData): { body: any; headers: Record<string, string> } {
  const boundary = "form-of-this-test";
  const parts: Buffer[] = [];
  for (const [name, value] of form as any) {
    const file = value instanceof Blob ? '; filename="photo.jpg"\r\nContent-Type: image/jpeg' : "";
    const bytes = value instanceof Blob ? JPEG : Buffer.from(value);
    parts.push(Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`), bytes);
    parts.push(Buffer.from("\r\n"));
  }
  parts.push(Buffer.from(`--${boundary}--\r\n`));
  return {
    body: new Uint8Array(Buffer.concat(parts)),
    headers: { "Content-Type": `multipart/form-data; boundary=${boundary}` },
  };
}

describe("the pin", () => {
  test("409 for the courier even with the right one after five wrong ones; each is an event; the API closes it", async () => {
    const { account, id, press, go, read } = await atTheDoor(["pin"]);
    const { pin } = (await read()).proof;
    const wrong = pin === "0000" ? "1111" : "0000";
    const tries = await Promise.all(
      Array.from({ length: 12 }, () => press({ do: "delivered", delivery: id, pin: wrong })),
    );
    expect(tries.map((reply) => reply.status)).toEqual(Array(12).fill(409));
    expect(tries.some((reply) => reply.text.includes("The pin is wrong."))).toBe(true);
    const events = (await call(account, "GET", "/events?type=delivery.pin_failed&limit=50")).body.data.items;
    expect(events).toHaveLength(5);
    const right = await press({ do: "delivered", delivery: id, pin });
    expect([right.status, (await read()).status]).toEqual([409, "at_dropoff"]);
    expect(right.text).toContain("wrong five times");
    expect((await go({ to: "delivered", proof: { pin } })).body.data.status).toBe("delivered");
  });

  test("303 with the right one after four wrong ones", async () => {
    const { id, press, read } = await atTheDoor(["pin"]);
    const { pin } = (await read()).proof;
    for (let i = 0; i < 4; i++) await press({ do: "delivered", delivery: id, pin: pin === "0000" ? "1111" : "0000" });
    expect((await read()).proof.pin_tries_left).toBe(1);
    expect((await press({ do: "delivered", delivery: id, pin })).status).toBe(303);
    expect((await read()).status).toBe("delivered");
  });
});

describe("a photograph", () => {
  test("303 taken on the courier's page, kept sealed, and shown to whoever has the key", async () => {
    const { account, id, press, path, read } = await atTheDoor(["photo"]);
    expect((await app.call("GET", path, { key: null })).text).toMatch(/type="file" accept="image\/\*" capture/);
    expect((await press({ do: "delivered", delivery: id, photo: new Blob([JPEG]) })).status).toBe(303);
    const { given } = (await read()).proof;
    expect(given.photo_sha256).toBe(new Bun.CryptoHasher("sha256").update(JPEG).digest("hex"));
    const seen = await fetch(given.photo_url, { headers: { Authorization: `Bearer ${account.liveKey}` } });
    noteSeen("delivery.proof", seen.status);
    expect([seen.status, seen.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
    expect(Buffer.from(await seen.arrayBuffer()).equals(JPEG)).toBe(true);
    const [row] = await app.service.platform.db.sql`select sealed from delivery_pictures where delivery_id = ${id}`;
    expect(row.sealed).toStartWith("s1.");
    const stranger = await app.openAccount();
    expect((await call(stranger, "GET", `/delivery/${id}/proof/photo`)).status).toBe(404);
  });

  test("400 for something that is no picture; 409 names what is missing", async () => {
    const { go } = await atTheDoor(["photo", "signature"]);
    const text = await go({ to: "delivered", proof: { photo: Buffer.from("hello").toString("base64") } });
    expect([text.status, text.body.error.errors[0].pointer]).toEqual([400, "/proof/photo"]);
    const missing = await go({ to: "delivered", proof: { signature: "Ada" } });
    expect(missing.body.error).toMatchObject({ status: 409, reason: "proof is missing: photo" });
    expect(missing.body.error.hint).toContain("proof.photo");
    const done = await go({ to: "delivered", proof: { signature: "Ada", photo: JPEG.toString("base64") } });
    expect([done.status, done.body.data.proof.given.signature]).toEqual([200, "Ada"]);
  });
});

describe("a barcode", () => {
  test("409 for the label of another parcel, 200 for the right one", async () => {
    const { go } = await atTheDoor(["barcode"], { items: [{ name: "Lamp", barcode: "4006381333931" }] });
    expect((await go({ to: "delivered", proof: { barcode: "123" } })).status).toBe(409);
    expect((await go({ to: "delivered", proof: { barcode: "4006381333931" } })).status).toBe(200);
  });
});

describe("forms that were made by hand", () => {
  test("409, never 500, for NUL, broken characters and an empty position", async () => {
    const { id, path, courier, read } = await atTheDoor([]);
    const post = (body: string) =>
      app.call("POST", path, { key: null, body, headers: { "Content-Type": "application/x-www-form-urlencoded" } });
    for (const body of [
      "do=accept&delivery=%00",
      `do=returning&delivery=${id}&reason=%00`,
      `do=returning&delivery=${id}&reason=a%01b`,
      "do=position&lat=&lon=",
      "do=position&lat=91&lon=0",
      "do=%ED%A0%80",
    ])
      expect((await post(body)).status).toBe(409);
    expect((await read()).status).toBe("at_dropoff");
    expect(courier.position).toBeNull();
  });
});
