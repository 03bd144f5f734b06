// Reads the shipped weights from disk, once. The engine itself does no I/O.
import { join } from "node:path";
import { type LightWeights, unpackLight } from "./engine/light/model.ts";

const WEIGHTS = join(import.meta.dir, "engine/weights/light.bin");

let light: Promise<LightWeights> | null = null;

export function openLight(): Promise<LightWeights> {
  return (light ??= Bun.file(WEIGHTS).bytes().then(unpackLight));
}
