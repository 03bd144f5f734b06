// Opens the deep tier's native library (kernel/library.c) where this machine can run it. The caller falls back to WebAssembly.
import { dlopen, ptr } from "bun:ffi";
import { checkWeights, type Kernel, MOST_PIECES } from "../engine/deep/network.ts";

/** By the numbers of `level` in library.c: what the processor can do, from the least to the most. */
export const KINDS = ["none", "avx2", "avxvnni", "avx512"] as const;

const SYMBOLS = {
  level: { args: [], returns: "i32" },
  size: { args: [], returns: "i32" },
  prepare: { args: ["i32", "ptr", "ptr"], returns: "void" },
  run: { args: ["i32", "ptr", "i32"], returns: "f32" },
} as const;

const CACHE_LINE = 64;

/** Null when the library is for another system, cannot be loaded, or knows no way for this processor. */
export function nativeKernel(library: string, weights: Uint8Array, most: number = KINDS.length - 1): Kernel | null {
  checkWeights(weights);
  if (process.platform !== "linux" || process.arch !== "x64") return null;
  const opened = open(library);
  if (!opened) return null;
  const kind = Math.min(opened.level(), most);
  if (kind < 1) return null;
  // The views are handed over with every call, so their memory lives at least as long as the call. It is never transferred.
  const state = alignedBytes(opened.size());
  opened.prepare(kind, state, weights);
  return {
    name: KINDS[kind],
    ids: new Uint16Array(state.buffer, state.byteOffset, MOST_PIECES),
    run: (count) => opened.run(kind, state, count),
  };
}

function open(library: string) {
  try {
    return dlopen(library, SYMBOLS).symbols;
  } catch {
    return null;
  }
}

function alignedBytes(size: number): Uint8Array {
  const bytes = new Uint8Array(size + CACHE_LINE);
  const over = ptr(bytes) % CACHE_LINE;
  return bytes.subarray(over === 0 ? 0 : CACHE_LINE - over).subarray(0, size);
}
