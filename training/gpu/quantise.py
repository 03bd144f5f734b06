"""The pre-trained encoder as int8 rows with a scale each (22 MB), small enough to travel.
usage: python quantise.py model.safetensors OUT.npz"""
import sys

import numpy as np
from safetensors.numpy import load_file

out = {}
for name, value in load_file(sys.argv[1]).items():
    if name.startswith("pooler") or value.dtype.kind != "f":
        continue
    if value.ndim == 2 and value.size > 10_000:
        scale = np.maximum(np.abs(value).max(1), 1e-9) / 127
        out[name] = np.rint(value / scale[:, None]).astype(np.int8)
        out[name + "/scale"] = scale.astype(np.float32)
    else:
        out[name] = value.astype(np.float32)
np.savez_compressed(sys.argv[2], **out)
