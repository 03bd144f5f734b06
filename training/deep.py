"""Trains the deep tier: masked-piece pre-training of a teacher, its fine-tuning, and the distilled student.

usage: python deep.py DATA OUT [--seconds N] [--tiny]
Every stage has a share of the time; the same code runs tiny on a CPU to be tried out.
"""
import argparse
import copy
import os
import time

import numpy as np
import torch
import torch.nn.functional as F

from deep_data import Rows
from deep_model import Student, Teacher

ap = argparse.ArgumentParser()
ap.add_argument("data")
ap.add_argument("out")
ap.add_argument("--seconds", type=float, default=540)
ap.add_argument("--folds", type=int, default=4)
ap.add_argument("--tiny", action="store_true")
args = ap.parse_args()
START = time.time()
torch.manual_seed(7)
device = "cuda" if torch.cuda.is_available() else "cpu"
torch.set_float32_matmul_precision("high")
rows = Rows(args.data, device)
VOCABULARY = 16384
T_TEACH, T_STUD = (64, 64) if args.tiny else (320, 512)
BATCH = 16 if args.tiny else 256
amp = lambda: torch.autocast(device, dtype=torch.bfloat16)
log_file = open(os.path.join(args.out, "log.txt"), "a")


def say(*words):
    line = f"[{time.time() - START:6.1f}s] " + " ".join(str(w) for w in words)
    print(line, flush=True)
    log_file.write(line + "\n")
    log_file.flush()


def optimiser(model, rate, decay=0.05):
    big = [p for p in model.parameters() if p.ndim >= 2]
    small = [p for p in model.parameters() if p.ndim < 2]
    groups = [{"params": big, "weight_decay": decay}, {"params": small, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=rate, betas=(0.9, 0.98), fused=device == "cuda")


def schedule(opt, peak, done, warm=0.06):
    rate = peak * min(1, done / warm) * (1 - done) if done < 1 else 0
    for group in opt.param_groups:
        group["lr"] = max(rate, peak * 0.01)


def run(seconds, step, limit=10**9):
    """Calls step(share done) until the time is spent; the clock of the first (compiling) steps is not counted."""
    n, losses = 0, []
    begin = time.time()
    while n < limit:
        if n == 5:
            begin = time.time()
        done = min(1.0, max((time.time() - begin) / seconds, n / limit))
        if n >= 5 and done >= 1:
            break
        loss = step(done)
        n += 1
        if n % 50 == 0:
            losses.append(loss.item())
    return n, losses


def draw(mask, weights=None):
    w = (rows.weight if weights is None else weights) * mask
    p = w.double().cumsum(0)
    return lambda b: torch.searchsorted(p, torch.rand(b, device=device, dtype=torch.double) * p[-1]).clamp(max=rows.count - 1)


def pretrain(model, seconds, length, group, rate):
    """Masked pieces: `group` neighbours are hidden together, because the student sees them as one position."""
    pick = draw((rows.weight > 0).float(), rows.size.float().clamp(max=length))
    opt = optimiser(model, rate)
    places = length // group
    count = int(BATCH * places * 0.2)
    model.train()

    def step(done):
        schedule(opt, rate, done)
        ids = rows.passages(pick(BATCH), length, length)
        full = ids.view(BATCH, places, group).ne(0).all(-1)
        flat = torch.topk((torch.rand(full.shape, device=device) * full).view(-1), count).indices
        where = (flat // places, flat % places)
        grouped = ids.view(BATCH, places, group)
        target = grouped[where]
        hidden = grouped.clone()
        hidden[where] = torch.where(torch.rand(target.shape, device=device) < 0.9, torch.ones_like(target), target)
        with amp():
            loss = F.cross_entropy(model.guesses(hidden.view(BATCH, length), where).float(), target.view(-1))
        opt.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        return loss.detach()

    n, losses = run(seconds, step)
    say("masked pieces:", n, "steps, loss", [round(x, 3) for x in losses[:: max(1, len(losses) // 8)]])


def finetune(model, mask, seconds, peak, length, teachers=(), batch=None):
    pick = draw(mask)
    opt = optimiser(model, peak)
    model.train()
    b = batch or BATCH

    def step(done):
        schedule(opt, peak, done)
        chosen = pick(b)
        ids = rows.damage(rows.passages(chosen, length))
        hard = rows.label[chosen] * 0.94 + 0.03
        target = hard
        if teachers:
            with torch.no_grad(), amp():
                soft = sum(torch.sigmoid(t(ids[:, :T_TEACH]).float()) for t in teachers) / len(teachers)
            target = 0.4 * hard + 0.6 * soft
        with amp():
            logit = model(ids).float()
        loss = F.binary_cross_entropy_with_logits(logit, target)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        return loss.detach()

    n, losses = run(seconds, step)
    model.eval()
    return n, [round(x, 3) for x in losses[:: max(1, len(losses) // 6)]]


@torch.no_grad()
def score(model, chosen, length, windows=1):
    out = []
    for part in torch.split(chosen, 16 if args.tiny else 1024):
        with amp():
            logit = model(rows.window(part, torch.zeros_like(part), torch.full_like(part, length), length)).float()
        out.append(logit)
    return torch.cat(out).cpu().numpy()


def quality(logits, chosen):
    y = rows.label[chosen].cpu().numpy()
    long = rows.words[chosen.cpu().numpy()] >= 75
    s, y = logits[long], y[long]
    if y.min() == y.max():
        return "one label only"
    order = s.argsort().argsort() + 1
    p = y.sum()
    auroc = (order[y == 1].sum() - p * (p + 1) / 2) / (p * (len(y) - p))
    points = [float((s[y == 1] > np.quantile(s[y == 0], 1 - f)).mean()) for f in (0.002, 0.005, 0.01, 0.05)]
    return f"auroc {auroc:.4f} tpr@.2/.5/1/5 " + " ".join(f"{x:.3f}" for x in points)


seconds = args.seconds
share = lambda x: x * seconds
dev = (rows.fold == 255).nonzero()[:, 0]
everything = (rows.fold != 255).float()
torch.cuda.is_available() and say(torch.cuda.get_device_name(0))

def copy_of(model, seed):
    torch.manual_seed(seed)
    return copy.deepcopy(model).to(device)


def make_teacher(base, mask, seconds, seed):
    teacher = copy_of(base, seed)
    n, losses = finetune(teacher, mask, seconds, 4e-4, T_TEACH)
    say("teacher", n, "steps", losses)
    return teacher


def make_student(base, mask, seconds, teachers, seed):
    student = copy_of(base, seed)
    n, losses = finetune(student, mask, seconds, 8e-4, T_STUD, teachers)
    say("student", n, "steps", losses)
    return student


def main():
    teacher_size = dict(d=64, layers=2, heads=2, ff=128) if args.tiny else {}
    student_size = dict(length=T_STUD, d=32, wide=64, layers=1, heads=2, ff=64) if args.tiny else {}
    teacher_base = Teacher(VOCABULARY, T_TEACH, **teacher_size).to(device)
    pretrain(teacher_base, share(0.2), T_TEACH, 1, 6e-4)
    student_base = Student(VOCABULARY, **student_size).to(device)
    pretrain(student_base, share(0.12), T_STUD, 4, 1e-3)

    unseen = np.full((2, rows.count), np.nan, np.float32)
    for fold in range(args.folds):
        mask = everything * (rows.fold != fold).float()
        held = (rows.fold == fold).nonzero()[:, 0]
        teacher = make_teacher(teacher_base, mask, share(0.055), 100 + fold)
        student = make_student(student_base, mask, share(0.06), [teacher], 200 + fold)
        t, s = score(teacher, held, T_TEACH), score(student, held, T_STUD)
        unseen[:, held.cpu().numpy()] = [t, s]
        say("fold", fold, "teacher", quality(t, held), "| student", quality(s, held))
        say("   dev teacher", quality(score(teacher, dev, T_TEACH), dev), "| student", quality(score(student, dev, T_STUD), dev))
        del teacher, student

    teachers = [make_teacher(teacher_base, everything, share(0.07), 11 + k) for k in range(2)]
    for teacher in teachers:
        say("dev teacher", quality(score(teacher, dev, T_TEACH), dev))
    student = make_student(student_base, everything, share(0.14), teachers, 21)
    unseen[:, dev.cpu().numpy()] = [np.mean([score(t, dev, T_TEACH) for t in teachers], 0), score(student, dev, T_STUD)]
    say("dev student", quality(unseen[1, dev.cpu().numpy()], dev))
    unseen[1].tofile(os.path.join(args.out, "student-unseen.f32"))
    unseen[0].tofile(os.path.join(args.out, "teacher-unseen.f32"))
    state = {k: v.float().cpu().numpy() for k, v in student.state_dict().items() if not k.startswith(("guess", "bias"))}
    tables = ("embed.weight", "pairs.weight")
    for part, keep in (("tables", True), ("layers", False)):
        chosen = {k: v.astype(np.float16 if keep else np.float32) for k, v in state.items() if (k in tables) == keep}
        np.savez(os.path.join(args.out, f"student-{part}.npz"), **chosen)
    say("done")


if __name__ == "__main__":
    main()
