// Readers of the event stream while service and database are killed, restarted and stopped: resuming with Last-Event-ID,
// each sees every event exactly once and in order. CONNECTOR_TEST_KILLS=20 gives the full run; CI has one of each fault.
import { afterAll, expect, test } from "bun:test";
import { seededRandom } from "../../server/lib/random.ts";
import { createSseParser } from "../../server/lib/sse.ts";
import { makeDataFolder, removeDataFolder, type Running, startConnector } from "../connector.ts";
import { openDatabase, startLoad } from "./load.ts";

const folder = makeDataFolder();
afterAll(() => removeDataFolder(folder));

const READERS = 4;
/** A reader leaves by itself after about this many events, and comes back. */
const EVENTS_A_CONNECTION = 40;
const BEFORE_RECONNECT_MS = 50;
const WRITES_BETWEEN_FAULTS = 25;
const random = seededRandom(16);

/** Each brings the service back, or leaves that to the service itself. */
const FAULTS: Record<string, (service: Running) => Promise<Running>> = {
  async "kill -9 of the service"(service) {
    await service.kill();
    return startConnector(folder);
  },
  async "kill -9 of the postmaster alone"(service) {
    process.kill(service.databasePid(), "SIGKILL");
    return service;
  },
  async "kill -9 of both"(service) {
    await service.kill(true);
    return startConnector(folder);
  },
  async "an orderly restart"(service) {
    await service.stop();
    return startConnector(folder);
  },
};
const faultNames = Object.keys(FAULTS);
const rounds = Number(process.env.CONNECTOR_TEST_KILLS ?? faultNames.length);

/** Follows the stream through every loss of its connection, the way a browser's EventSource does. */
function startReader(service: () => Running) {
  const ids: string[] = [];
  const onEvent = new Set<() => void>();
  const stopping = new AbortController();
  let connections = 0;
  let resets = 0;

  async function listen(): Promise<void> {
    const { url, key } = service();
    const leaving = new AbortController();
    const stop = () => leaving.abort();
    stopping.signal.addEventListener("abort", stop);
    const leaveAt = ids.length + 1 + Math.floor(random.unit() * 2 * EVENTS_A_CONNECTION);
    const parser = createSseParser(({ event, lastEventId }) => {
      if (event === "reset") resets += 1;
      if (event === "ready" || event === "reset") return;
      ids.push(lastEventId);
      for (const look of onEvent) look();
    });
    try {
      const headers: Record<string, string> = { Authorization: `Bearer ${key}` };
      if (ids.length > 0) headers["Last-Event-ID"] = ids.at(-1)!;
      const answer = await fetch(`${url}/v1/events/stream`, { headers, signal: leaving.signal });
      if (answer.status !== 200) return;
      connections += 1;
      const decoder = new TextDecoder();
      for await (const chunk of answer.body!) {
        parser.push(decoder.decode(chunk, { stream: true }));
        if (ids.length >= leaveAt) return;
      }
    } catch {
      // The connection was lost, or there was none; the next one resumes.
    } finally {
      stopping.signal.removeEventListener("abort", stop);
      leaving.abort();
    }
  }

  const following = (async () => {
    while (!stopping.signal.aborted) {
      await listen();
      await Bun.sleep(BEFORE_RECONNECT_MS);
    }
  })();
  /** Resolves when that event was seen, however often. */
  const seen = (id: string) =>
    new Promise<void>((done) => {
      const look = () => {
        if (!ids.includes(id)) return;
        onEvent.delete(look);
        done();
      };
      onEvent.add(look);
      look();
    });
  const stop = async () => {
    stopping.abort();
    await following;
    return { ids, connections, resets };
  };
  return { seen, stop };
}

async function storedEvents(): Promise<string[]> {
  const sql = openDatabase(folder);
  const rows: { id: string }[] = await sql`
    select id from events where tenant_id = (select tenant_id from deliveries limit 1) order by seq`;
  await sql.close();
  return rows.map((row) => row.id);
}

test(`${READERS} readers through ${rounds} faults see every event exactly once, in order`, async () => {
  let service = await startConnector(folder);
  const load = startLoad(() => service);
  // Whoever comes first without an id begins anywhere; what it must see begins with its first event.
  await load.progress(1);
  const readers = Array.from({ length: READERS }, () => startReader(() => service));
  for (let round = 0; round < rounds; round++) {
    await load.progress(WRITES_BETWEEN_FAULTS);
    service = await FAULTS[faultNames[round % faultNames.length]](service);
  }
  await load.progress(WRITES_BETWEEN_FAULTS);
  const { acknowledged } = await load.stop();
  const last = (await storedEvents()).at(-1)!;
  await Promise.all(readers.map((reader) => reader.seen(last)));
  // Read again: only now is it certain that nobody still commits an event before the last one.
  const all = await storedEvents();
  const stored = all.slice(0, all.indexOf(last) + 1);
  const seen = await Promise.all(readers.map((reader) => reader.stop()));
  expect(await service.stop()).toBe(0);
  for (const { ids, resets } of seen) {
    const upToLast = ids.slice(0, ids.lastIndexOf(last) + 1);
    expect(resets).toBe(0);
    expect(upToLast).toEqual(stored.slice(stored.indexOf(ids[0])));
  }
  const connections = seen.map((reader) => reader.connections).join(", ");
  console.log(
    `${rounds} faults, ${acknowledged.size} acknowledged, ${stored.length} events; ${READERS} readers over ${connections} connections: 0 missing, 0 doubled, in order`,
  );
}, 600_000);
