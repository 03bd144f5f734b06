"""Packs the trained student into one int8 file. usage: python deep-pack.py TRAINED_FOLDER OUT_FILE"""
import os
import struct
import sys

import numpy as np

folder, out = sys.argv[1:3]
state = {}
for part in ("tables", "layers"):
    state.update(np.load(os.path.join(folder, f"student-{part}.npz")))
LAYERS = sum(1 for k in state if k.endswith("qkv.weight"))


def rows8(weight):
    weight = weight.astype(np.float32)
    scale = np.maximum(np.abs(weight).max(1), 1e-9) / 127
    return np.rint(weight / scale[:, None]).astype(np.int8), scale.astype(np.float32)


with open(out, "wb") as file:
    file.write(struct.pack("<II", 0x31504544, LAYERS))

    def put(array, kind):
        file.write(np.ascontiguousarray(array, dtype=kind).tobytes())

    def table(name):
        q, scale = rows8(state[name])
        put(q, np.int8)
        put(scale, np.float32)

    def matrix(name):
        table(f"{name}.weight")
        put(state[f"{name}.bias"], np.float32)

    def norm(name):
        put(state[f"{name}.weight"], np.float32)
        put(state[f"{name}.bias"], np.float32)

    table("embed.weight")
    table("pairs.weight")
    matrix("conv1")
    matrix("conv2")
    norm("norm0")
    put(state["position.weight"], np.float32)
    for layer in range(LAYERS):
        for name in ("qkv", "out", "up", "down"):
            matrix(f"blocks.{layer}.{name}")
        norm(f"blocks.{layer}.norm1")
        norm(f"blocks.{layer}.norm2")
    norm("norm")
    put(state["head.weight"], np.float32)
    put(state["head.bias"], np.float32)
print(f"{os.path.getsize(out) / 1e6:.2f} MB")
