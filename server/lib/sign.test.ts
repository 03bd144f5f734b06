import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { describeWithData, sharedData } from "../../tests/shared-data.ts";
import { seededRandom } from "./random.ts";
import { newSecret, secretBytes, signOne, verify, webhookHeaders } from "./sign.ts";

interface Vectors {
  sign: {
    name: string;
    secret: string;
    public?: string;
    id: string;
    timestamp: number;
    payload: string;
    expected: string;
  }[];
  verify: {
    name: string;
    accept: boolean;
    secret: string;
    id: string;
    timestamp_offset_s: number;
    payload: string;
    header_overrides: Record<string, string | null>;
  }[];
  bad_secrets: { secret: string | null }[];
}

describeWithData("alerts/webhook-signatures.json", "the public vectors", () => {
  const vectors: Vectors = JSON.parse(readFileSync(join(sharedData, "alerts/webhook-signatures.json"), "utf8"));

  for (const v of vectors.sign) {
    test(`sign: ${v.name}`, () => {
      const message = { id: v.id, timestamp: v.timestamp, body: v.payload };
      expect(signOne(v.secret, message)).toBe(v.expected);
      const received = { id: v.id, timestamp: String(v.timestamp), signature: v.expected, body: v.payload };
      expect(verify([v.public ?? v.secret], received, v.timestamp)).toBe(true);
      expect(verify([v.public ?? v.secret], { ...received, body: `${v.payload} ` }, v.timestamp)).toBe(false);
    });
  }

  for (const v of vectors.verify) {
    test(`verify: ${v.name}`, () => {
      const now = 1_800_000_000;
      const timestamp = now + v.timestamp_offset_s;
      const right = signOne(v.secret, { id: v.id, timestamp, body: v.payload });
      const cut = (text: string) =>
        text.replace(/\{sig(?::(\d+):(\d+))?\}/g, (_, from, to) =>
          from ? right.slice(Number(from), Number(to)) : right,
        );
      const header = (name: string, value: string) => {
        const given = v.header_overrides[name];
        return given === undefined ? value : given === null ? null : cut(given);
      };
      const received = {
        id: header("webhook-id", v.id),
        timestamp: header("webhook-timestamp", String(timestamp)),
        signature: header("webhook-signature", right),
        body: v.payload,
      };
      expect(verify([v.secret], received, now)).toBe(v.accept);
    });
  }

  for (const { secret } of vectors.bad_secrets) {
    test(`bad secret ${JSON.stringify(secret)}`, () => expect(() => secretBytes(secret as string)).toThrow(TypeError));
  }
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
