import { describe, expect, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { seededRandom } from "./random.ts";
import { newSecret, secretBytes, signOne, verify, webhookHeaders } from "./sign.ts";

const SECRET = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;
const NOW = 1_800_000_000;
const BODY = '{"type":"delivery.scheduled"}';
const signed = (timestamp = NOW, body = BODY) => signOne(SECRET, { id: "evt_1", timestamp, body });

describe("verifying", () => {
  const accepts = (change: Partial<Parameters<typeof verify>[1]>, secrets = [SECRET]) =>
    verify(secrets, { id: "evt_1", timestamp: String(NOW), signature: signed(), body: BODY, ...change }, NOW);

  test("accepts what was signed, with and without the prefix of the secret", () => {
    expect(accepts({})).toBe(true);
    expect(accepts({}, [SECRET.slice("whsec_".length)])).toBe(true);
    expect(accepts({ body: "", signature: signed(NOW, "") })).toBe(true);
  });

  test("accepts any one good signature among several", () => {
    const wrong = `v1,${Buffer.alloc(32, 1).toString("base64")}`;
    expect(accepts({ signature: `${wrong} v2,abc ${signed()} ${wrong}` })).toBe(true);
    expect(accepts({ signature: `${wrong} ${wrong}` })).toBe(false);
  });

  test("refuses a missing header, a changed body, another secret and part of a signature", () => {
    expect(accepts({ id: null })).toBe(false);
    expect(accepts({ timestamp: null })).toBe(false);
    expect(accepts({ timestamp: "hello" })).toBe(false);
    expect(accepts({ signature: null })).toBe(false);
    expect(accepts({ body: `${BODY} ` })).toBe(false);
    expect(accepts({}, [newSecret(seededRandom("else"))])).toBe(false);
    for (const end of [3, 8, 45]) expect(accepts({ signature: signed().slice(0, end) })).toBe(false);
  });

  test("refuses a time more than five minutes away, on either side", () => {
    for (const [offset, accepted] of [
      [-301, false],
      [-300, true],
      [300, true],
      [301, false],
    ] as const) {
      const timestamp = NOW + offset;
      expect([offset, accepts({ timestamp: String(timestamp), signature: signed(timestamp) })]).toEqual([
        offset,
        accepted,
      ]);
    }
  });

  test("verifies an Ed25519 signature with the public half alone", () => {
    const { publicKey, privateKey } = generateKeyPairSync("ed25519");
    const seed = privateKey.export({ format: "der", type: "pkcs8" }).subarray(-32);
    const point = publicKey.export({ format: "der", type: "spki" }).subarray(-32);
    const signature = signOne(`whsk_${Buffer.concat([seed, point]).toString("base64")}`, {
      id: "evt_1",
      timestamp: NOW,
      body: BODY,
    });
    expect(signature).toStartWith("v1a,");
    expect(accepts({ signature }, [`whpk_${point.toString("base64")}`])).toBe(true);
    expect(accepts({ signature, body: "{}" }, [`whpk_${point.toString("base64")}`])).toBe(false);
  });

  test.each(["", "whsec_", null])("the secret %p is refused", (secret) =>
    expect(() => secretBytes(secret as string)).toThrow(TypeError),
  );
});

describe("against the reference library", () => {
  test("it verifies what we sign, with one secret and with two", () => {
    const random = seededRandom("sign");
    const [older, newer] = [newSecret(random), newSecret(random)];
    const body = JSON.stringify({ type: "delivery.scheduled", data: { note: "zwölf Ü €" } });
    const timestamp = Math.floor(Date.now() / 1000);
    const headers = webhookHeaders([newer, older], { id: "evt_1", timestamp, body });
    expect(headers["webhook-signature"].split(" ").length).toBe(2);
    for (const secret of [older, newer]) expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => new Webhook(newSecret(random)).verify(body, headers)).toThrow();
  });

  test("we verify what it signs", () => {
    const secret = newSecret(seededRandom("other"));
    const at = new Date("2026-01-01T00:00:00Z");
    const signature = new Webhook(secret).sign("msg_1", at, "{}");
    const seconds = at.getTime() / 1000;
    expect(verify([secret], { id: "msg_1", timestamp: String(seconds), signature, body: "{}" }, seconds)).toBe(true);
  });

  test("an id with a full stop is refused, since it could shift the signed text", () => {
    expect(() => signOne("whsec_AAAA", { id: "a.b", timestamp: 1, body: "" })).toThrow(TypeError);
  });
});
