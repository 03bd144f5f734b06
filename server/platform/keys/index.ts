// Keys: who a key is, what it may do to others, and how it is made, changed, rolled and revoked.
export { createAuthenticator, type Authenticator, type KeyPrincipal } from "./authenticate.ts";
export { issueKey } from "./issue.ts";
export { createKeyByOperator, listKeysByOperator, revokeKeyByOperator, rollKeyByOperator } from "./operator.ts";
export { createKeys } from "./routes.ts";
export { bumpGeneration, findTenant } from "./store.ts";
