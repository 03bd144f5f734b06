import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { PROOF_KINDS, ROLES, STATES } from "./contract/states.ts";
import { allowedFor, type Machine, type Move, MOVES, newMachine, RANK, step, TERMINAL } from "./machine.ts";

const seed = Number(process.env.CONNECTOR_TEST_SEED ?? 20261115);
console.log(`machine.prop.test.ts seed ${seed}`);

const anyMove: fc.Arbitrary<Move> = fc.record(
  {
    to: fc.constantFrom(...STATES),
    by: fc.constantFrom(...ROLES),
    courier: fc.constantFrom("a", "b", "c", "d"),
    proof: fc.subarray([...PROOF_KINDS]),
    eventId: fc.option(
      fc.integer({ min: 0, max: 40 }).map((n) => `p:${n}`),
      { nil: undefined },
    ),
    handBack: fc.boolean(),
  },
  { requiredKeys: ["to", "by"] },
);

/** The diagram, edge by edge, and what a provider may skip: forward only, and no cancel once picked up. */
const edges = new Set(MOVES.flatMap((m) => m.from.map((from) => `${from}>${m.to}`)));
function inDiagram(before: Machine, move: Move): boolean {
  if (edges.has(`${before.status}>${move.to}`)) return true;
  return move.by === "provider" && RANK[move.to] > RANK[before.status];
}

function check(before: Machine, move: Move): Machine {
  const result = step(before, move);
  const after = result.machine;
  if (TERMINAL.has(before.status)) expect(after.status).toBe(before.status);
  if (result.kind !== "moved") {
    expect(after.status).toBe(before.status);
    expect(after.courier).toBe(before.courier);
    if (result.kind === "refused") expect(result.allowed).toEqual(allowedFor(before, move.by));
    return after;
  }
  expect(after.status).toBe(move.to);
  expect(inDiagram(before, move)).toBe(true);
  if (RANK[after.status] < RANK[before.status] && after.status !== "assigned")
    expect([after.status, after.attempts]).toEqual(["scheduled", before.attempts + 1]);
  if (after.status === "assigned") {
    // Only an operator takes it from one courier and gives it to another.
    if (before.status !== "scheduled") expect(move.by).toBe("operator");
    expect(after.courier).not.toBe(before.courier);
    expect(before.excluded).not.toContain(after.courier!);
  }
  if (after.status === "scheduled") expect(after.courier).toBeNull();
  if (after.status === "canceled") expect(RANK[before.status]).toBeLessThan(4);
  if (move.eventId) expect(after.seen).toContain(move.eventId);
  return after;
}

describe("a delivery", () => {
  test("stays inside the diagram for 10,000 random moves", () => {
    let steps = 0;
    fc.assert(
      fc.property(fc.array(anyMove, { minLength: 20, maxLength: 60 }), fc.subarray([...PROOF_KINDS]), (list, proof) => {
        let machine = newMachine(proof);
        for (const move of list) {
          machine = check(machine, move);
          steps++;
        }
      }),
      { seed, numRuns: 400 },
    );
    expect(steps).toBeGreaterThan(10_000);
  });

  test("takes the same provider event once", () => {
    fc.assert(
      fc.property(fc.array(anyMove, { maxLength: 15 }), anyMove, (list, last) => {
        const machine = list.reduce((m, move) => step(m, move).machine, newMachine());
        const reported = { ...last, by: "provider" as const, eventId: "p:last" };
        const once = step(machine, reported);
        if (once.kind === "refused") return;
        expect(step(once.machine, reported)).toEqual({ kind: "ignored", why: "duplicate", machine: once.machine });
      }),
      { seed, numRuns: 300 },
    );
  });

  test("goes the whole way, and cannot be canceled once picked up", () => {
    let machine = newMachine(["photo"]);
    const go = (move: Move) => {
      const result = step(machine, move);
      machine = result.machine;
      return result;
    };
    go({ to: "assigned", by: "system", courier: "a" });
    expect(go({ to: "scheduled", by: "courier" }).kind).toBe("moved");
    expect(go({ to: "assigned", by: "system", courier: "a" })).toMatchObject({
      kind: "refused",
      why: "this courier gave it back before",
    });
    go({ to: "assigned", by: "system", courier: "b" });
    for (const to of ["en_route_to_pickup", "at_pickup", "picked_up"] as const)
      expect(go({ to, by: "courier" }).kind).toBe("moved");
    expect(go({ to: "canceled", by: "client" })).toMatchObject({ kind: "refused", why: "delivery_picked_up" });
    expect(go({ to: "delivered", by: "courier" })).toMatchObject({ kind: "refused", why: "proof is missing: photo" });
    expect(go({ to: "at_pickup", by: "provider", eventId: "p:1" })).toMatchObject({ kind: "ignored", why: "late" });
    expect(go({ to: "delivered", by: "courier", proof: ["photo"] }).kind).toBe("moved");
    expect(go({ to: "failed", by: "provider" })).toMatchObject({ kind: "ignored", why: "terminal" });
  });
});
