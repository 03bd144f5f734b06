// The student network's forward pass: int8 weights widened to int16, activations rounded to 13 bits, sums in int32. One source
// for WebAssembly and for the native library; both give the same bits, since floats are added in the same order everywhere.
// Built by training/build-kernel.sh; the host (../network.ts) hands over the memory, the weights' file and the word pieces.
#include "lanes.h"

enum { VOCABULARY = 16384, PAIRS = 16384, D = 192, W = 256, MOST_LAYERS = 7, FF = 768, HEADS = 4, DH = W / HEADS };
enum { T = 512, P1 = T / 2, P = T / 4, BIGGEST = 768, LANES = 16, SPARE = 8 };

typedef struct {
  int16_t *weights; // in panels of PANEL outputs: two inputs of each, then the next two
  float *scale, *bias;
} Matrix;

typedef struct {
  int16_t qkv_w[3 * W * W], out_w[W * W], up_w[FF * W], down_w[W * FF];
  float qkv_s[3 * W], qkv_b[3 * W], out_s[W], out_b[W], up_s[FF], up_b[FF], down_s[W], down_b[W];
  float norm1[2 * W], norm2[2 * W];
} __attribute__((aligned(64))) Block;

typedef struct {
  uint16_t ids[T]; // first: the host writes here
  uint16_t pair_ids[T];
  float x1[(P1 + SPARE) * D], x[(P + SPARE) * W], h[(P + SPARE) * BIGGEST], a[(P + SPARE) * W];
  int16_t q[(P + SPARE) * BIGGEST];
  float q_scale[P + SPARE];
  float keys[DH * (P + 2 * LANES)], scores[4][P + 2 * LANES], normal[BIGGEST], made[4 * ROWS * D], zeros[BIGGEST];
  // What the first convolution makes of each piece and each pair at each of its four places.
  int16_t embed_taps[VOCABULARY][4][D], pairs_taps[PAIRS][4][D];
  float embed_unit[VOCABULARY], pairs_unit[PAIRS];
  __attribute__((aligned(64))) int16_t conv1_w[4][D * D], conv2_w[W * 4 * D];
  float conv1_s[D], conv1_b[D], conv2_s[W], conv2_b[W];
  float norm0[2 * D], norm[2 * W], position[P * W], head[2 * W + LANES];
  Block blocks[MOST_LAYERS];
  int32_t layers;
} __attribute__((aligned(64))) State;

static inline Floats load(const float *from) { return *(const LooseFloats *)from; }
static inline void store(float *to, Floats v) { *(LooseFloats *)to = v; }
static inline Floats all(float v) { return (Floats)v; }
static inline Floats larger(Floats a, Floats b) { return MAX(a, b); }

static inline float sum_of(Floats v) {
  float sum = 0;
  for (int i = 0; i < LANES; i++) sum += v[i];
  return sum;
}

static inline float most_of(Floats v) {
  float most = v[0];
  for (int i = 1; i < LANES; i++) most = v[i] > most ? v[i] : most;
  return most;
}

static inline Shorts rounded(Floats v) {
  return __builtin_convertvector(__builtin_convertvector(__builtin_elementwise_roundeven(v), Ints), Shorts);
}

/// Rounds one row to 13 bits and keeps what a unit is worth.
static void round_row(const float *in, int k, int16_t *out, float *scale) {
  Floats most = all(1e-9f);
  for (int i = 0; i < k; i += LANES) most = larger(most, __builtin_elementwise_abs(load(in + i)));
  const float m = most_of(most);
  const Floats by = all(4095.0f / m);
  for (int i = 0; i < k; i += LANES) *(LooseShorts *)(out + i) = rounded(load(in + i) * by);
  *scale = m / 4095.0f;
}

enum { PUT, RELU, ADD };

/// out[t][n] = q[t] · weights[n]: ROWS rows and PANEL outputs at a time, so that their sums stay in registers.
static inline __attribute__((always_inline)) void multiply(State *s, int rows, int k, int n, Matrix m, float *out, int mode) {
  for (int j = 0; j < n; j += PANEL) {
    const Sums *weights = (const Sums *)(m.weights + j * k);
    for (int t = 0; t < rows; t += ROWS) {
      const int16_t *row = s->q + t * k;
      Sums sums[ROWS][SUMS];
      UNROLL for (int r = 0; r < ROWS; r++)
        UNROLL for (int c = 0; c < SUMS; c++) sums[r][c] = SPLAT(0);
      for (int i = 0; i < k; i += 2) {
        Sums w[SUMS];
        UNROLL for (int c = 0; c < SUMS; c++) w[c] = weights[(i >> 1) * SUMS + c];
        UNROLL for (int r = 0; r < ROWS; r++) {
          const Sums pair = SPLAT(*(const int32_t *)(row + r * k + i));
          UNROLL for (int c = 0; c < SUMS; c++) sums[r][c] = MAC(sums[r][c], w[c], pair);
        }
      }
      UNROLL for (int r = 0; r < ROWS; r++)
        UNROLL for (int c = 0; c < SUMS; c++) {
          const int at = j + c * WIDTH;
          SumFloats *to = (SumFloats *)(out + (t + r) * n + at);
          SumFloats y = __builtin_convertvector(__builtin_bit_cast(SumInts, sums[r][c]), SumFloats) * s->q_scale[t + r];
          y = y * *(const SumFloats *)(m.scale + at) + *(const SumFloats *)(m.bias + at);
          *to = mode == ADD ? *to + y : mode == RELU ? MAX(y, (SumFloats)0) : y;
        }
    }
  }
}

static void normalise(const float *in, float *out, int size, const float *gain) {
  Floats sum = all(0), squares = all(0);
  for (int i = 0; i < size; i += LANES) sum += load(in + i);
  const Floats mean = all(sum_of(sum) / size);
  for (int i = 0; i < size; i += LANES) {
    const Floats off = load(in + i) - mean;
    squares += off * off;
  }
  const Floats by = all(1.0f / __builtin_sqrtf(sum_of(squares) / size + 1e-5f));
  for (int i = 0; i < size; i += LANES) store(out + i, (load(in + i) - mean) * by * load(gain + i) + load(gain + size + i));
}

static void round_normalised(State *s, int rows, const float *gain) {
  for (int t = 0; t < rows; t++) {
    normalise(s->x + t * W, s->normal, W, gain);
    round_row(s->normal, W, s->q + t * W, s->q_scale + t);
  }
}

/// e^v for v <= 0: 2^i by the exponent bits, the rest by a polynomial (error below 1e-6).
static inline Floats exponential(Floats v) {
  v = larger(v, all(-80)) * all(1.44269504f);
  const Floats whole = __builtin_elementwise_floor(v), f = v - whole;
  const float c[5] = {8.9893397e-3f, 5.5826318e-2f, 2.4015361e-1f, 6.9315308e-1f, 9.9999994e-1f};
  Floats p = all(1.8775767e-3f);
  for (int i = 0; i < 5; i++) p = p * f + all(c[i]);
  const Ints power = (__builtin_convertvector(whole, Ints) + 127) << 23;
  return p * __builtin_bit_cast(Floats, power);
}

/// Turns scores into weights that have still to be multiplied with the answer, so that they sum up to one.
static float soften(float *scores, int count) {
  // What stands beyond the text becomes e^-80, too little to be seen in the sum.
  for (int i = count; i & (LANES - 1); i++) scores[i] = -1e30f;
  Floats most = all(-1e30f), total = all(0);
  for (int i = 0; i < count; i += LANES) most = larger(most, load(scores + i));
  const Floats top = all(most_of(most));
  for (int i = 0; i < count; i += LANES) {
    const Floats e = exponential(load(scores + i) - top);
    store(scores + i, e);
    total += e;
  }
  return 1.0f / sum_of(total);
}

/// One head: h holds q, k and v side by side; the result goes into a.
static void attend(State *s, int rows, int which) {
  enum { STRIDE = 3 * W, STEP = LANES * COLUMNS };
  const int wide = (rows + STEP - 1) & ~(STEP - 1);
  for (int at = 0; at < wide; at++)
    for (int d = 0; d < DH; d++) s->keys[d * wide + at] = at < rows ? s->h[at * STRIDE + W + which * DH + d] : 0;
  for (int t = 0; t < rows; t += QUERIES) {
    const float *query = s->h + t * STRIDE + which * DH;
    for (int at = 0; at < wide; at += STEP) {
      Floats sums[QUERIES][COLUMNS];
      UNROLL for (int r = 0; r < QUERIES; r++)
        UNROLL for (int c = 0; c < COLUMNS; c++) sums[r][c] = all(0);
      for (int d = 0; d < DH; d++) {
        Floats key[COLUMNS];
        UNROLL for (int c = 0; c < COLUMNS; c++) key[c] = load(s->keys + d * wide + at + c * LANES);
        UNROLL for (int r = 0; r < QUERIES; r++)
          UNROLL for (int c = 0; c < COLUMNS; c++) sums[r][c] += all(query[r * STRIDE + d]) * key[c];
      }
      UNROLL for (int r = 0; r < QUERIES; r++)
        UNROLL for (int c = 0; c < COLUMNS; c++) store(s->scores[r] + at + c * LANES, sums[r][c] * all(0.125f));
    }
    float share[QUERIES];
    UNROLL for (int r = 0; r < QUERIES; r++) share[r] = soften(s->scores[r], rows);
    for (int part = 0; part < DH; part += LANES * PARTS) {
      Floats sums[QUERIES][PARTS];
      UNROLL for (int r = 0; r < QUERIES; r++)
        UNROLL for (int c = 0; c < PARTS; c++) sums[r][c] = all(0);
      const float *value = s->h + 2 * W + which * DH + part;
      for (int at = 0; at < rows; at++, value += STRIDE) {
        Floats v[PARTS];
        UNROLL for (int c = 0; c < PARTS; c++) v[c] = load(value + c * LANES);
        UNROLL for (int r = 0; r < QUERIES; r++)
          UNROLL for (int c = 0; c < PARTS; c++) sums[r][c] += all(s->scores[r][at]) * v[c];
      }
      UNROLL for (int r = 0; r < QUERIES; r++)
        UNROLL for (int c = 0; c < PARTS; c++)
          store(s->a + (t + r) * W + which * DH + part + c * LANES, sums[r][c] * all(share[r]));
    }
  }
}

/// Multiplies a table of int8 rows with the first convolution, place by place.
static void prepare_table(State *s, const int8_t *table, const float *scale, int count, int16_t taps[][4][D], float *unit) {
  for (int row = 0; row < count; row += ROWS) {
    UNROLL for (int r = 0; r < ROWS; r++) {
      for (int i = 0; i < D; i++) s->q[r * D + i] = table[(row + r) * D + i];
      s->q_scale[r] = 1;
    }
    for (int tap = 0; tap < 4; tap++)
      multiply(s, ROWS, D, D, (Matrix){s->conv1_w[tap], s->conv1_s, s->zeros}, s->made + tap * ROWS * D, PUT);
    UNROLL for (int r = 0; r < ROWS; r++) {
      Floats most = all(1e-9f);
      for (int tap = 0; tap < 4; tap++)
        for (int i = 0; i < D; i += LANES)
          most = larger(most, __builtin_elementwise_abs(load(s->made + (tap * ROWS + r) * D + i)));
      const float m = most_of(most);
      for (int tap = 0; tap < 4; tap++)
        for (int i = 0; i < D; i += LANES)
          *(LooseShorts *)(taps[row + r][tap] + i) = rounded(load(s->made + (tap * ROWS + r) * D + i) * all(32000.0f / m));
      unit[row + r] = m / 32000.0f * scale[row + r];
    }
  }
}

/// Widens int8 rows of `inputs` to panels of `used` of them, from the first one on.
static void pack(const int8_t *from, int outputs, int inputs, int used, int16_t *to) {
  for (int j = 0; j < outputs; j += PANEL)
    for (int i = 0; i < used; i += 2)
      for (int c = 0; c < PANEL; c++, to += 2) {
        to[0] = from[(j + c) * inputs + i];
        to[1] = from[(j + c) * inputs + i + 1];
      }
}

static const uint8_t *take(const uint8_t *file, float *to, int count) {
  for (int i = 0; i < count; i++) to[i] = ((const float *)file)[i];
  return file + 4 * count;
}

static const uint8_t *take_matrix(const uint8_t *file, int outputs, int inputs, int16_t *weights, float *scale, float *bias) {
  pack((const int8_t *)file, outputs, inputs, inputs, weights);
  return take(take(file + outputs * inputs, scale, outputs), bias, outputs);
}

/// Reads the weights' file, whose size the host has checked, and makes the tables of the first convolution.
EXPORT(prepare, void)(State *s, const uint8_t *file) {
  s->layers = ((const int32_t *)file)[1];
  const int8_t *embed = (const int8_t *)(file + 8), *pairs = embed + VOCABULARY * (D + 4);
  const uint8_t *at = (const uint8_t *)pairs + PAIRS * (D + 4);
  for (int tap = 0; tap < 4; tap++) pack((const int8_t *)at + tap * D, D, 4 * D, D, s->conv1_w[tap]);
  at = take(take(at + D * 4 * D, s->conv1_s, D), s->conv1_b, D);
  at = take_matrix(at, W, 4 * D, s->conv2_w, s->conv2_s, s->conv2_b);
  at = take(take(at, s->norm0, 2 * D), s->position, P * W);
  for (int l = 0; l < s->layers; l++) {
    Block *b = s->blocks + l;
    at = take_matrix(at, 3 * W, W, b->qkv_w, b->qkv_s, b->qkv_b);
    at = take_matrix(at, W, W, b->out_w, b->out_s, b->out_b);
    at = take_matrix(at, FF, W, b->up_w, b->up_s, b->up_b);
    at = take_matrix(at, W, FF, b->down_w, b->down_s, b->down_b);
    at = take(take(at, b->norm1, 2 * W), b->norm2, 2 * W);
  }
  take(take(at, s->norm, 2 * W), s->head, 2 * W + 1);
  prepare_table(s, embed, (const float *)(embed + VOCABULARY * D), VOCABULARY, s->embed_taps, s->embed_unit);
  prepare_table(s, pairs, (const float *)(pairs + PAIRS * D), PAIRS, s->pairs_taps, s->pairs_unit);
}

/// The first convolution over the pieces 2t-1 .. 2t+2, for every t; zero beyond the text.
static void convolve(State *s, int n, int half) {
  for (int t = 0; t < n; t++) {
    s->ids[t] &= VOCABULARY - 1;
    const uint32_t before = t ? s->ids[t - 1] : 0, id = s->ids[t];
    s->pair_ids[t] = ((before * 0x9E3779B1u) ^ (id * 0x85EBCA6Bu)) >> 18;
  }
  for (int t = 0; t < half; t++) {
    const int16_t *rows[8];
    float units[8];
    int count = 0;
    for (int tap = 0; tap < 4; tap++) {
      const int at = 2 * t - 1 + tap;
      if (at < 0 || at >= n) continue;
      rows[count] = s->embed_taps[s->ids[at]][tap], units[count++] = s->embed_unit[s->ids[at]];
      rows[count] = s->pairs_taps[s->pair_ids[at]][tap], units[count++] = s->pairs_unit[s->pair_ids[at]];
    }
    for (int i = 0; i < D; i += LANES) {
      Floats sum = load(s->conv1_b + i);
      for (int r = 0; r < count; r++)
        sum += all(units[r]) * __builtin_convertvector(*(const LooseShorts *)(rows[r] + i), Floats);
      store(s->x1 + (t + 1) * D + i, larger(sum, all(0)));
    }
  }
}

/// The logit of the n pieces in ids.
EXPORT(run, float)(State *s, int n) {
  if (n < 1) return 0;
  if (n > T) n = T;
  const int half = (n + 1) / 2, rows = (n + 3) / 4;
  convolve(s, n, half);
  for (int i = 0; i < D; i++) s->x1[i] = 0;
  for (int t = 1; t <= half; t++) normalise(s->x1 + t * D, s->x1 + t * D, D, s->norm0);
  for (int i = (half + 1) * D; i < (half + 4) * D; i++) s->x1[i] = 0;
  for (int t = 0; t < rows; t++) round_row(s->x1 + 2 * t * D, 4 * D, s->q + t * 4 * D, s->q_scale + t);
  multiply(s, rows, 4 * D, W, (Matrix){s->conv2_w, s->conv2_s, s->conv2_b}, s->x, RELU);
  for (int i = 0; i < rows * W; i += LANES) store(s->x + i, load(s->x + i) + load(s->position + i));
  for (int l = 0; l < s->layers; l++) {
    Block *b = s->blocks + l;
    round_normalised(s, rows, b->norm1);
    multiply(s, rows, W, 3 * W, (Matrix){b->qkv_w, b->qkv_s, b->qkv_b}, s->h, PUT);
    for (int w = 0; w < HEADS; w++) attend(s, rows, w);
    for (int t = 0; t < rows; t++) round_row(s->a + t * W, W, s->q + t * W, s->q_scale + t);
    multiply(s, rows, W, W, (Matrix){b->out_w, b->out_s, b->out_b}, s->x, ADD);
    round_normalised(s, rows, b->norm2);
    multiply(s, rows, W, FF, (Matrix){b->up_w, b->up_s, b->up_b}, s->h, RELU);
    for (int t = 0; t < rows; t++) round_row(s->h + t * FF, FF, s->q + t * FF, s->q_scale + t);
    multiply(s, rows, FF, W, (Matrix){b->down_w, b->down_s, b->down_b}, s->x, ADD);
  }
  float logit = s->head[2 * W];
  Floats sum = all(0);
  for (int t = 0; t < rows; t++) normalise(s->x + t * W, s->x + t * W, W, s->norm);
  for (int i = 0; i < W; i += LANES) {
    Floats mean = all(0), top = all(-1e30f);
    for (int t = 0; t < rows; t++) mean += load(s->x + t * W + i), top = larger(top, load(s->x + t * W + i));
    sum += load(s->head + i) * (mean / all(rows)) + load(s->head + W + i) * top;
  }
  return logit + sum_of(sum);
}

EXPORT(size, int)(void) { return sizeof(State); }
