#!/bin/sh
# From the data to the shipped weights, in one command:
#   training/make.sh DATA OUT        (DATA: the folder with train, more_human, more_ai, more_human2, more_ai2 and dev .jsonl.xz)
# Needs Bun (npm ci) and xz; about half an hour of one processor, JOBS=4 trains four models at a time. A model that OUT already
# has is kept, so a run that was stopped goes on where it was. Everything is seeded: it comes out the same to the bit.
# To try it out: WEIGHTS=elsewhere DRAWS=3000 training/make.sh DATA OUT
set -e
data=$1 out=$2
here=$(cd "$(dirname "$0")" && pwd)
weights=${WEIGHTS:-$here/../server/actions/detector/engine/weights}
modules=$here/../node_modules
bun=${BUN:-$(ls "$modules"/@oven/*/bin/bun "$modules"/bun/bin/bun* 2>/dev/null | head -1)}
mkdir -p "$out" "$weights"

printf '%s\n' 0 1 2 3 4 final scrambled | xargs -P "${JOBS:-1}" -n 1 "$bun" "$here/light.ts" "$data" "$out"
"$bun" "$here/calibrate.ts" "$data" "$out"
cp "$out/light.bin" "$out/calibration.json" "$weights/"
sha256sum "$out/light.bin" "$out/calibration.json"
[ -n "$WEIGHTS" ] && exit
cp "$out/report.json" "$here/report.json"
"$bun" "$here/tables.ts" "$data" "$here"
"$bun" "$here/check-light.ts" "$data" "$out"
