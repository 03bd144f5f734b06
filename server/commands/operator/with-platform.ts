// Opens the platform for a command and closes it again, whatever happens.
import { openInfrastructure } from "../../compose/infrastructure.ts";
import type { Config } from "../../config.ts";
import type { Platform } from "../../platform/platform.ts";

export async function withPlatform<T>(config: Config, work: (platform: Platform) => Promise<T>): Promise<T> {
  const infrastructure = await openInfrastructure({ ...config, LOG: "error" });
  try {
    return await work(infrastructure.platform);
  } finally {
    await infrastructure.close();
  }
}
