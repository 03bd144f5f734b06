// Routes that the console asks by their path, with the types of their contracts: those the generated client may lack.
import type { Static, TSchema } from "typebox";
import type { ActionConnector } from "../../sdks/typescript/src/index.ts";
import type { Route } from "../../server/contract/define.ts";
import type {
  listAccounts,
  listPlans,
  listSettings,
  readHealth,
  updateAccount,
} from "../../server/platform/accounts/operator/contract.ts";
import type { listProviders } from "../../server/platform/accounts/operator/providers/contract.ts";
import type { listErrors, listRequests } from "../../server/platform/usage/requests/contract.ts";

type Answer<R> = R extends Route<any, any, any, infer A extends TSchema> ? Static<A> : never;

export type RequestPage = Answer<typeof listRequests>;
export type LoggedRequest = RequestPage["items"][number];
export type AccountPage = Answer<typeof listAccounts>;
export type Account = Answer<typeof updateAccount>;
export type Provider = Answer<typeof listProviders>["items"][number];

interface Question {
  method?: string;
  path: string;
  query?: object;
  body?: unknown;
}

/** The data of an answer; the client throws a refusal. */
async function ask<T>(api: ActionConnector, { method = "GET", ...rest }: Question): Promise<T> {
  const response = await api.request({ method, ...rest });
  return (await response.json()).data;
}

export const requestLog = (api: ActionConnector, query: object) =>
  ask<RequestPage>(api, { path: "/usage/requests", query });
export const errorsByCode = (api: ActionConnector, from: Date) =>
  ask<Answer<typeof listErrors>>(api, { path: "/usage/errors", query: { from } });
export const providers = (api: ActionConnector) => ask<Answer<typeof listProviders>>(api, { path: "/providers" });
export const accounts = (api: ActionConnector, query: object) =>
  ask<AccountPage>(api, { path: "/admin/accounts", query });
export const changeAccount = (api: ActionConnector, id: string, body: object) =>
  ask<Account>(api, { method: "PATCH", path: `/admin/accounts/${id}`, body });
export const plans = (api: ActionConnector) => ask<Answer<typeof listPlans>>(api, { path: "/admin/plans" });
export const settings = (api: ActionConnector) => ask<Answer<typeof listSettings>>(api, { path: "/admin/settings" });
export const health = (api: ActionConnector) => ask<Answer<typeof readHealth>>(api, { path: "/admin/health" });
