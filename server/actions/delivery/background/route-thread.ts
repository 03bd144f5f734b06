// The thread that plans routes, so that a large plan holds up no other request.
import { planRoutes } from "../engine/routing/plan.ts";

declare const self: { onmessage: (event: { data: any }) => void; postMessage(message: unknown): void };

self.onmessage = ({ data }) => {
  try {
    self.postMessage({ plan: planRoutes(data) });
  } catch (error) {
    self.postMessage({ error: String(error) });
  }
};
