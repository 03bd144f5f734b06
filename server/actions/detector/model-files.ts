// Reads the shipped weights from disk, once. The engine itself does no I/O.
import { join } from "node:path";
import { DeepNetwork } from "./engine/deep/network.ts";
import { Pieces } from "./engine/deep/pieces.ts";
import { type LightWeights, unpackLight } from "./engine/light/model.ts";

const folder = join(import.meta.dir, "engine");
const read = (path: string) => Bun.file(join(folder, path)).bytes();

let light: Promise<LightWeights> | null = null;

export function openLight(): Promise<LightWeights> {
  return (light ??= read("weights/light.bin").then(unpackLight));
}

/** A network and its word pieces; takes about 40 MB and belongs in a worker. */
export async function openDeep(): Promise<{ network: DeepNetwork; pieces: Pieces }> {
  const [kernel, weights, vocabulary] = await Promise.all([
    read("deep/kernel/forward.wasm"),
    read("weights/deep.bin"),
    Bun.file(join(folder, "weights/pieces.txt")).text(),
  ]);
  return { network: new DeepNetwork(await WebAssembly.compile(kernel), weights), pieces: new Pieces(vocabulary) };
}
