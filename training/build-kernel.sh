#!/bin/sh
# Builds the deep tier's WebAssembly kernel. Needs a clang that knows wasm32; `pip install ziglang` brings one.
set -e
here=$(cd "$(dirname "$0")/../server/actions/detector/engine/deep/kernel" && pwd)
${PYTHON:-python3} -m ziglang cc -target wasm32-freestanding -O3 -ffast-math -msimd128 -nostdlib \
  -Wl,--no-entry -Wl,--export-memory -Wl,--strip-all -Wl,-z,stack-size=65536 "$here/forward.c" -o "$here/forward.wasm"
ls -l "$here/forward.wasm"
