"""The stages of the deep tier's training: masked pieces, then human or AI, with or without a teacher to follow."""
import time

import numpy as np
import torch
import torch.nn.functional as F

LENGTH = 512
BATCH = 256
AVERAGE = 0.998  # the shipped weights are a running mean of the last few hundred steps


def amp(device):
    return torch.autocast(device, dtype=torch.bfloat16)


def optimiser(model, rate, decay=0.05):
    big = [p for p in model.parameters() if p.ndim >= 2]
    small = [p for p in model.parameters() if p.ndim < 2]
    groups = [{"params": big, "weight_decay": decay}, {"params": small, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=rate, betas=(0.9, 0.98), fused=next(model.parameters()).is_cuda)


def run(model, rate, seconds, loss_of, warm=0.06):
    """Steps until the time is spent, the rate falling with it; the first (slow) steps are not counted."""
    opt = optimiser(model, rate)
    model.train()
    n, losses, begin = 0, [], time.time()
    while True:
        if n == 5:
            begin = time.time()
        done = min(1.0, (time.time() - begin) / seconds)
        if n >= 5 and done >= 1:
            break
        for group in opt.param_groups:
            group["lr"] = max(rate * min(1, done / warm) * (1 - done), rate * 0.01)
        loss = loss_of()
        opt.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        n += 1
        if n % 50 == 0:
            losses.append(loss.item())
        yield n
    run.told = f"{n} steps, loss {[round(x, 3) for x in losses[:: max(1, len(losses) // 6)]]}"


def draw(rows, weights):
    p = weights.double().cumsum(0)
    pick = lambda b: torch.searchsorted(p, torch.rand(b, device=rows.device, dtype=torch.double) * p[-1])
    return lambda b: pick(b).clamp(max=rows.count - 1)


def pretrain(model, rows, seconds, rate, batch=BATCH):
    """Masked pieces: four neighbours are hidden together, because the network sees them as one position."""
    pick = draw(rows, rows.size.float().clamp(max=LENGTH) * (rows.weight > 0))
    places = LENGTH // 4
    count = int(batch * places * 0.2)

    def loss_of():
        ids = rows.passages(pick(batch), LENGTH, LENGTH)
        grouped = ids.view(batch, places, 4)
        full = grouped.ne(0).all(-1)
        flat = torch.topk((torch.rand(full.shape, device=rows.device) * full).view(-1), count).indices
        where = (flat // places, flat % places)
        target = grouped[where]
        hidden = grouped.clone()
        hidden[where] = torch.where(torch.rand(target.shape, device=rows.device) < 0.9, torch.ones_like(target), target)
        with amp(rows.device):
            return F.cross_entropy(model.guesses(hidden.view(batch, LENGTH), where).float(), target.view(-1))

    for _ in run(model, rate, seconds, loss_of):
        pass
    return run.told


def finetune(model, rows, mask, seconds, rate, teacher=None, batch=BATCH):
    """Human or AI. Returns the model with averaged weights."""
    pick = draw(rows, rows.weight * mask)

    def loss_of():
        chosen = pick(batch)
        ids = rows.damage(rows.passages(chosen, LENGTH))
        target = rows.label[chosen] * 0.94 + 0.03
        if teacher:
            with torch.no_grad(), amp(rows.device):
                target = 0.4 * target + 0.6 * torch.sigmoid(teacher(ids).float())
        with amp(rows.device):
            return F.binary_cross_entropy_with_logits(model(ids).float(), target)

    live = list(model.parameters())
    mean = [p.detach().clone() for p in live]
    for n in run(model, rate, seconds, loss_of):
        torch._foreach_lerp_(mean, [p.detach() for p in live], 1 - min(AVERAGE, n / (n + 10)))
    with torch.no_grad():
        for p, m in zip(live, mean):
            p.copy_(m)
    model.eval()
    return run.told


@torch.no_grad()
def score(model, rows, chosen):
    out = []
    for part in torch.split(chosen, 1024):
        with amp(rows.device):
            ids = rows.window(part, torch.zeros_like(part), torch.full_like(part, LENGTH), LENGTH)
            out.append(model(ids).float())
    return torch.cat(out).cpu().numpy()


def quality(logits, rows, chosen):
    """Area under the curve, and AI texts found where 0.2, 0.5, 1 and 5 % of the human ones are flagged."""
    y = rows.label[chosen].cpu().numpy()
    long = rows.words[chosen.cpu().numpy()] >= 75
    s, y = logits[long], y[long]
    order = s.argsort().argsort() + 1
    p = y.sum()
    auroc = (order[y == 1].sum() - p * (p + 1) / 2) / (p * (len(y) - p))
    points = [float((s[y == 1] > np.quantile(s[y == 0], 1 - f)).mean()) for f in (0.002, 0.005, 0.01, 0.05)]
    return f"auroc {auroc:.4f} tpr@.2/.5/1/5 " + " ".join(f"{x:.3f}" for x in points)
