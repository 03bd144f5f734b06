"""Trains the deep tier. usage: python deep.py DATA OUT [--seconds N] [--batch N] [--device cpu]

One process a split, all at the same time on one GPU: four that leave a quarter of the sources out, and the one that ships.
All five do the same for the same time, so that what is measured on sources left out holds for the shipped network.
"""
import argparse
import os
import subprocess
import sys
import time

import numpy as np
import torch

from deep_data import Rows
from deep_model import SIZES, Network
from deep_train import LENGTH, finetune, pretrain, quality, score

VOCABULARY = 16384
SHIPPED = 255
SPLITS = (0, 1, 2, 3, SHIPPED)
PRETRAIN_RATE = {"student": 1e-3, "teacher": 7e-4}
TUNE_RATE = {"student": 8e-4, "teacher": 4e-4}
ap = argparse.ArgumentParser()
ap.add_argument("data")
ap.add_argument("out")
ap.add_argument("--seconds", type=float, default=560)
ap.add_argument("--batch", type=int, default=256)
ap.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
ap.add_argument("--stage", default="all")
args = ap.parse_args()
START = time.time()
BASE_SHARE, TEACHER_SHARE, STUDENT_SHARE = 0.27, 0.24, 0.44


def say(*words):
    line = f"[{time.time() - START:6.1f}s] " + " ".join(str(w) for w in words)
    print(line, flush=True)
    with open(os.path.join(args.out, "log.txt"), "a") as file:
        file.write(line + "\n")


def place(name):
    return os.path.join(args.out, name)


def network(size, seed):
    torch.manual_seed(seed)
    return Network(VOCABULARY, LENGTH, **SIZES[size]).to(args.device)


def from_base(size, seed):
    model = network(size, seed)
    model.load_state_dict(torch.load(place(f"base-{size}.pt"), map_location=args.device))
    return model


def base(size):
    rows = Rows(args.data, args.device)
    model = network(size, 7)
    told = pretrain(model, rows, BASE_SHARE * args.seconds, PRETRAIN_RATE[size], args.batch)
    torch.save(model.state_dict(), place(f"base-{size}.pt"))
    say("base", size, told)


def tuned(rows, mask, size, seed, seconds, teacher=None):
    model = from_base(size, seed)
    told = finetune(model, rows, mask, seconds, TUNE_RATE[size], teacher, args.batch)
    return model, told


def split(which):
    rows = Rows(args.data, args.device)
    mask = ((rows.fold != SHIPPED) & (rows.fold != which)).float()
    held = (rows.fold == which).nonzero()[:, 0]
    dev = (rows.fold == SHIPPED).nonzero()[:, 0]
    teacher, told = tuned(rows, mask, "teacher", 100 + which, TEACHER_SHARE * args.seconds)
    say("split", which, "teacher", told, "| left out", quality(score(teacher, rows, held), rows, held))
    student, told = tuned(rows, mask, "student", 200 + which, STUDENT_SHARE * args.seconds, teacher)
    scores = {name: score(student, rows, chosen) for name, chosen in (("held", held), ("dev", dev))}
    say("split", which, "student", told, "| left out", quality(scores["held"], rows, held))
    say("split", which, "student on the development set", quality(scores["dev"], rows, dev))
    np.savez(place(f"split-{which}.npz"), rows=held.cpu().numpy(), scores=scores["held"])
    if which == SHIPPED:
        ship(student)


def ship(student):
    state = {k: v.float().cpu().numpy() for k, v in student.state_dict().items() if not k.startswith(("guess", "bias"))}
    tables = ("embed.weight", "pairs.weight")
    for part, keep in (("tables", True), ("layers", False)):
        chosen = {k: v.astype(np.float16 if keep else np.float32) for k, v in state.items() if (k in tables) == keep}
        np.savez(place(f"student-{part}.npz"), **chosen)


def gather():
    """One score a row: by the network that never saw its source, or, for the development set, by the one that ships."""
    count = len(np.fromfile(os.path.join(args.data, "labels.u8"), np.uint8))
    unseen = np.full(count, np.nan, np.float32)
    for which in SPLITS:
        part = np.load(place(f"split-{which}.npz"))
        unseen[part["rows"]] = part["scores"]
    unseen.tofile(place("student-unseen.f32"))


def side_by_side(stages):
    running = [subprocess.Popen([sys.executable, __file__, *sys.argv[1:], "--stage", s]) for s in stages]
    codes = [p.wait() for p in running]
    if any(codes):
        sys.exit(f"a stage failed: {dict(zip(stages, codes))}")


def main():
    if args.stage.startswith("base-"):
        return base(args.stage[5:])
    if args.stage.startswith("split-"):
        return split(int(args.stage[6:]))
    side_by_side([f"base-{size}" for size in SIZES])
    side_by_side([f"split-{which}" for which in SPLITS])
    gather()
    say("done")


if __name__ == "__main__":
    main()
