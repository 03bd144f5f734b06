// The deep network's host: checks the weights' file before any kernel reads it, gives a kernel its memory, asks it for a logit.
// Runs wherever it is constructed; worker.ts keeps that off the event loop.

const D = 192;
const WIDE = 256;
const FF = 768;
const MAGIC = 0x31504544;
const MAX_BLOCKS = 7;
export const VOCABULARY = 16_384;
export const MAX_PIECES = 512;

/** The forward pass of kernel/forward.c, with its memory and the weights in it. All kernels give the same bits. */
export interface Kernel {
  readonly name: string;
  /** Where the word pieces go before `run`. */
  readonly ids: Uint16Array;
  run(count: number): number;
}

export class DeepNetwork {
  readonly kernel: string;
  #kernel: Kernel;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
    this.kernel = kernel.name;
  }

  /** The logit of at most 512 word pieces. */
  logit(ids: Uint16Array, count: number): number {
    const n = Math.max(0, Math.min(count, ids.length, MAX_PIECES));
    this.#kernel.ids.set(ids.subarray(0, n));
    return this.#kernel.run(n);
  }
}

/** Kernels read without looking where the file ends, so its size must be exactly what its number of blocks needs. */
export function checkWeights(file: Uint8Array): void {
  if (file.length < 8) throw new Error("not a deep model file");
  const header = new DataView(file.buffer, file.byteOffset, 8);
  const blocks = header.getUint32(4, true);
  if (header.getUint32(0, true) !== MAGIC) throw new Error("not a deep model file");
  if (blocks < 1 || blocks > MAX_BLOCKS) throw new Error(`a deep model has 1 to ${MAX_BLOCKS} blocks, not ${blocks}`);
  const size = sizeOf(blocks);
  if (file.length !== size)
    throw new Error(`a deep model of ${blocks} blocks has ${size} bytes, this file ${file.length}`);
}

/** int8 matrices and tables with a scale for each row, matrices with a bias, norms with gain and shift; as deep-pack.py writes. */
export function sizeOf(blocks: number): number {
  const matrix = (outputs: number, inputs: number) => outputs * (inputs + 8);
  const block =
    matrix(3 * WIDE, WIDE) +
    matrix(WIDE, WIDE) +
    matrix(FF, WIDE) +
    matrix(WIDE, FF) +
    2 * 2 * WIDE * Float32Array.BYTES_PER_ELEMENT;
  const tables = 2 * VOCABULARY * (D + 4);
  const entrance = matrix(D, 4 * D) + matrix(WIDE, 4 * D) + 4 * (2 * D + (MAX_PIECES / 4) * WIDE);
  return 8 + tables + entrance + blocks * block + 4 * (2 * WIDE + 2 * WIDE + 1);
}

interface Exports {
  memory: WebAssembly.Memory;
  size(): number;
  prepare(state: number, file: number): void;
  run(state: number, count: number): number;
}

export function wasmKernel(module: WebAssembly.Module, weights: Uint8Array): Kernel {
  checkWeights(weights);
  const { memory, size, prepare, run } = new WebAssembly.Instance(module).exports as unknown as Exports;
  const page = 65_536;
  const state = memory.grow(Math.ceil((size() + weights.length) / page)) * page;
  const file = state + size();
  new Uint8Array(memory.buffer, file, weights.length).set(weights);
  prepare(state, file);
  return {
    name: "wasm",
    ids: new Uint16Array(memory.buffer, state, MAX_PIECES),
    run: (count) => run(state, count),
  };
}
