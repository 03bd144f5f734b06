// A store that does not answer: every wait ends on our side, and what comes back afterwards is used again.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect as dial, createServer, type Server, type Socket } from "node:net";
import { freshDatabase } from "../../tests/database.ts";
import { DeadlineError } from "../lib/deadline.ts";
import { connect, type Db } from "./db.ts";

/** Passes bytes to the real store until it is told to hold them back. */
function openProxy(target: URL): Promise<{ server: Server; port: number; hold(): void; release(): void }> {
  let held = false;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const store = dial(Number(target.port), target.hostname);
    for (const socket of [client, store]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => sockets.delete(socket));
    }
    client.on("data", (bytes) => store.write(bytes));
    store.on("data", (bytes) => client.write(bytes));
    client.on("close", () => store.destroy());
    store.on("close", () => client.destroy());
    if (held) store.pause();
  });
  return new Promise((done) => {
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      const each = (act: (socket: Socket) => void) => {
        for (const socket of sockets) act(socket);
      };
      const hold = () => {
        held = true;
        each((socket) => socket.pause());
      };
      const release = () => {
        held = false;
        each((socket) => socket.resume());
      };
      done({ server, port, hold, release });
    });
  });
}

describe("a store that hangs", () => {
  let db: Db;
  let proxy: Awaited<ReturnType<typeof openProxy>>;
  beforeAll(async () => {
    const url = new URL(await freshDatabase());
    proxy = await openProxy(new URL(url.href));
    url.port = String(proxy.port);
    db = await connect({ url: url.href, pool: 2, timeoutMs: 100 });
  });
  afterAll(async () => {
    proxy.release();
    await db.close();
    proxy.server.close();
  });

  const outcome = (work: PromiseLike<unknown>) =>
    Promise.resolve(work).then(
      () => "answered",
      (error) => (error instanceof DeadlineError ? "deadline" : String(error)),
    );

  test("ends a query, a raw statement and a transaction, and is used again once it answers", async () => {
    expect(await outcome(db.sql`select 1`)).toBe("answered");
    proxy.hold();
    const waits = [
      outcome(db.sql`select 2`),
      outcome(db.sql.unsafe("select 3")),
      outcome(db.sql.begin(async (tx) => tx`select 4`)),
      outcome(db.sql`select ${5}::int`.then((rows: unknown[]) => rows)),
    ];
    expect(await Promise.all(waits)).toEqual(["deadline", "deadline", "deadline", "deadline"]);
    proxy.release();
    expect(await outcome(db.sql`select 6`)).toBe("answered");
    expect(await outcome(db.sql.begin(async (tx) => tx`select 7`))).toBe("answered");
  });

  test("fragments and lists of values pass through the bound", async () => {
    const where = db.sql`where n > ${1}`;
    const rows = await db.sql`select n from (values (1), (2), (3)) as v (n) ${where} and n in ${db.sql([2, 3])}`;
    expect(rows.map((row: { n: number }) => row.n)).toEqual([2, 3]);
  });
});
