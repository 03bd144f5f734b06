// Accounts and their two worlds. An account is made with one tenant per mode, and its first keys.
export { deleteAccount, type FirstAccount, openFirstAccount, resumeAccount, suspendAccount } from "./administer.ts";
export { type AccountOrder, changePlan, listAccounts, openAccount } from "./open.ts";
export { createAccounts } from "./routes.ts";
