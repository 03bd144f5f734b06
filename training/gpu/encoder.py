"""A BERT encoder (all-MiniLM-L6-v2) written out, so that nothing but PyTorch is needed."""
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

PAD = 0


class Layer(nn.Module):
    def __init__(self, d, heads, ff, dropout):
        super().__init__()
        self.heads, self.dropout = heads, dropout
        self.qkv, self.out = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.norm1, self.norm2 = nn.LayerNorm(d, eps=1e-12), nn.LayerNorm(d, eps=1e-12)
        self.up, self.down = nn.Linear(d, ff), nn.Linear(ff, d)

    def forward(self, x, mask):
        b, t, d = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        a = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        a = self.out(a.transpose(1, 2).reshape(b, t, d))
        x = self.norm1(x + F.dropout(a, self.dropout, self.training))
        h = self.down(F.gelu(self.up(x)))
        return self.norm2(x + F.dropout(h, self.dropout, self.training))


class Encoder(nn.Module):
    """Reads our piece ids (`to_bert` gives BERT's); mean and maximum over the text, then one logit."""

    def __init__(self, path, to_bert, layers=6, dropout=0.1):
        super().__init__()
        file = np.load(path)
        get = lambda name: torch.from_numpy(
            file[name].astype(np.float32) * (file[name + "/scale"][:, None] if name + "/scale" in file else 1)
        )
        d = 384
        words = get("embeddings.word_embeddings.weight")[torch.as_tensor(to_bert, dtype=torch.long)]
        self.embed = nn.Embedding.from_pretrained(words, freeze=True)
        self.position = nn.Parameter(
            get("embeddings.position_embeddings.weight") + get("embeddings.token_type_embeddings.weight")[0]
        )
        self.norm0 = nn.LayerNorm(d, eps=1e-12)
        self.layers = nn.ModuleList(Layer(d, 12, 4 * d, dropout) for _ in range(layers))
        self.head = nn.Linear(2 * d, 1)
        with torch.no_grad():
            self.norm0.weight.copy_(get("embeddings.LayerNorm.weight"))
            self.norm0.bias.copy_(get("embeddings.LayerNorm.bias"))
            for i, layer in enumerate(self.layers):
                at = f"encoder.layer.{i}."
                for part in ("weight", "bias"):
                    names = [f"{at}attention.self.{x}.{part}" for x in ("query", "key", "value")]
                    getattr(layer.qkv, part).copy_(torch.cat([get(n) for n in names]))
                    getattr(layer.out, part).copy_(get(f"{at}attention.output.dense.{part}"))
                    getattr(layer.norm1, part).copy_(get(f"{at}attention.output.LayerNorm.{part}"))
                    getattr(layer.up, part).copy_(get(f"{at}intermediate.dense.{part}"))
                    getattr(layer.down, part).copy_(get(f"{at}output.dense.{part}"))
                    getattr(layer.norm2, part).copy_(get(f"{at}output.LayerNorm.{part}"))

    def body(self, ids):
        keep = ids != PAD
        x = self.norm0(self.embed(ids) + self.position[: ids.shape[1]])
        x = F.dropout(x, 0.1, self.training)
        mask = keep[:, None, None, :]
        for layer in self.layers:
            x = layer(x, mask)
        return x, keep

    def forward(self, ids):
        x, keep = self.body(ids)
        k = keep[..., None].to(x.dtype)
        mean = (x * k).sum(1) / k.sum(1).clamp(min=1)
        top = x.masked_fill(~keep[..., None], -1e4).amax(1)
        return self.head(F.dropout(torch.cat([mean, top], -1), 0.2, self.training))[:, 0]
