// The state machine of an alert. A table; step() is pure and total.

const STATES = ["pending_verification", "active", "paused", "expired"] as const;
export type State = (typeof STATES)[number];
export type Move = "verify" | "pause" | "resume" | "expire";

const MOVES: Record<Move, Partial<Record<State, State>>> = {
  verify: { pending_verification: "active" },
  pause: { active: "paused", pending_verification: "paused", paused: "paused" },
  resume: { paused: "active", active: "active" },
  expire: { pending_verification: "expired", active: "expired", paused: "expired" },
};

const CALLER_MOVES: Move[] = ["pause", "resume"];

/** The next state, or null when the move is not allowed now. */
export function step(state: State, move: Move): State | null {
  return MOVES[move][state] ?? null;
}

/** The moves that a caller can make now, each a route of its name. */
export function allowedNow(state: State): Move[] {
  return CALLER_MOVES.filter((move) => step(state, move) !== null);
}
