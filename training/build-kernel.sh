#!/bin/sh
# Builds the deep tier's kernels from one source: WebAssembly, and a native library for Linux on x86-64 (one forward pass for
# each kind of processor). Needs a clang that knows both targets; `pip install ziglang` brings one.
set -e
here=$(cd "$(dirname "$0")/../server/actions/detector/engine/deep/kernel" && pwd)
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
zig="${PYTHON:-python3} -m ziglang"
# No reordering and no fused multiply-add: every kernel must give the same bits. NaN cannot occur.
exact="-O3 -ffreestanding -ffp-contract=off -fno-honor-nans -fno-math-errno -fno-stack-protector -Wall -Werror"

$zig cc -target wasm32-freestanding $exact -msimd128 -nostdlib \
  -Wl,--no-entry -Wl,--export-memory -Wl,--strip-all -Wl,-z,stack-size=65536 "$here/forward.c" -o "$made/forward.wasm"

native="$zig cc -target x86_64-linux-none $exact -fPIC -g0"
$native -c -mcpu=x86_64 "$here/library.c" -o "$made/library.o"
$native -c -mcpu=x86_64+avx2 -DKIND=avx2 "$here/forward.c" -o "$made/avx2.o"
$native -c -mcpu=x86_64+avx2+avxvnni -DKIND=avxvnni "$here/forward.c" -o "$made/avxvnni.o"
$native -c -mcpu=x86_64+avx512f+avx512dq+avx512bw+avx512vl+avx512vnni -mprefer-vector-width=512 -DKIND=avx512 "$here/forward.c" -o "$made/avx512.o"
$zig cc -target x86_64-linux-none -shared -nostdlib -Wl,--strip-all -Wl,--build-id=none -Wl,-z,defs \
  "$made/library.o" "$made/avx2.o" "$made/avxvnni.o" "$made/avx512.o" -o "$made/forward-linux-x64.so"

cp "$made/forward.wasm" "$made/forward-linux-x64.so" "$here/"
ls -l "$here"
