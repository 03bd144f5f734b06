#!/bin/sh
# From the data to the shipped weights, in one command:
#   training/make.sh DATA OUT        (DATA: the folder with train, more_human, more_ai, more_human2, more_ai2 and dev .jsonl.xz)
# Needs Bun (npm ci) and xz; about an hour of one processor. Everything is seeded: it comes out the same to the bit.
# To try it out: WEIGHTS=elsewhere DRAWS=3000 training/make.sh DATA OUT
set -e
data=$1 out=$2
here=$(cd "$(dirname "$0")" && pwd)
weights=${WEIGHTS:-$here/../server/actions/detector/engine/weights}
modules=$here/../node_modules
bun=${BUN:-$(ls "$modules"/bun/bin/bun* "$modules"/@oven/*/bin/bun 2>/dev/null | head -1)}
mkdir -p "$out" "$weights"

"$bun" "$here/light.ts" "$data" "$out" 0 1 2 3 4 final
"$bun" "$here/light.ts" "$data" "$out" scrambled
"$bun" "$here/calibrate.ts" "$out"
cp "$out/light.bin" "$out/calibration.json" "$weights/"
[ -n "$WEIGHTS" ] && exit
cp "$out/report.json" "$here/report.json"
"$bun" "$here/tables.ts" "$data" "$here"
"$bun" "$here/check-light.ts" "$data" "$out"
