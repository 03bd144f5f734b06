"""The deep tier's network, in two sizes: the one that ships, and its wider teacher."""
import torch
import torch.nn as nn
import torch.nn.functional as F

PAD, MASK = 0, 1
SIZES = {
    "student": dict(d=192, wide=256, layers=3, heads=4, ff=768, pair_bits=14),
    "teacher": dict(d=256, wide=384, layers=6, heads=6, ff=1152, pair_bits=16),
}


class Block(nn.Module):
    """Pre-norm transformer block; ReLU so that the shipped kernels need no table of exponentials."""

    def __init__(self, d, heads, ff, dropout):
        super().__init__()
        self.heads, self.dropout = heads, dropout
        self.norm1, self.norm2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.qkv, self.out = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.up, self.down = nn.Linear(d, ff), nn.Linear(ff, d)

    def forward(self, x, keep):
        b, t, d = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(b, t, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        mask = keep[:, None, None, :]
        a = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        a = self.out(a.transpose(1, 2).reshape(b, t, d))
        x = x + F.dropout(a, self.dropout, self.training)
        h = self.down(F.relu(self.up(self.norm2(x))))
        return x + F.dropout(h, self.dropout, self.training)


def pool(x, keep):
    k = keep[..., None].to(x.dtype)
    mean = (x * k).sum(1) / k.sum(1).clamp(min=1)
    top = x.masked_fill(~keep[..., None], -1e4).amax(1)
    return torch.cat([mean, top], -1)


class Network(nn.Module):
    """Two strided convolutions over piece and piece-pair embeddings (one position for four pieces), then a few blocks."""

    def __init__(self, vocabulary, length, d, wide, layers, heads, ff, pair_bits, dropout=0.1):
        super().__init__()
        self.length, self.pair_bits = length, pair_bits
        self.embed = nn.Embedding(vocabulary, d)
        self.pairs = nn.Embedding(1 << pair_bits, d)
        nn.init.normal_(self.embed.weight, std=0.05)
        nn.init.normal_(self.pairs.weight, std=0.02)
        self.conv1, self.conv2 = nn.Linear(4 * d, d), nn.Linear(4 * d, wide)
        self.norm0 = nn.LayerNorm(d)
        self.position = nn.Embedding(length // 4, wide)
        nn.init.normal_(self.position.weight, std=0.02)
        self.blocks = nn.ModuleList(Block(wide, heads, ff, dropout) for _ in range(layers))
        self.norm = nn.LayerNorm(wide)
        self.guess = nn.Linear(wide, 4 * d)
        self.bias = nn.Parameter(torch.zeros(vocabulary))
        self.head = nn.Linear(2 * wide, 1)

    def pair_ids(self, ids):
        before = F.pad(ids, (1, 0))[:, :-1]
        mixed = ((before * 0x9E3779B1) ^ (ids * 0x85EBCA6B)) & 0xFFFFFFFF
        return mixed >> (32 - self.pair_bits)

    def stack(self, x):
        """Rows of four neighbours, two apart: the one before, two of its own, the one after."""
        x = F.pad(x, (0, 0, 1, 1))
        return x.unfold(1, 4, 2).transpose(-1, -2).flatten(-2)

    def body(self, ids):
        keep = ids != PAD
        x = self.embed(ids) + self.pairs(self.pair_ids(ids))
        x = F.dropout(x * keep[..., None], 0.1, self.training)
        x = F.relu(self.conv1(self.stack(x)))
        keep = keep[:, ::2]
        x = self.norm0(x) * keep[..., None]
        x = F.relu(self.conv2(self.stack(x)))
        keep = keep[:, ::2]
        x = x + self.position.weight[: x.shape[1]]
        for block in self.blocks:
            x = block(x, keep)
        return self.norm(x), keep

    def forward(self, ids):
        x, keep = self.body(ids)
        return self.head(F.dropout(pool(x, keep), 0.2, self.training))[:, 0]

    def guesses(self, ids, where):
        """The four pieces behind each hidden position."""
        x, _ = self.body(ids)
        h = F.gelu(self.guess(x[where])).view(-1, self.embed.weight.shape[1])
        return F.linear(h, self.embed.weight, self.bias)
