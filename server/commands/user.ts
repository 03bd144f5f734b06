// Every command that needs the SDK alone, by name; each is loaded when it is called. The single executable runs these
// without unpacking the service.
import type { Command } from "./command.ts";

const TABLE: Record<string, () => Promise<Command>> = {
  login: async () => (await import("./user/login.ts")).login,
  schedule: async () => (await import("./user/schedule.ts")).schedule,
  track: async () => (await import("./user/track.ts")).track,
  quote: async () => (await import("./user/quote.ts")).quote,
  alert: async () => (await import("./user/alert.ts")).alert,
  analyze: async () => (await import("./user/analyze.ts")).analyze,
  events: async () => (await import("./user/events.ts")).events,
  webhooks: async () => (await import("./user/webhooks.ts")).webhooks,
  trigger: async () => (await import("./user/trigger.ts")).trigger,
  logs: async () => (await import("./user/logs.ts")).logs,
};

export const isUserCommand = (name: string): boolean => Object.hasOwn(TABLE, name);

export const loadCommand = (name: string): Promise<Command> => TABLE[name]();

export { explainFailure } from "./user/failure.ts";
