import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type Harness, startHarness } from "../../../../tests/harness.ts";

// The owned clock is walked through hours, which takes a busy machine a while.
setDefaultTimeout(120_000);

let app: Harness;
let receiver: ReturnType<typeof Bun.serve>;
let items: { guid: string; title: string; text: string }[] = [];

beforeAll(async () => {
  receiver = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () =>
      new Response(
        `<rss version="2.0"><channel><title>F</title>${items
          .map(
            (i) =>
              `<item><guid isPermaLink="false">${i.guid}</guid><title>${i.title}</title><description>${i.text}</description></item>`,
          )
          .join("")}</channel></rss>`,
        { headers: { "Content-Type": "application/rss+xml" } },
      ),
  });
  app = await startHarness({ config: { ALLOW_LOOPBACK: [`127.0.0.1:${receiver.port}`] } });
});
afterAll(async () => {
  await app.stop();
  await receiver.stop(true);
});

const key = () => app.account.liveKey;
const make = async (body: object) =>
  (await app.call("POST", "/alerts/create", { body, key: key() })).body.data as { id: string; dedupe: object };
const matchesOf = async ({ id }: { id: string }) =>
  (await app.call("GET", `/alerts/${id}/matches`, { key: key() })).body.data.items.map(
    (m: any) => `${m.item.edited ? "edited: " : ""}${m.item.summary}`,
  );
const pollAgain = async () => {
  await app.clock.advance(400_000);
  await app.service.settle();
};

describe("an edited item of a feed", () => {
  test("is told to who asked for it, once for every new sentence that matches; to others never", async () => {
    const sources = [{ type: "feed", url: `http://127.0.0.1:${receiver.port}/f.xml`, interval_s: 300 }];
    items = [{ guid: "1", title: "Kettle", text: "All is well." }];
    const plain = await make({ tag: "recall", sources });
    const asked = await make({ tag: "recall", sources, dedupe: { on_update: "notify" } });
    expect([plain.dedupe, asked.dedupe]).toEqual([
      { by: "auto", window_s: 2_592_000, on_update: "ignore" },
      { by: "auto", window_s: 2_592_000, on_update: "notify" },
    ]);
    await app.service.settle();

    items.unshift({ guid: "2", title: "New", text: "A recall of cups." });
    await pollAgain();
    items[1].text = "All is well. A recall began.";
    await pollAgain();
    await pollAgain();
    const first = ["edited: All is well. A recall began.", "A recall of cups."];
    expect(await matchesOf(asked)).toEqual(first);

    // Something else was changed; then only how it is written; then more is said.
    items[1].text = "All was well. A recall began.";
    await pollAgain();
    items[1].text = "All was well.  A RECALL began.";
    await pollAgain();
    expect(await matchesOf(asked)).toEqual(first);
    items[1].text = "All was well. A recall began. The recall is over.";
    await pollAgain();
    await pollAgain();
    expect(await matchesOf(asked)).toEqual(["edited: All was well. A recall began. The recall is over.", ...first]);

    // A publisher that changes every guid says nothing new by that.
    items = items.map((i) => ({ ...i, guid: `again-${i.guid}` }));
    await pollAgain();
    expect(await matchesOf(asked)).toHaveLength(3);
    expect(await matchesOf(plain)).toEqual(["A recall of cups."]);
  });
});

describe("pushed content under the same id", () => {
  test("is news only with a new sentence, and only to who asked", async () => {
    const plain = await make({ tag: "lamp" });
    const asked = await make({ tag: "lamp", dedupe: { by: "guid", on_update: "notify" } });
    const priced = await make({ query: "source:shop price<30", dedupe: { on_update: "notify" } });
    const push = async (body: object) =>
      (await app.call("POST", "/alerts/content", { body, key: key() })).body.data.results[0].alerts.toSorted();
    const said = (text: string, price = 40) => ({ id: "p1", source: "shop", text, numbers: { price } });
    expect(await push(said("A lamp. Red."))).toEqual([plain.id, asked.id].toSorted());
    expect(await push(said("A lamp. Red."))).toEqual([]);
    expect(await push(said("A lamp. Blue."))).toEqual([]);
    expect(await push(said("A lamp, blue."))).toEqual([asked.id]);
    expect(await push(said("A lamp, blue.", 20))).toEqual([priced.id]);
    expect(await push(said("A lamp, blue.", 20))).toEqual([]);
    expect(await push(said("A lamp, blue.", 19))).toEqual([priced.id]);
    // Another id, the same words: news only to who goes by the id.
    expect(await push({ ...said("A lamp, blue.", 19), id: "p2" })).toEqual([asked.id]);
    const { stats } = (await app.call("GET", `/alerts/${plain.id}`, { key: key() })).body.data;
    expect(stats).toMatchObject({ matched: 1, suppressed: { duplicate: 7 } });
  });
});
