// The documents that need no key are made beside the thread that answers requests: it turns freely meanwhile.
import { expect, test } from "bun:test";
import { buildOpenapi } from "../contract/openapi.ts";
import { contract } from "../contracts.ts";
import { staticFile } from "../http/compress.ts";
import { makeDocument, type DocumentName } from "./documents.ts";
import { renderReference } from "./reference.ts";

/** Made on this thread, a document and its packing leave it only a handful of turns. */
const MANY_TURNS = 200;

async function countTurns(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let done = false;
  const finished = work.finally(() => (done = true));
  while (!done) {
    await new Promise(setImmediate);
    turns += 1;
  }
  await finished;
  return turns;
}

test.each<DocumentName>(["openapi.json", "openapi.yaml", "reference"])(
  "the event loop turns while %s is made, and again while it is packed",
  async (name) => {
    const serve = staticFile("text/plain", () => makeDocument(name));
    const ask = (encoding: string) => serve(new Request("http://x/", { headers: { "Accept-Encoding": encoding } }));
    expect(await countTurns(ask("identity"))).toBeGreaterThan(MANY_TURNS);
    expect(await countTurns(ask("br"))).toBeGreaterThan(MANY_TURNS);
  },
);

test("the documents are those of the contract", async () => {
  const document = buildOpenapi(contract);
  expect(await makeDocument("openapi.json")).toBe(JSON.stringify(document));
  expect(await makeDocument("openapi.yaml")).toBe(Bun.YAML.stringify(document, null, 2));
  expect(await makeDocument("reference")).toBe(renderReference(contract.routes, contract.tags));
});
