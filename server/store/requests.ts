// Which transactions serve a request: what they write is held to the caps of the account's plan.
import type { Tx } from "./db.ts";

const ofRequests = new WeakSet<object>();

export const markRequest = (tx: Tx): void => void ofRequests.add(tx);
export const servesRequest = (tx: Tx): boolean => ofRequests.has(tx);
