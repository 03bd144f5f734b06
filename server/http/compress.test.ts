// Answers over 1 kB travel packed to those who accept it, and the OpenAPI document is made once and revalidated by ETag.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { gunzipSync } from "node:zlib";
import { type Harness, startHarness } from "../../tests/harness.ts";
import { acceptedEncodings, staticFile } from "./compress.ts";

let app: Harness;
beforeAll(async () => {
  app = await startHarness();
});
afterAll(() => app.stop());

const fetchRaw = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  fetch(app.url + path, { method, headers, decompress: false } as RequestInit);
const mine = () => ({ Authorization: `Bearer ${app.key}` });

test("an answer over 1 kB is gzipped for those who accept it, and the same when unpacked", async () => {
  const path = "/api/v1/stock/markets?limit=20";
  const plain = await (await fetchRaw(path, { ...mine(), "Accept-Encoding": "identity" })).text();
  const packed = await fetchRaw(path, { ...mine(), "Accept-Encoding": "gzip" });
  expect([packed.headers.get("Content-Encoding"), packed.headers.get("Vary")]).toEqual(["gzip", "Accept-Encoding"]);
  const text = gunzipSync(new Uint8Array(await packed.arrayBuffer())).toString();
  expect(JSON.parse(text).data.items.length).toBe(JSON.parse(plain).data.items.length);
});

test("a small answer and one for a client that refuses gzip stay plain", async () => {
  for (const encoding of ["gzip;q=0", "identity", "zstd"]) {
    const reply = await fetchRaw("/api/v1/stock/markets", { ...mine(), "Accept-Encoding": encoding });
    expect(reply.headers.get("Content-Encoding")).toBeNull();
  }
  const small = await fetchRaw("/health/live", { "Accept-Encoding": "gzip" });
  expect(small.headers.get("Content-Encoding")).toBeNull();
});

test.each(["/openapi.json", "/openapi.yaml"])("%s has an ETag for each form, and answers 304", async (path) => {
  const tags = new Set<string>();
  for (const encoding of ["identity", "gzip", "br"]) {
    const reply = await fetchRaw(path, { "Accept-Encoding": encoding });
    const etag = reply.headers.get("ETag")!;
    tags.add(etag);
    expect(reply.headers.get("Content-Encoding")).toBe(encoding === "identity" ? null : encoding);
    const again = await fetchRaw(path, { "Accept-Encoding": encoding, "If-None-Match": `W/"other", ${etag}` });
    expect([again.status, await again.text(), again.headers.get("ETag")]).toEqual([304, "", etag]);
  }
  expect(tags.size).toBe(3);
});

test("the YAML document is the JSON document", async () => {
  const json = await (await fetch(`${app.url}/openapi.json`)).json();
  const yaml = await (await fetch(`${app.url}/openapi.yaml`)).text();
  expect(Bun.YAML.parse(yaml)).toEqual(json);
});

test("a static text is made once, and again only after it failed", async () => {
  let made = 0;
  const serve = staticFile("text/plain", () => `${++made}`);
  await Promise.all([1, 2, 3].map(() => serve(new Request("http://x/"))));
  expect(made).toBe(1);
  let failures = 0;
  const failing = staticFile("text/plain", () => {
    if (failures++ === 0) throw new Error("not now");
    return "made";
  });
  await expect(failing(new Request("http://x/"))).rejects.toThrow("not now");
  expect(await (await failing(new Request("http://x/"))).text()).toBe("made");
});

test.each<[string | null, string[]]>([
  [null, []],
  ["gzip, br", ["gzip", "br"]],
  ["*", ["br", "gzip"]],
  ["*, br;q=0", ["gzip"]],
  ["gzip;q=0.0, deflate", []],
])("Accept-Encoding %s", (header, names) => {
  expect([...acceptedEncodings(header)].sort()).toEqual(names.sort() as any);
});
