// Accounts and their two worlds. An account is made with one tenant per mode, and its first keys.
export { type AccountOrder, changePlan, listAccounts, openAccount } from "./open.ts";
export { createAccounts } from "./routes.ts";
