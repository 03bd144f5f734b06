// The words of a delivery's life that contract and machine share: states, roles, kinds of proof.

export const STATES = [
  "scheduled",
  "assigned",
  "en_route_to_pickup",
  "at_pickup",
  "picked_up",
  "en_route_to_dropoff",
  "at_dropoff",
  "delivered",
  "returning",
  "returned",
  "failed",
  "canceled",
] as const;
export type State = (typeof STATES)[number];

export const ROLES = ["client", "courier", "provider", "operator", "system"] as const;
export type Role = (typeof ROLES)[number];

export const PROOF_KINDS = ["photo", "pin", "signature", "barcode"] as const;
export type ProofKind = (typeof PROOF_KINDS)[number];

export const PROVIDERS = ["fleet", "doordash", "uber_direct", "onfleet"] as const;
export type ProviderName = (typeof PROVIDERS)[number];
