// Feeds and receivers of one account that hang keep no message of another waiting.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Harness, startHarness } from "../../../../tests/harness.ts";

const SLOW = 30;

let app: Harness;
let server: ReturnType<typeof Bun.serve>;
/** Requests that the service no longer waits for. */
let givenUp = 0;
const { promise: letGo, resolve: release } = Promise.withResolvers<void>();
const { promise: feedHangs, resolve: onFeed } = Promise.withResolvers<void>();
const { promise: receiverHangs, resolve: onReceiver } = Promise.withResolvers<void>();
const { promise: feedGivenUp, resolve: onFeedGivenUp } = Promise.withResolvers<void>();
const { promise: arrived, resolve: onArrival } = Promise.withResolvers<string>();

beforeAll(async () => {
  server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 60,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname === "/quick") {
        onArrival(await request.text());
        return new Response("ok");
      }
      const isFeed = pathname.startsWith("/feed");
      (isFeed ? onFeed : onReceiver)();
      request.signal.addEventListener("abort", () => {
        givenUp++;
        if (isFeed) onFeedGivenUp();
      });
      await letGo;
      return new Response("", { status: 503 });
    },
  });
  app = await startHarness({ config: { ALLOW_LOOPBACK: [`127.0.0.1:${server.port}`], WORK: true } });
});
afterAll(() => server.stop(true));

test("a message arrives while every feed and receiver of another account hangs", async () => {
  const slow = await app.openAccount("max");
  const at = (path: string) => `http://127.0.0.1:${server.port}${path}`;
  const make = async (key: string, body: object) =>
    expect((await app.call("POST", "/alerts/create", { key, body })).status).toBe(201);
  const push = (key: string) => app.call("POST", "/alerts/content", { key, body: { text: "a kettle" } });
  for (let i = 0; i < SLOW; i++) {
    const channels = [{ type: "webhook", url: at(`/slow/${i}`) }];
    await make(slow.liveKey, { tag: "kettle", channels });
    await make(slow.liveKey, { tag: "kettle", channels, sources: [{ type: "feed", url: at(`/feed/${i}`) }] });
  }
  await make(app.account.liveKey, { tag: "kettle", channels: [{ type: "webhook", url: at("/quick") }] });
  await push(slow.liveKey);
  await receiverHangs;
  await app.clock.advance(1_000);
  await feedHangs;
  await push(app.account.liveKey);
  // While others hang, what is due is looked for once a second.
  const isDone = arrived.then(() => true);
  while (!(await Promise.race([isDone, new Promise((go) => setImmediate(() => go(false)))])))
    await app.clock.advance(100);
  expect(JSON.parse(await arrived)).toMatchObject({ type: "alert.match" });
  expect(givenUp).toBe(0);
}, 60_000);

test("a stop waits for no feed that hangs", async () => {
  const stopped = app.stop();
  await feedGivenUp;
  release();
  await stopped;
});
