// What a violated cap is answered with.
import { Failure } from "../../contract/errors.ts";
import { sqlStateOf } from "../../store/faults.ts";

/** The refusal that a violated cap stands for, or null when the error is another. */
export function capFailure(error: unknown): Failure | null {
  const { constraint, hint, message } = (error ?? {}) as { constraint?: string; hint?: string; message?: string };
  if (sqlStateOf(error) !== "23514" || constraint !== "plan_cap") return null;
  const kind = String(hint).replaceAll("_", " ");
  return new Failure("plan_limit_reached", String(message), {
    hint: `Remove ${kind} you no longer need, or move to a larger plan; GET /user/profile shows how many there are.`,
    extra: { limit: hint },
  });
}
