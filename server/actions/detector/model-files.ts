// Reads the shipped weights from disk, once. The engine itself does no I/O.
import { join } from "node:path";
import { dlopen } from "bun:ffi";
import { type Library, nativeKernel, SYMBOLS } from "./engine/deep/native.ts";
import { DeepNetwork, VOCABULARY, wasmKernel } from "./engine/deep/network.ts";
import { Pieces } from "./engine/deep/pieces.ts";
import { type LightWeights, unpackLight } from "./engine/light/model.ts";

const folder = join(import.meta.dir, "engine");
const read = (path: string) => Bun.file(join(folder, path)).bytes();

const NATIVE_LIBRARY = join(folder, "deep/kernel/forward-linux-x64.so");

let light: Promise<LightWeights> | null = null;

export function openLight(): Promise<LightWeights> {
  return (light ??= read("weights/light.bin").then(unpackLight));
}

/** auto: the native library where it runs, else WebAssembly, which no fault of the kernel can leave. */
export type KernelChoice = "auto" | "wasm";

export interface Deep {
  network: DeepNetwork;
  pieces: Pieces;
}

/** A network and its word pieces; takes about 70 MB and belongs in a worker. */
export async function openDeep(choice: KernelChoice = "auto", library = NATIVE_LIBRARY): Promise<Deep> {
  const [weights, vocabulary] = await Promise.all([
    read("weights/deep.bin"),
    Bun.file(join(folder, "weights/pieces.txt")).text(),
  ]);
  const pieces = new Pieces(vocabulary);
  if (pieces.size > VOCABULARY)
    throw new Error(`the deep model knows ${VOCABULARY} pieces, the list has ${pieces.size}`);
  const opened = choice === "auto" ? openLibrary(library) : null;
  const native = opened && nativeKernel(opened, weights);
  return { network: new DeepNetwork(native ?? (await openWasm(weights))), pieces };
}

async function openWasm(weights: Uint8Array) {
  return wasmKernel(await WebAssembly.compile(await read("deep/kernel/forward.wasm")), weights);
}

/** Null where the library is not for this system or will not load; WebAssembly then does the work. */
export function openLibrary(path = NATIVE_LIBRARY): Library | null {
  if (process.platform !== "linux" || process.arch !== "x64") return null;
  try {
    return dlopen(path, SYMBOLS).symbols as unknown as Library;
  } catch {
    return null;
  }
}
