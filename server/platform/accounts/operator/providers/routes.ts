// GET /providers.
import { handle } from "../../../../contract/define.ts";
import { toIso } from "../../../../store/db.ts";
import type { Module, Platform } from "../../../platform.ts";
import { listProviders, type PROVIDER_STATES } from "./contract.ts";
import type { ProviderStanding } from "./index.ts";

export function createProviderRoutes({ providers }: Platform): Module {
  return { handlers: [handle(listProviders, () => ({ items: providers.standings().map(view) }))] };
}

function view(standing: ProviderStanding) {
  const { name, action, kind, breaker, calls, failures, lastError } = standing;
  const state = stateOf(standing);
  return {
    name,
    action,
    kind,
    state,
    breaker,
    calls,
    failures,
    last_success_at: toIso(standing.lastSuccessMs),
    last_failure_at: toIso(standing.lastFailureMs),
    last_error: lastError,
    hint: hintOf(standing, state),
  };
}

type State = (typeof PROVIDER_STATES)[number];

function stateOf({ configured, breaker, calls, lastSuccessMs, lastFailureMs }: ProviderStanding): State {
  if (!configured) return "not_configured";
  if (breaker === "open") return "paused";
  if (calls === 0) return "idle";
  return (lastFailureMs ?? 0) > (lastSuccessMs ?? 0) ? "failing" : "working";
}

function hintOf({ settings }: ProviderStanding, state: State): string | null {
  const names = settings.map((name) => `CONNECTOR_${name}`).join(" and ");
  if (state === "not_configured") return `The operator sets it up with ${names}.`;
  if (state === "failing" || state === "paused") return `The operator checks ${names}, and whether it can be reached.`;
  return null;
}
