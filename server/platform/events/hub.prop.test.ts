// Readers join, resume and leave at any moment while events are written, in every order that waiting can produce.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { createHub, type EventLog, type Reader } from "./hub.ts";
import type { EventRow } from "./store.ts";

const TENANTS = 2;

const action = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("write" as const), tenant: fc.nat({ max: TENANTS - 1 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("join" as const),
      tenant: fc.nat({ max: TENANTS - 1 }),
      /** How many events back to resume from; null to listen only. */
      back: fc.option(fc.nat({ max: 3 })),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("leave" as const), which: fc.nat({ max: 9 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("pull" as const) }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("step" as const) }) },
);

interface Listener {
  reader: Reader;
  tenant: number;
  got: bigint[];
  /** Every event of the tenant behind this seq must arrive; null until the reader has joined. */
  owed: bigint | null;
  left: boolean;
}

function eventOf(seq: bigint, tenantId: number): EventRow {
  return { seq, id: `evt_${seq}`, tenantId, type: "t", tags: [], createdMs: 0, json: "{}" };
}

test("whatever the interleaving: each event once, in order, none missing, and nobody left over", async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.array(action, { maxLength: 60, size: "max" }), async (scheduler, actions) => {
      const rows: EventRow[] = [];
      const last = () => rows.at(-1)?.seq ?? 0n;
      const later = <T>(value: () => T) => scheduler.schedule(Promise.resolve()).then(value);
      const log: EventLog = {
        horizon: () => later(last),
        findPosition: (_, id) => later(() => rows.find((row) => row.id === id)?.seq ?? null),
        readAfter: (tenants, after, horizon, count) =>
          later(() =>
            rows.filter((r) => tenants.includes(r.tenantId) && r.seq > after && r.seq <= horizon).slice(0, count),
          ),
      };
      const hub = createHub(log);
      const listeners: Listener[] = [];
      const joins: Promise<void>[] = [];
      let pulling = Promise.resolve();
      const pull = () => (pulling = pulling.then(() => hub.pull()));

      const join = (tenant: number, back: number | null) => {
        const own = rows.filter((row) => row.tenantId === tenant);
        const from = back === null ? undefined : own.at(-1 - back);
        const listener: Listener = { tenant, got: [], owed: null, left: false, reader: null as never };
        listener.reader = {
          tenantId: tenant,
          wants: () => true,
          joined: () => (listener.owed = from ? from.seq : last()),
          send(frame) {
            if (listener.left) throw new Error("sent to a reader that left");
            listener.got.push(BigInt(/evt_(\d+)/.exec(new TextDecoder().decode(frame))![1]));
            return true;
          },
          drained: () => later(() => {}),
        };
        listeners.push(listener);
        joins.push(hub.join(listener.reader, from?.id ?? null));
      };
      const leave = (listener: Listener) => {
        if (listener.left) return;
        listener.left = true;
        hub.leave(listener.reader);
      };

      for (const step of actions) {
        if (step.do === "write") rows.push(eventOf(last() + 1n, step.tenant));
        else if (step.do === "join") join(step.tenant, step.back);
        else if (step.do === "leave" && listeners.length > 0) leave(listeners[step.which % listeners.length]);
        else if (step.do === "pull") void pull();
        else if (scheduler.count() > 0) await scheduler.waitOne();
      }
      await scheduler.waitFor(Promise.all(joins));
      await scheduler.waitFor(pull());

      for (const { tenant, got, owed, left } of listeners) {
        expect(got).toEqual([...new Set(got)].sort((a, b) => Number(a - b)));
        if (left) continue;
        const due = rows.filter((row) => row.tenantId === tenant && row.seq > owed!).map((row) => row.seq);
        expect(got.filter((seq) => seq > owed!)).toEqual(due);
      }
      for (let tenant = 0; tenant < TENANTS; tenant++) {
        expect(hub.count(tenant)).toBe(listeners.filter((l) => l.tenant === tenant && !l.left).length);
      }
      for (const listener of listeners) leave(listener);
      expect([0, 1].map((tenant) => hub.count(tenant))).toEqual([0, 0]);
    }),
    { numRuns: 600 },
  );
});
