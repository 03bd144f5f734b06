// Opens the store for a command and closes it again, whatever happens.
import { type Ground, openGround } from "../compose/ground.ts";
import type { Config } from "../config.ts";

export async function withGround<T>(config: Config, work: (ground: Ground) => Promise<T>): Promise<T> {
  const ground = await openGround({ ...config, LOG: "error" });
  try {
    return await work(ground);
  } finally {
    await ground.close();
  }
}
