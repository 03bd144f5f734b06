// The native library's door: finds out what the processor can do and calls the forward pass that was built for it.
// Plain x86-64 without a C library, so that it loads beside glibc and musl alike.
#include <stdint.h>

typedef struct State State;
#define KINDS(X) X(avx2) X(avxvnni) X(avx512)
#define DECLARE(kind)                                                                                                  \
  int size_##kind(void);                                                                                               \
  void prepare_##kind(State *, const uint8_t *);                                                                       \
  float run_##kind(State *, int);
KINDS(DECLARE)

enum { NONE, AVX2, AVXVNNI, AVX512 };

static void cpuid(uint32_t leaf, uint32_t part, uint32_t out[4]) {
  __asm__ volatile("cpuid" : "=a"(out[0]), "=b"(out[1]), "=c"(out[2]), "=d"(out[3]) : "a"(leaf), "c"(part));
}

static int has(uint32_t word, uint32_t bits) { return (word & bits) == bits; }

/// The best kind this processor, and the system that runs on it, can do; 0 when there is none.
int level(void) {
  uint32_t first[4], r[4], more[4], low, high;
  cpuid(0, 0, r);
  if (r[0] < 7) return NONE;
  cpuid(1, 0, first);
  if (!has(first[2], 1u << 27 | 1u << 28)) return NONE; // OSXSAVE, AVX
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  cpuid(7, 0, r);
  if (!has(low, 0x6) || !has(r[1], 1u << 5)) return NONE; // the system keeps 256-bit registers; AVX2
  const uint32_t f_dq_bw_vl = 1u << 16 | 1u << 17 | 1u << 30 | 1u << 31;
  if (has(low, 0xe6) && has(r[1], f_dq_bw_vl) && has(r[2], 1u << 11)) return AVX512; // 512-bit registers; VNNI
  if (r[0] < 1) return AVX2;
  cpuid(7, 1, more);
  return has(more[0], 1u << 4) ? AVXVNNI : AVX2;
}

int size(void) {
  int most = size_avx2();
  if (size_avxvnni() > most) most = size_avxvnni();
  return size_avx512() > most ? size_avx512() : most;
}

void prepare(int kind, State *state, const uint8_t *file) {
  if (kind == AVX512) prepare_avx512(state, file);
  else if (kind == AVXVNNI) prepare_avxvnni(state, file);
  else if (kind == AVX2) prepare_avx2(state, file);
}

float run(int kind, State *state, int count) {
  return kind == AVX512 ? run_avx512(state, count) : kind == AVXVNNI ? run_avxvnni(state, count) : run_avx2(state, count);
}
