// Keeps what a test key would have sent, so that a program can be tested end to end without reaching anybody.
export { createInbox } from "./routes.ts";
export { type InboxMessage, putInInbox } from "./store.ts";
