// What differs from one processor to the next: how wide a register is, how many of them a block may fill, and the one
// instruction that multiplies pairs of int16 and adds them up. None of it changes a result, only how fast it comes.
#pragma once
#include <stdint.h>

/// Sixteen floats, in as many registers as the processor needs. Element by element, so every processor gives the same bits.
typedef float Floats __attribute__((ext_vector_type(16)));
typedef int32_t Ints __attribute__((ext_vector_type(16)));
typedef int16_t Shorts __attribute__((ext_vector_type(16)));
typedef float LooseFloats __attribute__((ext_vector_type(16), aligned(4)));
typedef int16_t LooseShorts __attribute__((ext_vector_type(16), aligned(2)));

/// For loops over what must stay in registers.
#define UNROLL _Pragma("clang loop unroll(full)")

#if defined(__wasm__)
#include <wasm_simd128.h>
#define EXPORT(name, type) __attribute__((export_name(#name))) type name
typedef v128_t Sums;
enum { WIDTH = 4, SUMS = 2, ROWS = 4, QUERIES = 2, COLUMNS = 1, PARTS = 1 };
#define SPLAT(v) wasm_i32x4_splat(v)
#define MAC(sum, weights, pair) wasm_i32x4_add(sum, wasm_i32x4_dot_i16x8(weights, pair))
#elif defined(__AVX512VNNI__)
#include <immintrin.h>
typedef __m512i Sums;
enum { WIDTH = 16, SUMS = 2, ROWS = 8, QUERIES = 4, COLUMNS = 2, PARTS = 4 };
#define SPLAT(v) _mm512_set1_epi32(v)
#define MAC(sum, weights, pair) _mm512_dpwssd_epi32(sum, weights, pair)
#else
#include <immintrin.h>
typedef __m256i Sums;
enum { WIDTH = 8, SUMS = 2, ROWS = 4, QUERIES = 2, COLUMNS = 2, PARTS = 2 };
#define SPLAT(v) _mm256_set1_epi32(v)
#if defined(__AVXVNNI__)
#define MAC(sum, weights, pair) _mm256_dpwssd_avx_epi32(sum, weights, pair)
#else
#define MAC(sum, weights, pair) _mm256_add_epi32(sum, _mm256_madd_epi16(weights, pair))
#endif
#endif

#if !defined(__wasm__)
// The library holds the same functions once for every kind of processor; library.c chooses.
#define JOIN(a, b) a##_##b
#define NAMED(a, b) JOIN(a, b)
#define EXPORT(name, type) __attribute__((visibility("hidden"))) type NAMED(name, KIND)
#endif

/// Outputs that are computed together; the weights are packed in panels of that many.
enum { PANEL = WIDTH * SUMS };
typedef float SumFloats __attribute__((ext_vector_type(WIDTH), aligned(4)));
typedef int32_t SumInts __attribute__((ext_vector_type(WIDTH)));
#define MAX(a, b) ((a) > (b) ? (a) : (b))
