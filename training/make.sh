#!/bin/sh
# From the data to the shipped weights, in one command:
#   training/make.sh DATA OUT        (DATA: the folder with train, more_human, more_ai and dev .jsonl.xz)
# Needs Bun (npm ci), xz, and Python with numpy, tokenizers and torch; a GPU for the deep tier (about ten minutes on one
# H200; DEEP_SECONDS=… changes that). Everything is seeded; the light tier comes out the same to the bit, the deep one does
# not, because its stages are cut by time. To try it out on a sample of the data and without a GPU:
#   WEIGHTS=elsewhere DEEP_SECONDS=20 DEEP_BATCH=8 training/make.sh SAMPLE OUT
set -e
data=$1 out=$2
here=$(cd "$(dirname "$0")" && pwd)
weights=${WEIGHTS:-$here/../server/actions/detector/engine/weights}
bun=${BUN:-$(ls "$here"/../node_modules/@oven/*/bin/bun | head -1)}
python=${PYTHON:-python3}
mkdir -p "$out/light" "$out/tokens" "$out/deep"

for fold in 0 1 2 3; do "$bun" "$here/light.ts" "$data" "$out/light" fold $fold; done
"$bun" "$here/light.ts" "$data" "$out/light" scrambled
"$bun" "$here/light.ts" "$data" "$out/light" final

"$bun" "$here/deep-text.ts" "$data" "$out/canonical.txt"
"$python" "$here/deep-vocabulary.py" "$out/canonical.txt" "$out/pieces.txt" 16384
"$bun" "$here/deep-tokens.ts" "$data" "$out/pieces.txt" "$out/tokens"
(cd "$here" && "$python" deep.py "$out/tokens" "$out/deep" --seconds "${DEEP_SECONDS:-560}" --batch "${DEEP_BATCH:-256}")
"$python" "$here/deep-pack.py" "$out/deep" "$out/deep.bin"

"$python" "$here/calibrate.py" "$out/light" "$out/deep" "$out/tokens/ids.txt" "$out/report.json"
cp "$out/light/light.bin" "$out/deep.bin" "$out/pieces.txt" "$out/calibration.json" "$weights/"
[ -n "$WEIGHTS" ] && exit
cp "$out/report.json" "$here/report.json"
"$bun" "$here/tables.ts" "$data" "$here"
