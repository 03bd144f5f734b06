// Every kernel gives the same bits, none is asked to read past what it was given, and WebAssembly stands in for the library.
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { checkWeights, DeepNetwork, MAX_PIECES, sizeOf, wasmKernel } from "./engine/deep/network.ts";
import { deepLogit } from "./engine/deep/read.ts";
import { HUMAN, MACHINE } from "./engine/fixtures/samples.ts";
import { openDeep, openLibrary } from "./model-files.ts";
import { systemClock } from "../../lib/clock.ts";
import { createWorkerQueue } from "./background/worker-queue.ts";
import { KINDS, nativeKernel } from "./engine/deep/native.ts";

const folder = mkdtempSync(join(tmpdir(), "kernels-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const engine = join(import.meta.dir, "engine");
const module = new WebAssembly.Module(await Bun.file(join(engine, "deep/kernel/forward.wasm")).bytes());
const shipped = await Bun.file(join(engine, "weights/deep.bin")).bytes();

/** A model of any number of blocks: small random weights, all floats within reach of real ones. */
function madeUp(blocks: number): Uint8Array {
  const file = new Uint8Array(sizeOf(blocks));
  let seed = 7;
  const next = () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  for (let i = 0; i < file.length; i++) file[i] = next() * 256;
  const floats = new DataView(file.buffer);
  for (const [at, count] of floatRanges(blocks))
    for (let i = 0; i < count; i++) floats.setFloat32(at + 4 * i, (next() + 0.1) / 50, true);
  floats.setUint32(0, 0x31504544, true);
  floats.setUint32(4, blocks, true);
  return file;
}

function floatRanges(blocks: number): [number, number][] {
  const ranges: [number, number][] = [];
  let at = 8;
  const table = (outputs: number, inputs: number, floats: number) => {
    ranges.push([at + outputs * inputs, outputs * floats]);
    at += outputs * (inputs + 4 * floats);
  };
  const plain = (count: number) => {
    ranges.push([at, count]);
    at += 4 * count;
  };
  for (let i = 0; i < 2; i++) table(16_384, 192, 1);
  table(192, 768, 2);
  table(256, 768, 2);
  plain(2 * 192 + 128 * 256);
  for (let b = 0; b < blocks; b++) {
    table(768, 256, 2);
    table(256, 256, 2);
    table(768, 256, 2);
    table(256, 768, 2);
    plain(4 * 256);
  }
  plain(4 * 256 + 1);
  expect(at).toBe(sizeOf(blocks));
  return ranges;
}

const library = openLibrary();

/** What this machine can run: WebAssembly always, the library's kinds up to what the processor knows. */
function kernels(weights: Uint8Array) {
  const natives = KINDS.slice(1).map((_, i) => library && nativeKernel(library, weights, i + 1));
  const kinds = new Map(natives.filter((kernel) => kernel !== null).map((kernel) => [kernel.name, kernel]));
  return [wasmKernel(module, weights), ...kinds.values()].map((kernel) => new DeepNetwork(kernel));
}

const networks = kernels(shipped);
const logits = (nets: DeepNetwork[], ids: Uint16Array) => nets.map((net) => net.logit(ids, ids.length));

describe("the kernels agree to the last bit", () => {
  test("on the shipped weights, whatever the pieces (seed 11)", () => {
    const pieces = fc.uint16Array({ minLength: 1, maxLength: MAX_PIECES, size: "max" });
    fc.assert(
      fc.property(pieces, (ids) => {
        const found = logits(networks, ids);
        expect(found.every(Number.isFinite)).toBe(true);
        expect(new Set(found).size).toBe(1);
      }),
      { seed: 11, numRuns: 60 },
    );
  });

  test("at every length from one piece to a whole window", () => {
    for (let n = 1; n <= MAX_PIECES; n += n < 40 ? 1 : 37) {
      const ids = Uint16Array.from({ length: n }, (_, i) => (i * 7919 + n) % 16_384);
      expect(new Set(logits(networks, ids)).size).toBe(1);
    }
  });

  for (const blocks of [1, 7]) {
    test(`with ${blocks} blocks`, () => {
      const ids = Uint16Array.from({ length: 300 }, (_, i) => (i * 31) % 16_384);
      const found = logits(kernels(madeUp(blocks)), ids);
      expect(found.every(Number.isFinite)).toBe(true);
      expect(new Set(found).size).toBe(1);
    });
  }

  test("and a network forgets what it read before", () => {
    for (const net of networks) {
      const ids = Uint16Array.from({ length: 90 }, (_, i) => 40 + i);
      const before = net.logit(ids, 90);
      net.logit(
        Uint16Array.from({ length: MAX_PIECES }, (_, i) => (i * 13) % 16_384),
        MAX_PIECES,
      );
      expect(net.logit(ids, 90)).toBe(before);
    }
  });
});

describe("nothing is read that was not given", () => {
  test("a file of the wrong size, magic or number of blocks reaches no kernel", () => {
    const changed = (at: number, value: number) => {
      const file = shipped.slice();
      file[at] = value;
      return file;
    };
    const wrong = [
      shipped.subarray(0, shipped.length - 1),
      new Uint8Array(3),
      changed(0, 0),
      changed(4, 0),
      changed(4, 8),
      changed(4, shipped[4] + 1),
      changed(7, 255),
    ];
    for (const file of wrong) {
      expect(() => checkWeights(file)).toThrow(/deep model/);
      expect(() => wasmKernel(module, file)).toThrow(/deep model/);
      if (library) expect(() => nativeKernel(library, file)).toThrow(/deep model/);
    }
  });

  test("a count beyond the pieces or the window is cut", () => {
    for (const net of networks) {
      const ids = Uint16Array.from({ length: 700 }, (_, i) => i);
      expect(net.logit(ids, 700)).toBe(net.logit(ids.subarray(0, MAX_PIECES), MAX_PIECES));
      expect(net.logit(ids.subarray(0, 20), 9_999)).toBe(net.logit(ids, 20));
      expect(net.logit(ids, -5)).toBe(0);
      expect(net.logit(ids, 0)).toBe(0);
    }
  });

  test("networks share nothing: two of one kind, read by turns", () => {
    const [a, b] = [networks.at(-1)!, kernels(madeUp(2)).at(-1)!];
    const ids = Uint16Array.from({ length: 200 }, (_, i) => i * 3);
    const [first, second] = [a.logit(ids, 200), b.logit(ids, 200)];
    expect([a.logit(ids, 200), b.logit(ids, 200), a.logit(ids, 200)]).toEqual([first, second, first]);
    expect(first).not.toBe(second);
  });
});

describe("falling back", () => {
  test("WebAssembly when it is asked for, when there is no library, and when the file is no library", async () => {
    const broken = join(folder, "broken.so");
    writeFileSync(broken, "\x7fELF, but not quite");
    const opened = [
      await openDeep("wasm"),
      await openDeep("auto", join(folder, "none.so")),
      await openDeep("auto", broken),
    ];
    expect(opened.map((deep) => deep.network.kernel)).toEqual(["wasm", "wasm", "wasm"]);
    const native = await openDeep("auto");
    for (const text of [MACHINE, HUMAN])
      for (const deep of opened) expect(deepLogit(deep, text)).toBe(deepLogit(native, text));
  });

  test("a processor without AVX2 gets no library", () => {
    if (library) expect(nativeKernel({ ...library, level: () => 0 }, shipped)).toBeNull();
  });

  test("the worker answers the same with either", async () => {
    const options = { tier: "deep", point: "0.01", segments: false } as const;
    const queues = (["auto", "wasm"] as const).map((kernel) => createWorkerQueue({ kernel, clock: systemClock }));
    try {
      const [native, wasm] = await Promise.all(
        queues.map((queue) => queue.run({ kind: "text", text: MACHINE, options })),
      );
      expect(native).toEqual(wasm);
      expect(native.ok).toBe(true);
    } finally {
      for (const queue of queues) queue.stop();
    }
  });

  test("a thread that is stopped in the middle of its work harms nobody", async () => {
    const options = { tier: "deep", point: "0.01", segments: false } as const;
    for (let round = 0; round < 4; round++) {
      const queue = createWorkerQueue({ kernel: "auto", clock: systemClock });
      expect((await queue.run({ kind: "text", text: MACHINE, options })).ok).toBe(true);
      const cut = Array.from({ length: 20 }, () => queue.run({ kind: "text", text: MACHINE, options }));
      await cut[round];
      queue.stop();
      const ends = await Promise.allSettled(cut);
      expect(ends.at(-1)!.status).toBe("rejected");
    }
  });
});
