// The forward pass in the native library (kernel/library.c), as one of the kernels. Whoever opens the library hands it in.
import { type FFIFunction, ptr } from "bun:ffi";
import { checkWeights, type Kernel, MAX_PIECES } from "./network.ts";

/** What the library's functions take and give, for dlopen. */
export const SYMBOLS = {
  level: { args: [], returns: "i32" },
  size: { args: [], returns: "i32" },
  prepare: { args: ["i32", "ptr", "ptr"], returns: "void" },
  run: { args: ["i32", "ptr", "i32"], returns: "f32" },
} as const satisfies Record<string, FFIFunction>;

export interface Library {
  level(): number;
  size(): number;
  prepare(kind: number, state: Uint8Array, file: Uint8Array): void;
  run(kind: number, state: Uint8Array, count: number): number;
}

/** By the numbers of `level` in library.c: what the processor can do, weakest first. */
export const KINDS = ["none", "avx2", "avxvnni", "avx512"] as const;

const CACHE_LINE = 64;

/** Null when the library knows no way for this processor. `best` is the best kind to use. */
export function nativeKernel(library: Library, weights: Uint8Array, best: number = KINDS.length - 1): Kernel | null {
  checkWeights(weights);
  const kind = Math.min(library.level(), best);
  if (kind < 1) return null;
  // The views are handed over with every call, so their memory lives at least as long as the call. It is never transferred.
  const state = alignedBytes(library.size());
  library.prepare(kind, state, weights);
  return {
    name: KINDS[kind],
    ids: new Uint16Array(state.buffer, state.byteOffset, MAX_PIECES),
    run: (count) => library.run(kind, state, count),
  };
}

function alignedBytes(size: number): Uint8Array {
  const bytes = new Uint8Array(size + CACHE_LINE);
  const over = ptr(bytes) % CACHE_LINE;
  const from = over === 0 ? 0 : CACHE_LINE - over;
  return bytes.subarray(from, from + size);
}
