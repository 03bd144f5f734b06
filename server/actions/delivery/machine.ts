// The state machine of a delivery: the moves as a table, and step(), which is pure and total. Cost, events and storage are
// the lifecycle's business.
import { type ProofKind, type Role, type State, STATES } from "./contract/states.ts";

interface Row {
  id: string;
  from: readonly State[];
  to: State;
  by: readonly Role[];
}

const BEFORE_PICKUP: State[] = ["scheduled", "assigned", "en_route_to_pickup", "at_pickup"];
const TO_PICKUP: State[] = ["assigned", "en_route_to_pickup", "at_pickup"];
const CARRYING: State[] = ["picked_up", "en_route_to_dropoff", "at_dropoff"];

/** Forward skips are allowed, because providers leave states out; the only ways back are T2 and T1b, which gives it to another courier. */
export const MOVES: readonly Row[] = [
  { id: "T1", from: ["scheduled"], to: "assigned", by: ["system", "operator", "provider"] },
  { id: "T1b", from: TO_PICKUP, to: "assigned", by: ["operator"] },
  { id: "T2", from: TO_PICKUP, to: "scheduled", by: ["courier", "operator", "provider", "system"] },
  { id: "T3", from: ["assigned"], to: "en_route_to_pickup", by: ["courier", "operator", "provider"] },
  {
    id: "T4",
    from: ["assigned", "en_route_to_pickup"],
    to: "at_pickup",
    by: ["courier", "operator", "provider", "system"],
  },
  { id: "T5", from: TO_PICKUP, to: "picked_up", by: ["courier", "operator", "provider"] },
  { id: "T6", from: ["picked_up"], to: "en_route_to_dropoff", by: ["courier", "operator", "provider", "system"] },
  {
    id: "T7",
    from: ["picked_up", "en_route_to_dropoff"],
    to: "at_dropoff",
    by: ["courier", "operator", "provider", "system"],
  },
  { id: "T8", from: CARRYING, to: "delivered", by: ["courier", "operator", "provider"] },
  { id: "T9", from: CARRYING, to: "returning", by: ["courier", "operator", "provider", "client"] },
  { id: "T10", from: ["returning"], to: "returned", by: ["courier", "operator", "provider"] },
  { id: "T11", from: ["scheduled"], to: "failed", by: ["system"] },
  {
    id: "T12",
    from: [...BEFORE_PICKUP, ...CARRYING, "returning"],
    to: "failed",
    by: ["courier", "operator", "provider", "system"],
  },
  { id: "T13", from: BEFORE_PICKUP, to: "canceled", by: ["client", "operator", "provider"] },
];

export const TERMINAL: ReadonlySet<State> = new Set(["delivered", "returned", "failed", "canceled"]);

/** How far along a state is; a provider's report of a lower one is late news. */
export const RANK: Record<State, number> = {
  scheduled: 0,
  assigned: 1,
  en_route_to_pickup: 2,
  at_pickup: 3,
  picked_up: 4,
  en_route_to_dropoff: 5,
  at_dropoff: 6,
  returning: 7,
  delivered: 9,
  returned: 9,
  failed: 9,
  canceled: 9,
};

/** The states a provider may skip to from each state, by the order of life. */
const SKIPS = new Map<State, State[]>(
  STATES.map((from) => [
    from,
    TERMINAL.has(from) ? [] : STATES.filter((to) => RANK[to] > RANK[from] && !(RANK[from] >= 4 && to === "canceled")),
  ]),
);

export interface Machine {
  status: State;
  /** Whose it is; null while nobody's. */
  courier: string | null;
  /** Couriers that declined or let the offer lapse. */
  excluded: string[];
  /** How often it was handed back. */
  attempts: number;
  proofRequired: ProofKind[];
  /** Ids of the provider's events that were taken in. */
  seen: string[];
}

export interface Move {
  to: State;
  by: Role;
  /** For T1. */
  courier?: string;
  /** For T8. */
  proof?: ProofKind[];
  /** `provider:event` for what a provider reports; the same one twice is one. */
  eventId?: string;
  /** The provider says explicitly that its courier gave the job back. */
  handBack?: boolean;
  /** For T2: the courier did nothing wrong and may be asked again. */
  blameless?: boolean;
}

export type Step =
  | { kind: "moved"; rule: string; machine: Machine }
  | { kind: "ignored"; why: "duplicate" | "late" | "terminal" | "same"; machine: Machine }
  | { kind: "refused"; why: string; allowed: State[]; machine: Machine };

export const newMachine = (proofRequired: ProofKind[] = []): Machine => ({
  status: "scheduled",
  courier: null,
  excluded: [],
  attempts: 0,
  proofRequired,
  seen: [],
});

/** Where a role may move it from here. */
export function allowedFor(machine: Machine, by: Role): State[] {
  return MOVES.filter((m) => m.from.includes(machine.status) && m.by.includes(by))
    .map((m) => m.to)
    .filter((to, i, all) => all.indexOf(to) === i);
}

const MAX_SEEN = 200;

/** Any machine, any move, in any order: the answer is always one of the three. */
export function step(machine: Machine, move: Move): Step {
  const reported = move.by === "provider";
  if (move.eventId && machine.seen.includes(move.eventId)) return { kind: "ignored", why: "duplicate", machine };
  const noted = move.eventId ? { ...machine, seen: [...machine.seen, move.eventId].slice(-MAX_SEEN) } : machine;
  const refuse = (why: string): Step => ({ kind: "refused", why, allowed: allowedFor(machine, move.by), machine });
  if (TERMINAL.has(machine.status)) {
    return reported
      ? { kind: "ignored", why: "terminal", machine: noted }
      : refuse(`the delivery is ${machine.status}`);
  }
  if (move.to === machine.status && reported) return { kind: "ignored", why: "same", machine: noted };
  if (reported && RANK[move.to] <= RANK[machine.status] && !(move.to === "scheduled" && move.handBack)) {
    return { kind: "ignored", why: "late", machine: noted };
  }
  const rule = MOVES.find((m) => m.to === move.to && m.from.includes(machine.status) && m.by.includes(move.by));
  const skipped = reported && rule === undefined && SKIPS.get(machine.status)!.includes(move.to);
  if (!rule && !skipped)
    return reported ? { kind: "ignored", why: "late", machine: noted } : refuse(reasonFor(machine, move));
  const obstacle = obstacleTo(machine, move);
  if (obstacle) return refuse(obstacle);
  return { kind: "moved", rule: rule?.id ?? "skip", machine: apply(noted, move) };
}

function reasonFor(machine: Machine, move: Move): string {
  if (move.to === "canceled" && RANK[machine.status] >= 4) return "delivery_picked_up";
  return `the ${move.by} cannot move it from ${machine.status} to ${move.to}`;
}

function obstacleTo(machine: Machine, move: Move): string | null {
  if (move.to === "assigned") {
    if (!move.courier) return "no courier is named";
    if (machine.courier === move.courier) return "this courier already has it";
    if (machine.excluded.includes(move.courier)) return "this courier gave it back before";
  }
  if (move.to === "delivered" && move.by !== "provider") {
    const missing = machine.proofRequired.filter((kind) => !(move.proof ?? []).includes(kind));
    if (missing.length > 0) return `proof is missing: ${missing.join(", ")}`;
  }
  return null;
}

function apply(machine: Machine, move: Move): Machine {
  if (move.to === "assigned") return { ...machine, status: "assigned", courier: move.courier! };
  if (move.to === "scheduled") {
    const blamed = machine.courier !== null && !move.blameless && !machine.excluded.includes(machine.courier);
    const excluded = blamed ? [...machine.excluded, machine.courier!] : machine.excluded;
    return { ...machine, status: "scheduled", courier: null, excluded, attempts: machine.attempts + 1 };
  }
  return { ...machine, status: move.to };
}
