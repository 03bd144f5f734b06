// The deep network's host: fills the WebAssembly kernel with the packed weights and asks it for a logit.
// Runs wherever it is constructed; worker.ts keeps that off the event loop.

const VOCABULARY = 16_384;
const PAIRS = 16_384;
const D = 192;
const WIDE = 256;
const FF = 768;
const POSITIONS = 128;
const MAGIC = 0x31504544;
export const MOST_PIECES = 512;

interface Kernel {
  memory: WebAssembly.Memory;
  address(what: number, layer: number): number;
  prepare(): void;
  run(count: number): number;
}

/** Where the kernel keeps each thing; the numbers are those of `address` in kernel/forward.c. */
const AT = {
  ids: 0,
  embed: 1,
  pairs: 3,
  conv1: 5,
  conv2: 8,
  norm0: 11,
  position: 12,
  qkv: 13,
  out: 16,
  up: 19,
  down: 22,
  norms: 25,
  head: 26,
};

export class DeepNetwork {
  #kernel: Kernel;
  #ids: Uint16Array;

  constructor(module: WebAssembly.Module, weights: Uint8Array) {
    this.#kernel = new WebAssembly.Instance(module).exports as unknown as Kernel;
    this.#ids = new Uint16Array(this.#kernel.memory.buffer, this.#kernel.address(AT.ids, 0), MOST_PIECES);
    new Loader(this.#kernel, weights).load();
    this.#kernel.prepare();
  }

  /** The logit of at most 512 word pieces. */
  logit(ids: Uint16Array, count: number): number {
    const n = Math.min(count, MOST_PIECES);
    this.#ids.set(ids.subarray(0, n));
    return this.#kernel.run(n);
  }
}

class Loader {
  #kernel: Kernel;
  #bytes: Uint8Array;
  #at = 0;

  constructor(kernel: Kernel, bytes: Uint8Array) {
    this.#kernel = kernel;
    this.#bytes = bytes;
  }

  load(): void {
    const [magic, layers] = new Uint32Array(this.#take(8).slice().buffer);
    if (magic !== MAGIC || layers !== 3) throw new Error("not a deep model file");
    this.#copy(AT.embed, VOCABULARY * D);
    this.#copy(AT.embed + 1, VOCABULARY * 4);
    this.#copy(AT.pairs, PAIRS * D);
    this.#copy(AT.pairs + 1, PAIRS * 4);
    this.#matrix(AT.conv1, 0, D, 4 * D);
    this.#matrix(AT.conv2, 0, WIDE, 4 * D);
    this.#copy(AT.norm0, 2 * D * 4);
    this.#copy(AT.position, POSITIONS * WIDE * 4);
    for (let layer = 0; layer < layers; layer++) {
      this.#matrix(AT.qkv, layer, 3 * WIDE, WIDE);
      this.#matrix(AT.out, layer, WIDE, WIDE);
      this.#matrix(AT.up, layer, FF, WIDE);
      this.#matrix(AT.down, layer, WIDE, FF);
      this.#copy(AT.norms, 2 * WIDE * 4, 2 * layer);
      this.#copy(AT.norms, 2 * WIDE * 4, 2 * layer + 1);
    }
    this.#copy(AT.norms, 2 * WIDE * 4, 2 * layers);
    this.#copy(AT.head, (2 * WIDE + 1) * 4);
    if (this.#at !== this.#bytes.length) throw new Error("the deep model file has the wrong size");
  }

  #take(size: number): Uint8Array {
    if (this.#at + size > this.#bytes.length) throw new Error("the deep model file is truncated");
    this.#at += size;
    return this.#bytes.subarray(this.#at - size, this.#at);
  }

  #copy(what: number, size: number, layer = 0): void {
    const to = this.#kernel.address(what, layer);
    new Uint8Array(this.#kernel.memory.buffer, to, size).set(this.#take(size));
  }

  /** Widens int8 rows to int16 in the order the kernel reads: four outputs by two inputs. */
  #matrix(what: number, layer: number, outputs: number, inputs: number): void {
    const from = this.#take(outputs * inputs);
    const signed = new Int8Array(from.buffer, from.byteOffset, from.length);
    const packed = new Int16Array(this.#kernel.memory.buffer, this.#kernel.address(what, layer), outputs * inputs);
    for (let n = 0; n < outputs; n++) {
      const block = (n & ~3) * inputs + (n & 3) * 2;
      for (let k = 0; k < inputs; k++) packed[block + (k >> 1) * 8 + (k & 1)] = signed[n * inputs + k];
    }
    this.#copy(what + 1, outputs * 4, layer);
    this.#copy(what + 2, outputs * 4, layer);
  }
}
