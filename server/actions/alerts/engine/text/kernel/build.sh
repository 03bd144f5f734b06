#!/bin/sh
# Builds words-wasm.ts from words.c. Needs a clang that knows wasm32; `pip install ziglang` brings one.
set -e
here=$(cd "$(dirname "$0")" && pwd)
out=$(mktemp -d)
${PYTHON:-python3} -m ziglang cc -target wasm32-freestanding -O3 -msimd128 -nostdlib -Wl,--no-entry -Wl,--strip-all \
  -Wl,--export-memory -Wl,-z,stack-size=16384 -Wl,--export=cut -Wl,--export=fold_at -Wl,--export=text_at \
  -Wl,--export=hashes_at -Wl,--export=starts_at -Wl,--export=ends_at -Wl,--export=kept_at -Wl,--export=stop_at \
  "$here/words.c" -o "$out/words.wasm"
{
  echo '// WebAssembly of words.c, written by build.sh.'
  echo 'export const WORDS_WASM ='
  base64 -w 112 "$out/words.wasm" | sed 's/.*/  "&" +/; $ s/ +$/;/'
} > "$here/words-wasm.ts"
rm -r "$out"
