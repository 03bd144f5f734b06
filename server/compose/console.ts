// Wires the console to the gate and the REST routes.
import { createConsoleRoutes } from "../http/console/routes.ts";
import { createSessions } from "../http/console/session.ts";
import type { Gate } from "../http/gate.ts";
import type { Module, Platform } from "../platform/platform.ts";

export interface ConsoleParts {
  platform: Platform;
  gate: Gate;
  /** Makes the gate take a request of ours as one from this address. */
  comesFrom(request: Request, address: string): Request;
}

export function createConsole({ platform, gate, comesFrom }: ConsoleParts) {
  const { seal, clock, publicUrl } = platform;
  const sessions = createSessions({ seal, clock, publicUrl });
  const identify = (key: string, address: string) => {
    const headers = { Authorization: `Bearer ${key}` };
    return gate.identify(comesFrom(new Request(`${publicUrl()}/console`, { headers }), address));
  };
  const module: Module = { handlers: createConsoleRoutes({ sessions, identify }) };
  return { module, translate: sessions.translate };
}
