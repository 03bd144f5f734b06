// Cuts UTF-16 text into folded, hashed words, sixty-four units at a time. Built into words-wasm.ts by build.sh.
// The text, the fold table and the rows of words lie in this memory; nothing is allocated.
#include <wasm_simd128.h>

typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

enum { MOST = 32768, ROWS = MOST / 2 + 1, PRIME = 0x01000193, KEPT = 16, SLOW = 1 };

static u16 fold[65536];
static u16 text[MOST + 128];
static u16 lower[MOST + 128];
static u32 hashes[ROWS];
static u32 starts[ROWS];
static u32 ends[ROWS];
/** Each word folded, sixteen units of one byte or eight of two; the rest is zero, and all is when it does not fit. */
static unsigned char kept[ROWS * KEPT];
static u32 stop;

u16 *fold_at(void) { return fold; }
u16 *text_at(void) { return text; }
u32 *hashes_at(void) { return hashes; }
u32 *starts_at(void) { return starts; }
u32 *ends_at(void) { return ends; }
unsigned char *kept_at(void) { return kept; }
u32 *stop_at(void) { return &stop; }

static const u16 ones[40] = {0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff,
                             0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff};

/** Folds eight units into `lower`; bits of those that are in a word, and from bit 32 on of those that need the slow path. */
static inline u64 fold8(u32 at) {
  v128_t units = wasm_v128_load(text + at);
  if (__builtin_expect(wasm_v128_any_true(wasm_u16x8_gt(units, wasm_i16x8_splat(0x7f))), 0)) {
    u64 in = 0;
    for (u32 i = 0; i < 8; i++) {
      u16 folded = fold[text[at + i]];
      lower[at + i] = folded;
      in |= (u64)(folded != 0) << i | (u64)(folded == SLOW) << (32 + i);
    }
    return in;
  }
  v128_t small = wasm_v128_or(units, wasm_i16x8_splat(0x20));
  v128_t letter = wasm_u16x8_lt(wasm_i16x8_sub(small, wasm_i16x8_splat('a')), wasm_i16x8_splat(26));
  v128_t digit = wasm_u16x8_lt(wasm_i16x8_sub(units, wasm_i16x8_splat('0')), wasm_i16x8_splat(10));
  wasm_v128_store(lower + at, wasm_v128_or(wasm_v128_and(small, letter), wasm_v128_and(units, digit)));
  return wasm_i16x8_bitmask(wasm_v128_or(letter, digit));
}

static inline void keep(u32 row, u32 start, u32 end, u32 seed) {
  u32 size = end - start;
  const u16 *word = lower + start;
  u32 hash = seed;
  // Always eight steps, each taken or not: a loop that ends by the word's length would be guessed wrong every time.
  for (u32 i = 0; i < 8; i++) {
    u32 next = (hash ^ word[i]) * PRIME;
    hash = i < size ? next : hash;
  }
  for (u32 i = 8; i < size; i++) hash = (hash ^ word[i]) * PRIME;
  hashes[row] = hash;
  starts[row] = start;
  ends[row] = end;
  const u16 *mask = ones + KEPT - (size < KEPT ? size : KEPT);
  v128_t low = wasm_v128_and(wasm_v128_load(word), wasm_v128_load(mask));
  v128_t high = wasm_v128_and(wasm_v128_load(word + 8), wasm_v128_load(mask + 8));
  v128_t all = wasm_v128_or(low, high);
  v128_t packed = wasm_u8x16_narrow_i16x8(low, high);
  if (__builtin_expect(wasm_v128_any_true(wasm_u16x8_gt(all, wasm_i16x8_splat(0xff))), 0))
    packed = size > 8 ? wasm_i16x8_splat(0) : low;
  wasm_v128_store(kept + row * KEPT, packed);
}

/**
 * Words of text[from, length), which must begin and end between words. Returns how many there are; `stop` is where it
 * ended: the length, or the beginning of a word that holds a unit the table cannot fold.
 */
u32 cut(u32 from, u32 length, u32 seed) {
  for (u32 i = 0; i < 64; i++) text[length + i] = ' ';
  u32 row = 0;
  u32 start = from;
  u64 carry = 0;
  for (u32 block = from; block <= length; block += 64) {
    u64 in = 0;
    u64 slow = 0;
    for (u32 i = 0; i < 8; i++) {
      u64 both = fold8(block + 8 * i);
      in |= (both & 0xff) << (8 * i);
      slow |= (both >> 32) << (8 * i);
    }
    u64 before = in << 1 | carry;
    u64 opens = in & ~before;
    u64 closes = ~in & before;
    if (slow) {
      u64 reach = (slow & -slow) - 1;
      closes &= reach;
      opens &= reach | (reach + 1);
    }
    if (!carry && opens) {
      start = block + (u32)__builtin_ctzll(opens);
      opens &= opens - 1;
    }
    for (; closes; closes &= closes - 1) {
      keep(row++, start, block + (u32)__builtin_ctzll(closes), seed);
      if (opens) {
        start = block + (u32)__builtin_ctzll(opens);
        opens &= opens - 1;
      }
    }
    if (slow) {
      stop = start;
      return row;
    }
    carry = in >> 63;
  }
  stop = length;
  return row;
}
