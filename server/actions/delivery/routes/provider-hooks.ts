// Webhooks of courier services. The provider's signature is the credential.
import { type CallOf, handle, type Handler } from "../../../contract/define.ts";
import { Failure } from "../../../contract/errors.ts";
import * as contract from "../contract/index.ts";
import type { CourierProvider, Report } from "../providers/port.ts";
import type { RouteDeps } from "./deps.ts";

async function receiveHook(deps: RouteDeps, call: CallOf<typeof contract.providerHook>): Promise<{ taken: number }> {
  const provider = deps.couriers.get(call.params.provider);
  if (!provider) throw new Failure("provider_not_configured", `${call.params.provider} is not set up.`);
  let taken = 0;
  for (const report of readReports(provider, call.request.headers, call.raw.bytes)) {
    const row = await deps.store.findByReference(provider.name, report.ref);
    if (row && (await deps.receiveReport(row.tenantId, row.id, report))) taken++;
  }
  return { taken };
}

/** A signed webhook that cannot be read holds no report; an unsigned one is refused. */
function readReports(provider: CourierProvider, headers: Headers, bytes: Uint8Array): Report[] {
  let reports: Report[] | null;
  try {
    reports = provider.receive(headers, bytes);
  } catch {
    reports = [];
  }
  if (!reports) throw new Failure("invalid_api_key", "The report is not signed as it should be.");
  return reports;
}

export const providerHookRoutes = (deps: RouteDeps): Handler[] => [
  handle(contract.providerHook, (call) => receiveHook(deps, call)),
];
