// Addresses that an account gives us to send to: one that the service may never reach is refused when it is given.
import type { Mode } from "./define.ts";
import { Failure } from "./errors.ts";
import { GuardError, type GuardFetch } from "../lib/guard-fetch/index.ts";

/** A name is resolved only for live keys: test keys must work without a network. */
export async function refuseTarget(guard: GuardFetch, mode: Mode, pointer: string, url: string): Promise<void> {
  try {
    if (mode === "live") await guard.check(url);
    else guard.parse(url);
  } catch (error) {
    if (!(error instanceof GuardError)) throw error;
    // A name that does not resolve just now may do so later; every request checks again.
    if (error.retryable) return;
    const faults = [{ pointer, code: error.code, detail: error.detail, hint: error.hint }];
    throw new Failure("target_not_allowed", error.detail, { hint: error.hint, errors: faults });
  }
}
