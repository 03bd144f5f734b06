// The states of an alert and what moves it. A table; step() is pure and total.

export const states = ["pending_verification", "active", "paused", "expired"] as const;
export type State = (typeof states)[number];
export type Move = "verify" | "pause" | "resume" | "expire";

const moves: Record<Move, Partial<Record<State, State>>> = {
  verify: { pending_verification: "active" },
  pause: { active: "paused", pending_verification: "paused" },
  resume: { paused: "active", active: "active" },
  expire: { pending_verification: "expired", active: "expired", paused: "expired" },
};

/** The next state, or null when the move is not allowed now. */
export function step(state: State, move: Move): State | null {
  return moves[move][state] ?? null;
}

export function allowedNow(state: State): Move[] {
  return (Object.keys(moves) as Move[]).filter((move) => step(state, move) !== null);
}
