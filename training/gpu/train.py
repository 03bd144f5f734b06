"""Fine-tunes the pre-trained encoder on every fold and scores the texts whose family or maker it never met (decision 0706).
usage: python train.py PACKED WORK OUT [--folds 0,1,2,3,4,5] [--seconds 60]     (fold 5: all texts; scores the development set)
PACKED: what pack.ts wrote. WORK: minilm.npz (quantise.py), vocab.txt (BERT's), pieces.txt (vocabulary.ts)."""
import argparse
import os
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from data import LONGEST, Rows
from encoder import Encoder

ap = argparse.ArgumentParser()
ap.add_argument("packed")
ap.add_argument("work")
ap.add_argument("out")
ap.add_argument("--folds", default="0,1,2,3,4,5")
ap.add_argument("--seconds", type=float, default=60)
ap.add_argument("--rate", type=float, default=1.2e-4)
ap.add_argument("--batch", type=int, default=128)
ap.add_argument("--layers", type=int, default=6)
ap.add_argument("--name", default="encoder")
ap.add_argument("--all", action="store_true", help="score every row, to teach the light model")
args = ap.parse_args()
name = args.name
device = "cuda" if torch.cuda.is_available() else "cpu"
torch.set_float32_matmul_precision("high")
START = time.time()
AVERAGE = 0.998
TARGETS = (0.03, 0.97)
MIN_WORDS, MIN_PIECES, WINDOWS = 75, 120, 2


def say(*words):
    print(f"[{time.time() - START:6.1f}s]", *words, flush=True)


def amp():
    return torch.autocast(device, dtype=torch.bfloat16)


def to_bert():
    """BERT's id of every piece of our list."""
    ids = {piece: i for i, piece in enumerate(open(os.path.join(args.work, "vocab.txt"), encoding="utf8").read().split("\n"))}
    return [ids[piece] for piece in open(os.path.join(args.work, "pieces.txt")).read().split()]


def fit(model, rate, loss_of):
    """Steps until the time is spent, the rate falling with it. The model ends with averaged weights."""
    live = [p for p in model.parameters() if p.requires_grad]
    groups = [
        {"params": [p for p in live if p.ndim >= 2], "weight_decay": 0.02},
        {"params": [p for p in live if p.ndim < 2], "weight_decay": 0.0},
    ]
    opt = torch.optim.AdamW(groups, lr=rate, betas=(0.9, 0.98), fused=device == "cuda")
    mean = [p.detach().clone() for p in live]
    model.train()
    n, losses, begin = 0, [], time.time()
    while True:
        done = (time.time() - begin) / args.seconds
        if done >= 1:
            break
        for group in opt.param_groups:
            group["lr"] = max(rate * min(1, done / 0.06) * (1 - done), rate * 0.01)
        loss = loss_of()
        opt.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(live, 1.0)
        opt.step()
        n += 1
        torch._foreach_lerp_(mean, [p.detach() for p in live], 1 - min(AVERAGE, n / (n + 10)))
        if n % 20 == 0:
            losses.append(loss.item())  # also keeps the clock honest
    with torch.no_grad():
        for p, m in zip(live, mean):
            p.copy_(m)
    model.eval()
    say(f"{n} steps of {args.batch}, loss", [round(x, 3) for x in losses[:: max(1, len(losses) // 6)]])


def sampler(weights):
    sums = weights.double().cumsum(0)
    return lambda b: torch.searchsorted(sums, torch.rand(b, device=device, dtype=torch.double) * sums[-1]).clamp(max=len(weights) - 1)


def train(rows, fold):
    model = Encoder(os.path.join(args.work, "minilm.npz"), to_bert(), args.layers).to(device)
    pick = sampler(rows.weights(fold))

    def loss_of():
        chosen = pick(args.batch)
        ids = rows.damage(rows.passages(chosen))
        target = TARGETS[0] + rows.label[chosen] * (TARGETS[1] - TARGETS[0])
        with amp():
            return F.binary_cross_entropy_with_logits(model(ids).float(), target)

    fit(model, args.rate, loss_of)
    torch.save(model.state_dict(), os.path.join(args.work, f"{name}-{fold}.pt"))
    return model


@torch.no_grad()
def score(model, rows, chosen):
    """The first window's logit and the mean of up to two windows of 512 pieces; a short last window is left out."""
    out = np.zeros((len(chosen), 2), np.float32)
    index = torch.from_numpy(chosen).to(device)
    size = rows.size[0, index]
    for k in range(WINDOWS):
        fits = torch.nonzero(size >= k * LONGEST + (MIN_PIECES if k else 0))[:, 0]
        for part in torch.split(fits, 1024):
            at = index[part]
            with amp():
                ids = rows.window(0, at, torch.full_like(at, k * LONGEST), torch.full_like(at, LONGEST))
                logits = model(ids).float().cpu().numpy()
            where = part.cpu().numpy()
            if k == 0:
                out[where] = logits[:, None]
            else:
                out[where, 1] = (out[where, 1] * k + logits) / (k + 1)
    return out


def summary(rows, folds):
    """AI texts found at one threshold that flags 1 % of all left-out human texts of these folds."""
    parts = [(f, np.load(os.path.join(args.out, f"{name}-{f}.npz"))) for f in range(5) if os.path.exists(os.path.join(args.out, f"{name}-{f}.npz"))]
    if not parts:
        return
    label = rows.label.cpu().numpy()
    for column in (0, 1):
        human, found = [], []
        for f, part in parts:
            at, s = part["rows"], part["scores"][:, column]
            long = rows.words[at] >= MIN_WORDS
            human.append(s[long & (label[at] == 0)])
        cut = np.quantile(np.concatenate(human), 0.99)
        for key in (rows.families, rows.makers):
            found.append([])
            for f, part in parts:
                at, s = part["rows"], part["scores"][:, column]
                chosen = (rows.words[at] >= MIN_WORDS) & (label[at] == 1) & (key[at] == f)
                found[-1].append(float((s[chosen] > cut).mean()))
        show = lambda list: " ".join(f"{x:.3f}" for x in list) + f" mean {np.mean(list):.3f} worst {min(list):.3f}"
        say(name, "windows", column + 1, "| families", show(found[0]), "| makers", show(found[1]))


def main():
    os.makedirs(args.out, exist_ok=True)
    rows = Rows(args.packed, device)
    say(rows.count, "rows", rows.flat.numel(), "pieces", rows.variants, "variants")
    folds = [int(f) for f in args.folds.split(",")]
    for fold in folds:
        torch.manual_seed(100 + fold)
        model = train(rows, fold)
        chosen = rows.left_out(fold)
        np.savez_compressed(os.path.join(args.out, f"{name}-{fold}.npz"), rows=chosen.astype(np.int32), scores=score(model, rows, chosen))
        if args.all:
            score(model, rows, np.arange(rows.count))[:, 1].astype(np.float32).tofile(os.path.join(args.work, f"{name}-all-{fold}.f32"))
        if fold == 5:
            dev = score(model, rows, chosen)[:, 1]
            label, long = rows.label.cpu().numpy()[chosen], rows.words[chosen] >= MIN_WORDS
            cut = np.quantile(dev[long & (label == 0)], 0.99)
            say("development, at its own 1 %:", round(float((dev[long & (label == 1)] > cut).mean()), 4))
        say("fold", fold, "done,", len(chosen), "scored")
    summary(rows, folds)


main()
