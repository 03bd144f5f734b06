// What every courier service must be able to do for us, and the ordered list of those that are configured.
import type { Mode } from "../../../contract/define.ts";
import { Failure, invalid } from "../../../contract/errors.ts";
import type { ProofKind, ProviderName, State } from "../contract/states.ts";

export interface End {
  address: string;
  lat: number | null;
  lon: number | null;
  name: string | null;
  phone: string | null;
}

export interface CourierJob {
  /** Our id; the service must not make two deliveries of one id. */
  id: string;
  pickup: End;
  dropoff: End;
  pickupMs: number;
  arriveMs: number;
  items: { name: string; quantity: number }[];
  notes: string | null;
  proof: ProofKind[];
}

export interface Placed {
  ref: string;
  /** Where a service makes two tasks of one delivery. */
  dropoffRef?: string;
}

/** What a service says about a delivery, in our words. */
export interface Report {
  ref: string;
  state: State;
  /** The same id twice is one report. */
  eventId?: string;
  /** Its courier gave the job back before the pickup. */
  handBack?: boolean;
  reason?: string;
  courier?: { name: string | null; vehicle: string | null };
  position?: { lat: number; lon: number };
  arriveMs?: number;
}

export interface CourierProvider {
  name: string;
  create(job: CourierJob): Promise<Placed>;
  cancel(ref: string, dropoffRef?: string): Promise<void>;
  read(ref: string, dropoffRef?: string): Promise<Report>;
  /** The reports in a webhook, or null when it is not signed as it should be. */
  receive(headers: Headers, body: Uint8Array): Report[] | null;
}

export type FailureKind =
  | "unreachable"
  | "refused"
  | "unauthorized"
  | "not_cancelable"
  | "unknown_delivery"
  | "garbled";

/** A service that fails; never a reason to lose the order. */
export class ProviderFailure extends Error {
  readonly kind: FailureKind;

  constructor(kind: FailureKind, message: string) {
    super(message);
    this.kind = kind;
  }

  /** Whether the same call may work later. */
  get retryable(): boolean {
    return this.kind === "unreachable" || this.kind === "garbled";
  }
}

export type Couriers = ReturnType<typeof createCouriers>;

/** `order` names who is asked first; `fleet` stands for the tenant's own couriers. */
export function createCouriers(providers: CourierProvider[], order: string[]) {
  const byName = new Map(providers.map((p) => [p.name, p]));
  return {
    /** In the order they are asked. */
    order: order.filter((name) => name === "fleet" || byName.has(name)),
    get: (name: string) => byName.get(name),
    /** Refuses an order for a service that is not set up. Test keys reach no service at all: simulated couriers stand in. */
    mustHave(name: ProviderName, mode: Mode): void {
      if (name === "fleet" || byName.has(name) || mode === "test") return;
      const hint = `Set ${SETTINGS_OF[name]}, or leave provider out`;
      throw invalid("/provider", `${name} is not set up on this service`, hint, "not_configured");
    },
    async cancel({ name, ref, dropoffRef }: Placed & { name: string }): Promise<void> {
      const provider = byName.get(name);
      if (!provider) throw new Failure("upstream_error", `${name} carries it, but is no longer set up.`);
      try {
        await provider.cancel(ref, dropoffRef);
      } catch (error) {
        if (!(error instanceof ProviderFailure)) throw error;
        if (error.kind === "unknown_delivery") return;
        if (error.kind === "not_cancelable")
          throw new Failure("wrong_state", `${name} no longer cancels it: ${error.message}`);
        throw new Failure("upstream_error", `${name} did not cancel it: ${error.message}`, { cause: error });
      }
    },
  };
}

/** The settings that set each service up, for the hint. */
const SETTINGS_OF: Record<ProviderName, string> = {
  fleet: "up a courier with POST /delivery/couriers",
  doordash: "CONNECTOR_DOORDASH_DEVELOPER_ID, _KEY_ID and _SIGNING_SECRET",
  uber_direct: "CONNECTOR_UBER_CUSTOMER_ID, _CLIENT_ID and _CLIENT_SECRET",
  onfleet: "CONNECTOR_ONFLEET_API_KEY",
};
