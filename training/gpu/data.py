"""Rows as word pieces on the GPU, and batches of damaged passages of them. Reads what pack.ts wrote."""
import os

import numpy as np
import torch

PAD, MASK = 0, 1
SPECIAL = 3
DEVELOPMENT = 255
LONGEST = 512


class Rows:
    def __init__(self, folder, device):
        read = lambda name, kind: np.fromfile(os.path.join(folder, name), kind)
        variants = sum(name.startswith("tokens-") for name in os.listdir(folder))
        flat, starts, sizes, base = [], [], [], 0
        for v in range(variants):
            part, ends = read(f"tokens-{v}.u16", np.uint16), read(f"ends-{v}.u32", np.uint32).astype(np.int64)
            begin = np.concatenate([[0], ends[:-1]])
            flat.append(part.astype(np.int16))
            starts.append(begin + base)
            sizes.append(ends - begin)
            base += len(part)
        to = lambda a: torch.from_numpy(np.ascontiguousarray(a)).to(device)
        self.device, self.variants = device, variants
        self.flat, self.start, self.size = to(np.concatenate(flat)), to(np.stack(starts)), to(np.stack(sizes))
        labels = read("labels.u8", np.uint8)
        self.label, self.count = to(labels.astype(np.float32)), len(labels)
        self.families, self.makers, self.words = read("families.u8", np.uint8), read("makers.u8", np.uint8), read("words.u16", np.uint16)
        self.weights = lambda fold: to(read(f"weights-{fold}.f32", np.float32))
        counts = torch.bincount(self.flat[::7].long(), minlength=16384).float()
        self.common = torch.argsort(counts, descending=True)[:4000]
        self.rare = torch.ones(len(counts), dtype=torch.bool, device=device)
        self.rare[torch.argsort(counts, descending=True)[:1500]] = False
        self.rare[:SPECIAL] = False

    def left_out(self, fold):
        """Rows whose family or maker the fold's model never met; the development set for the final model."""
        if fold == 5:
            return np.nonzero(self.families == DEVELOPMENT)[0]
        return np.nonzero((self.families == fold) | (self.makers == fold))[0]

    def window(self, variant, rows, offset, length, longest=LONGEST):
        """ids[b, t] of a passage, zero where it has ended."""
        at = torch.arange(longest, device=self.device)
        reach = torch.minimum(length, self.size[variant, rows] - offset)
        index = (self.start[variant, rows] + offset)[:, None] + at
        ids = self.flat[index.clamp(max=len(self.flat) - 1)].long()
        return ids * (at < reach[:, None])

    def passages(self, rows, shortest=90):
        """Half of them damaged, nearly half as long as fits, the others of a random length, from anywhere in the text."""
        u = torch.rand(len(rows), 5, device=self.device)
        variant = torch.where(u[:, 3] < 0.5, 0, 1 + (u[:, 4] * (self.variants - 1)).long()).clamp(max=self.variants - 1)
        length = torch.where(u[:, 0] < 0.45, LONGEST, shortest + u[:, 1] * (LONGEST - shortest)).long()
        room = (self.size[variant, rows] - length).clamp(min=0)
        return self.window(variant, rows, (u[:, 2] * (room + 1)).long(), length)

    def damage(self, ids, share=0.4):
        """Masks, drops and replaces pieces, and hides topic words, in a share of the passages, whatever their label."""
        b, t = ids.shape
        rand = lambda *s: torch.rand(*s, device=self.device)
        real = ids != PAD
        rate = (rand(b, 1) < share) * rand(b, 1) * 0.2
        replace = self.common[torch.randint(len(self.common), (b, t), device=self.device)]
        kind = rand(b, t)
        hit = (rand(b, t) < rate) & real
        ids = torch.where(hit & (kind < 0.4), replace, ids)
        ids = torch.where(hit & (kind >= 0.4) & (kind < 0.6), torch.full_like(ids, MASK), ids)
        topic = (rand(b, 1) < 0.3) * rand(b, 1)
        ids = torch.where(self.rare[ids] & (rand(b, t) < topic) & real, torch.full_like(ids, MASK), ids)
        gone = hit & (kind >= 0.6)
        order = torch.argsort((gone | ~real).int(), dim=1, stable=True)
        return torch.gather(torch.where(gone, PAD, ids), 1, order)
