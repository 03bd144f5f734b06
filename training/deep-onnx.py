"""Writes the shipped student as an int8 ONNX file, for the benchmark beside onnxruntime. usage: python deep-onnx.py TRAINED_FOLDER OUT"""
import os
import sys

import numpy as np
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic

from deep_model import SIZES, Network

folder, out = sys.argv[1:3]
state = {}
for part in ("tables", "layers"):
    state.update({k: torch.from_numpy(v.astype(np.float32)) for k, v in np.load(os.path.join(folder, f"student-{part}.npz")).items()})
student = Network(16384, 512, **SIZES["student"]).eval().requires_grad_(False)
student.load_state_dict(state, strict=False)


class Full(torch.nn.Module):
    """512 real pieces and no padding: what a text of 400 words needs; attention written out, so that it can be exported."""

    def __init__(self):
        super().__init__()
        self.student = student

    def forward(self, ids, pairs):
        s = self.student
        x = s.embed(ids) + s.pairs(pairs)
        take = lambda x: torch.cat([torch.nn.functional.pad(x, (0, 0, 1, 1))[:, k : k + x.shape[1] : 2] for k in range(4)], -1)
        x = s.norm0(torch.relu(s.conv1(take(x))))
        x = torch.relu(s.conv2(take(x))) + s.position.weight
        for block in s.blocks:
            q, k, v = block.qkv(block.norm1(x)).view(1, 128, 3, 4, 64).permute(2, 0, 3, 1, 4)
            a = torch.softmax(q @ k.transpose(-1, -2) / 8, -1) @ v
            x = x + block.out(a.transpose(1, 2).reshape(1, 128, 256))
            x = x + block.down(torch.relu(block.up(block.norm2(x))))
        x = s.norm(x)
        return s.head(torch.cat([x.mean(1), x.amax(1)], -1))


torch.onnx.export(Full(), (torch.ones(1, 512, dtype=torch.long),) * 2, out + ".f32", input_names=["ids", "pairs"], output_names=["logit"], dynamo=False, opset_version=17)
quantize_dynamic(out + ".f32", out, weight_type=QuantType.QInt8, op_types_to_quantize=["MatMul", "Gemm"])
os.remove(out + ".f32")
print(f"{os.path.getsize(out) / 1e6:.1f} MB")
