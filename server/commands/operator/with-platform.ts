// Opens the platform for a command and closes it again, whatever happens.
import { openGround } from "../../compose/ground.ts";
import type { Config } from "../../config.ts";
import type { Platform } from "../../platform/platform.ts";

export async function withPlatform<T>(config: Config, work: (platform: Platform) => Promise<T>): Promise<T> {
  const ground = await openGround({ ...config, LOG: "error" });
  try {
    return await work(ground.platform);
  } finally {
    await ground.close();
  }
}
