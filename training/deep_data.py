"""Rows as word pieces on the device, and batches of damaged passages of them."""
import lzma
import os

import numpy as np
import torch


class Rows:
    def __init__(self, folder, device):
        def read(name, kind):
            path = os.path.join(folder, name)
            raw = lzma.open(path + ".xz").read() if os.path.exists(path + ".xz") else open(path, "rb").read()
            return np.frombuffer(raw, dtype=kind)

        flat = read("tokens.u16", np.uint16).astype(np.int32)
        ends = read("ends.u32", np.uint32).astype(np.int64)
        starts = np.concatenate([[0], ends[:-1]])
        self.device = device
        self.flat = torch.from_numpy(flat).to(device)
        self.start = torch.from_numpy(starts).to(device)
        self.size = torch.from_numpy(ends - starts).to(device)
        self.label = torch.from_numpy(read("labels.u8", np.uint8).astype(np.float32)).to(device)
        self.weight = torch.from_numpy(read("weights.f32", np.float32).copy()).to(device)
        self.fold = torch.from_numpy(read("folds.u8", np.uint8).astype(np.int64)).to(device)
        self.words = read("words.u16", np.uint16)
        self.count = len(ends)
        counts = torch.bincount(self.flat[::7].long(), minlength=16384).float()
        self.often = counts / counts.sum()
        common = torch.argsort(counts, descending=True)[:1500]
        self.rare = torch.ones(len(counts), dtype=torch.bool, device=device)
        self.rare[common] = False
        self.rare[:3] = False

    def window(self, rows, offset, length, most):
        """ids[b, t] of a passage, zero where it has ended."""
        at = torch.arange(most, device=self.device)
        reach = torch.minimum(length, self.size[rows] - offset)
        index = (self.start[rows] + offset)[:, None] + at
        ids = self.flat[index.clamp(max=len(self.flat) - 1)].long()
        return ids * (at < reach[:, None])

    def passages(self, rows, most, least=90):
        b = len(rows)
        u = torch.rand(b, 3, device=self.device)
        length = torch.where(u[:, 0] < 0.45, most, (least + u[:, 1] * (most - least))).long()
        room = (self.size[rows] - length).clamp(min=0)
        return self.window(rows, (u[:, 2] * (room + 1)).long(), length, most)

    def damage(self, ids, share=0.6):
        """Masks, swaps, drops and replaces pieces, and hides topic words, in a share of the passages, whatever their label."""
        b, t = ids.shape
        rand = lambda *s: torch.rand(*s, device=self.device)
        real = ids != 0
        chosen = (rand(b, 1) < share).float()
        rate = chosen * rand(b, 1) * 0.22
        noise = rand(b, t)
        replace = torch.multinomial(self.often, b * t, replacement=True).view(b, t)
        kind = rand(b, t)
        hit = (noise < rate) & real
        ids = torch.where(hit & (kind < 0.4), replace, ids)
        ids = torch.where(hit & (kind >= 0.4) & (kind < 0.6), torch.ones_like(ids), ids)
        topic = (rand(b, 1) < 0.3).float() * rand(b, 1)
        ids = torch.where(self.rare[ids] & (rand(b, t) < topic) & real, torch.ones_like(ids), ids)
        gone = hit & (kind >= 0.6)
        order = torch.argsort((gone | ~real).int(), dim=1, stable=True)
        ids = torch.where(gone, torch.zeros_like(ids), ids)
        return torch.gather(ids, 1, order)
