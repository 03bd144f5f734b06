// What every route of alerts works with.
import type { Platform } from "../../../platform/platform.ts";
import type { LiveIndex } from "../background/index/live-index.ts";

export interface AlertsContext {
  platform: Platform;
  index: LiveIndex;
  /** Every event type of the service. */
  knownTypes: string[];
  /** False when live keys cannot send mail. */
  hasMail: boolean;
  /** Wakes the background loop: something may be due. */
  wake(): void;
}
