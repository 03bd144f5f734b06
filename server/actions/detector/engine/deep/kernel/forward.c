// The student network's forward pass for WebAssembly SIMD: int8 weights widened to int16, activations rounded to 13 bits,
// sums in int32. Built by training/build-kernel.sh; the host (../network.ts) fills the weights and calls run().
#include <stdint.h>
#include <wasm_simd128.h>

enum { VOCABULARY = 16384, PAIRS = 16384, D = 192, W = 256, LAYERS = 3, FF = 768, HEADS = 4, DH = W / HEADS };
enum { T = 512, P1 = T / 2, P = T / 4, BIGGEST = 768 };

typedef struct {
  int16_t *weights; // packed: four outputs by two inputs, sixteen bytes at a time
  float *scale, *bias;
} Matrix;

static int8_t embed[VOCABULARY * D], pairs[PAIRS * D];
static float embed_scale[VOCABULARY], pairs_scale[PAIRS];
static int16_t conv1_w[D * 4 * D], conv2_w[W * 4 * D];
static int16_t qkv_w[LAYERS][3 * W * W], out_w[LAYERS][W * W], up_w[LAYERS][FF * W], down_w[LAYERS][W * FF];
static float conv1_s[D], conv1_b[D], conv2_s[W], conv2_b[W];
static float qkv_s[LAYERS][3 * W], qkv_b[LAYERS][3 * W], out_s[LAYERS][W], out_b[LAYERS][W];
static float up_s[LAYERS][FF], up_b[LAYERS][FF], down_s[LAYERS][W], down_b[LAYERS][W];
static float norm0[2][D], norms[2 * LAYERS + 1][2][W], position[P * W], head[2 * W + 1];

static uint16_t ids[T];
// What the first convolution makes of each piece and each pair at each of its four places; filled by prepare().
static int16_t embed_taps[VOCABULARY][4][D], pairs_taps[PAIRS][4][D];
static float embed_unit[VOCABULARY], pairs_unit[PAIRS];
static uint16_t pair_ids[T];
static float x1[(P1 + 4) * D], x[(P + 4) * W], h[(P + 4) * BIGGEST], a[(P + 4) * W];
static int16_t q[(P1 + 4) * BIGGEST];
static float q_scale[P1 + 4];
static float keys[DH * (P + 4)], scores[P + 16];

__attribute__((export_name("address"))) void *address(int what, int layer) {
  switch (what) {
  case 0: return ids;
  case 1: return embed;
  case 2: return embed_scale;
  case 3: return pairs;
  case 4: return pairs_scale;
  case 5: return conv1_w;
  case 6: return conv1_s;
  case 7: return conv1_b;
  case 8: return conv2_w;
  case 9: return conv2_s;
  case 10: return conv2_b;
  case 11: return norm0;
  case 12: return position;
  case 13: return qkv_w[layer];
  case 14: return qkv_s[layer];
  case 15: return qkv_b[layer];
  case 16: return out_w[layer];
  case 17: return out_s[layer];
  case 18: return out_b[layer];
  case 19: return up_w[layer];
  case 20: return up_s[layer];
  case 21: return up_b[layer];
  case 22: return down_w[layer];
  case 23: return down_s[layer];
  case 24: return down_b[layer];
  case 25: return norms[layer];
  case 26: return head;
  }
  return 0;
}

/// Rounds one row to 13 bits and keeps what a unit is worth.
static void round_row(const float *in, int k, int16_t *out, float *scale) {
  v128_t most = wasm_f32x4_splat(1e-9f);
  for (int i = 0; i < k; i += 4) most = wasm_f32x4_pmax(most, wasm_f32x4_abs(wasm_v128_load(in + i)));
  float m = 1e-9f;
  float lanes[4];
  wasm_v128_store(lanes, most);
  for (int i = 0; i < 4; i++) m = lanes[i] > m ? lanes[i] : m;
  v128_t by = wasm_f32x4_splat(4095.0f / m);
  for (int i = 0; i < k; i += 8) {
    v128_t low = wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_nearest(wasm_f32x4_mul(wasm_v128_load(in + i), by)));
    v128_t high = wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_nearest(wasm_f32x4_mul(wasm_v128_load(in + i + 4), by)));
    wasm_v128_store(out + i, wasm_i16x8_narrow_i32x4(low, high));
  }
  *scale = m / 4095.0f;
}

enum { PUT, RELU, ADD };

static inline void store_row(float *c, v128_t s0, v128_t s1, float unit, const float *scale, const float *bias, int mode) {
  v128_t u = wasm_f32x4_splat(unit);
  v128_t y0 = wasm_f32x4_add(wasm_f32x4_mul(wasm_f32x4_mul(wasm_f32x4_convert_i32x4(s0), u), wasm_v128_load(scale)), wasm_v128_load(bias));
  v128_t y1 = wasm_f32x4_add(wasm_f32x4_mul(wasm_f32x4_mul(wasm_f32x4_convert_i32x4(s1), u), wasm_v128_load(scale + 4)), wasm_v128_load(bias + 4));
  if (mode == RELU) {
    v128_t zero = wasm_f32x4_splat(0);
    y0 = wasm_f32x4_pmax(zero, y0);
    y1 = wasm_f32x4_pmax(zero, y1);
  } else if (mode == ADD) {
    y0 = wasm_f32x4_add(y0, wasm_v128_load(c));
    y1 = wasm_f32x4_add(y1, wasm_v128_load(c + 4));
  }
  wasm_v128_store(c, y0);
  wasm_v128_store(c + 4, y1);
}

#define MAC(sum, w, v) sum = wasm_i32x4_add(sum, wasm_i32x4_dot_i16x8(w, v))

/// out[t][n] = q[t] · weights[n]; four rows and eight outputs at a time, so that eight sums stay in registers.
/// `whole` is how many inputs the weights have; k of them, from m.weights on, are used.
static inline void multiply_part(int rows, int k, int whole, int n, Matrix m, float *out, int mode) {
  for (int j = 0; j < n; j += 8) {
    const int16_t *w0 = m.weights + j * whole, *w1 = w0 + 4 * whole;
    for (int t = 0; t < rows; t += 4) {
      const int16_t *r0 = q + t * k, *r1 = r0 + k, *r2 = r1 + k, *r3 = r2 + k;
      v128_t a0 = wasm_i32x4_splat(0), a1 = a0, a2 = a0, a3 = a0, b0 = a0, b1 = a0, b2 = a0, b3 = a0;
      for (int i = 0; i < k; i += 2) {
        v128_t wa = wasm_v128_load(w0 + i * 4), wb = wasm_v128_load(w1 + i * 4), v;
        v = wasm_v128_load32_splat(r0 + i);
        MAC(a0, wa, v);
        MAC(b0, wb, v);
        v = wasm_v128_load32_splat(r1 + i);
        MAC(a1, wa, v);
        MAC(b1, wb, v);
        v = wasm_v128_load32_splat(r2 + i);
        MAC(a2, wa, v);
        MAC(b2, wb, v);
        v = wasm_v128_load32_splat(r3 + i);
        MAC(a3, wa, v);
        MAC(b3, wb, v);
      }
      float *c = out + t * n + j;
      store_row(c, a0, b0, q_scale[t], m.scale + j, m.bias + j, mode);
      store_row(c + n, a1, b1, q_scale[t + 1], m.scale + j, m.bias + j, mode);
      store_row(c + 2 * n, a2, b2, q_scale[t + 2], m.scale + j, m.bias + j, mode);
      store_row(c + 3 * n, a3, b3, q_scale[t + 3], m.scale + j, m.bias + j, mode);
    }
  }
}

static void multiply(int rows, int k, int n, Matrix m, float *out, int mode) { multiply_part(rows, k, k, n, m, out, mode); }

static void normalise(const float *in, float *out, int size, const float *gain, const float *shift) {
  float sum = 0, squares = 0;
  for (int i = 0; i < size; i++) sum += in[i];
  float mean = sum / size;
  for (int i = 0; i < size; i++) squares += (in[i] - mean) * (in[i] - mean);
  float by = 1.0f / __builtin_sqrtf(squares / size + 1e-5f);
  for (int i = 0; i < size; i++) out[i] = (in[i] - mean) * by * gain[i] + shift[i];
}

static float normal[BIGGEST];

static void round_normalised(int rows, const float (*gain)[W]) {
  for (int t = 0; t < rows; t++) {
    normalise(x + t * W, normal, W, gain[0], gain[1]);
    round_row(normal, W, q + t * W, q_scale + t);
  }
}

/// e^v for v <= 0: 2^i by the exponent bits, the rest by a polynomial (error below 1e-6).
static inline v128_t exponential(v128_t v) {
  v = wasm_f32x4_mul(wasm_f32x4_pmax(wasm_f32x4_splat(-80), v), wasm_f32x4_splat(1.44269504f));
  v128_t whole = wasm_f32x4_floor(v), f = wasm_f32x4_sub(v, whole);
  v128_t p = wasm_f32x4_splat(1.8775767e-3f);
  const float c[5] = {8.9893397e-3f, 5.5826318e-2f, 2.4015361e-1f, 6.9315308e-1f, 9.9999994e-1f};
  for (int i = 0; i < 5; i++) p = wasm_f32x4_add(wasm_f32x4_mul(p, f), wasm_f32x4_splat(c[i]));
  v128_t power = wasm_i32x4_shl(wasm_i32x4_add(wasm_i32x4_trunc_sat_f32x4(whole), wasm_i32x4_splat(127)), 23);
  return wasm_f32x4_mul(p, power);
}

static float soften(int count) {
  v128_t most = wasm_f32x4_splat(-1e30f), total = wasm_f32x4_splat(0);
  for (int i = count; i & 3; i++) scores[i] = -1e30f;
  for (int i = 0; i < count; i += 4) most = wasm_f32x4_pmax(most, wasm_v128_load(scores + i));
  float lanes[4], m = -1e30f, sum = 0;
  wasm_v128_store(lanes, most);
  for (int i = 0; i < 4; i++) m = lanes[i] > m ? lanes[i] : m;
  for (int i = 0; i < count; i += 4) {
    v128_t e = exponential(wasm_f32x4_sub(wasm_v128_load(scores + i), wasm_f32x4_splat(m)));
    wasm_v128_store(scores + i, e);
    total = wasm_f32x4_add(total, e);
  }
  wasm_v128_store(lanes, total);
  for (int i = 0; i < 4; i++) sum += lanes[i];
  for (int i = count; i & 3; i++) sum -= scores[i];
  return 1.0f / sum;
}

/// One head: h holds q, k and v side by side; the result goes into a.
static void attend(int rows, int which) {
  const int stride = 3 * W, wide = (rows + 15) & ~15;
  for (int s = 0; s < wide; s++)
    for (int d = 0; d < DH; d++) keys[d * wide + s] = s < rows ? h[s * stride + W + which * DH + d] : 0;
  for (int t = 0; t < rows; t++) {
    const float *query = h + t * stride + which * DH;
    for (int s = 0; s < wide; s += 16) {
      v128_t s0 = wasm_f32x4_splat(0), s1 = s0, s2 = s0, s3 = s0;
      const float *column = keys + s;
      for (int d = 0; d < DH; d++, column += wide) {
        v128_t v = wasm_v128_load32_splat(query + d);
        s0 = wasm_f32x4_add(s0, wasm_f32x4_mul(v, wasm_v128_load(column)));
        s1 = wasm_f32x4_add(s1, wasm_f32x4_mul(v, wasm_v128_load(column + 4)));
        s2 = wasm_f32x4_add(s2, wasm_f32x4_mul(v, wasm_v128_load(column + 8)));
        s3 = wasm_f32x4_add(s3, wasm_f32x4_mul(v, wasm_v128_load(column + 12)));
      }
      const v128_t by = wasm_f32x4_splat(0.125f);
      wasm_v128_store(scores + s, wasm_f32x4_mul(s0, by));
      wasm_v128_store(scores + s + 4, wasm_f32x4_mul(s1, by));
      wasm_v128_store(scores + s + 8, wasm_f32x4_mul(s2, by));
      wasm_v128_store(scores + s + 12, wasm_f32x4_mul(s3, by));
    }
    const v128_t share = wasm_f32x4_splat(soften(rows));
    for (int part = 0; part < DH; part += 32) {
      v128_t o[8];
      for (int i = 0; i < 8; i++) o[i] = wasm_f32x4_splat(0);
      const float *value = h + 2 * W + which * DH + part;
      for (int s = 0; s < rows; s++, value += stride) {
        v128_t v = wasm_v128_load32_splat(scores + s);
        for (int i = 0; i < 8; i++) o[i] = wasm_f32x4_add(o[i], wasm_f32x4_mul(v, wasm_v128_load(value + 4 * i)));
      }
      for (int i = 0; i < 8; i++) wasm_v128_store(a + t * W + which * DH + part + 4 * i, wasm_f32x4_mul(o[i], share));
    }
  }
}

static const float zeros[D];

/// Multiplies a table of int8 rows with the first convolution, place by place.
static void prepare_table(const int8_t *table, int count, int16_t taps[][4][D], float *unit) {
  static float made[4 * 4 * D];
  for (int row = 0; row < count; row += 4) {
    for (int r = 0; r < 4; r++) {
      for (int i = 0; i < D; i++) q[r * D + i] = table[(row + r) * D + i];
      q_scale[r] = 1;
    }
    for (int tap = 0; tap < 4; tap++) {
      multiply_part(4, D, 4 * D, D, (Matrix){conv1_w + tap * D * 4, conv1_s, (float *)zeros}, made + tap * 4 * D, PUT);
    }
    for (int r = 0; r < 4; r++) {
      float most = 1e-9f;
      for (int tap = 0; tap < 4; tap++)
        for (int i = 0; i < D; i++) most = __builtin_fmaxf(most, __builtin_fabsf(made[(tap * 4 + r) * D + i]));
      for (int tap = 0; tap < 4; tap++)
        for (int i = 0; i < D; i++) taps[row + r][tap][i] = (int16_t)(made[(tap * 4 + r) * D + i] * (32000.0f / most));
      unit[row + r] = most / 32000.0f;
    }
  }
}

/// Called once, after the weights are in place: a convolution of embeddings is a sum of rows that can be made beforehand.
__attribute__((export_name("prepare"))) void prepare(void) {
  prepare_table(embed, VOCABULARY, embed_taps, embed_unit);
  prepare_table(pairs, PAIRS, pairs_taps, pairs_unit);
  for (int i = 0; i < VOCABULARY; i++) embed_unit[i] *= embed_scale[i];
  for (int i = 0; i < PAIRS; i++) pairs_unit[i] *= pairs_scale[i];
}

static inline void add_tap(float *to, const int16_t *tap, float unit) {
  for (int i = 0; i < D; i++) to[i] += unit * tap[i];
}

/// The first convolution over the pieces 2t-1 .. 2t+2, for every t; zero beyond the text.
static void convolve(int n, int half) {
  for (int t = 0; t < n; t++) {
    uint32_t before = t ? ids[t - 1] : 0, id = ids[t];
    pair_ids[t] = ((before * 0x9E3779B1u) ^ (id * 0x85EBCA6Bu)) >> 18;
  }
  for (int t = 0; t < half; t++) {
    float *to = x1 + (t + 1) * D;
    for (int i = 0; i < D; i++) to[i] = conv1_b[i];
    for (int tap = 0; tap < 4; tap++) {
      int at = 2 * t - 1 + tap;
      if (at < 0 || at >= n) continue;
      add_tap(to, embed_taps[ids[at]][tap], embed_unit[ids[at]]);
      add_tap(to, pairs_taps[pair_ids[at]][tap], pairs_unit[pair_ids[at]]);
    }
    for (int i = 0; i < D; i++) to[i] = to[i] > 0 ? to[i] : 0;
  }
}

/// The logit of the n pieces in ids.
__attribute__((export_name("run"))) float run(int n) {
  if (n < 1) return 0;
  if (n > T) n = T;
  const int half = (n + 1) / 2, rows = (n + 3) / 4;
  convolve(n, half);
  for (int i = 0; i < D; i++) x1[i] = 0;
  for (int t = 1; t <= half; t++) normalise(x1 + t * D, x1 + t * D, D, norm0[0], norm0[1]);
  for (int i = (half + 1) * D; i < (half + 4) * D && i < (P1 + 4) * D; i++) x1[i] = 0;
  for (int t = 0; t < rows; t++) round_row(x1 + 2 * t * D, 4 * D, q + t * 4 * D, q_scale + t);
  multiply(rows, 4 * D, W, (Matrix){conv2_w, conv2_s, conv2_b}, x, RELU);
  for (int i = 0; i < rows * W; i++) x[i] += position[i];
  for (int l = 0; l < LAYERS; l++) {
    round_normalised(rows, norms[2 * l]);
    multiply(rows, W, 3 * W, (Matrix){qkv_w[l], qkv_s[l], qkv_b[l]}, h, PUT);
    for (int w = 0; w < HEADS; w++) attend(rows, w);
    for (int t = 0; t < rows; t++) round_row(a + t * W, W, q + t * W, q_scale + t);
    multiply(rows, W, W, (Matrix){out_w[l], out_s[l], out_b[l]}, x, ADD);
    round_normalised(rows, norms[2 * l + 1]);
    multiply(rows, W, FF, (Matrix){up_w[l], up_s[l], up_b[l]}, h, RELU);
    for (int t = 0; t < rows; t++) round_row(h + t * FF, FF, q + t * FF, q_scale + t);
    multiply(rows, FF, W, (Matrix){down_w[l], down_s[l], down_b[l]}, x, ADD);
  }
  float mean[W], top[W], logit = head[2 * W];
  for (int i = 0; i < W; i++) mean[i] = 0, top[i] = -1e30f;
  for (int t = 0; t < rows; t++) {
    normalise(x + t * W, normal, W, norms[2 * LAYERS][0], norms[2 * LAYERS][1]);
    for (int i = 0; i < W; i++) mean[i] += normal[i], top[i] = normal[i] > top[i] ? normal[i] : top[i];
  }
  for (int i = 0; i < W; i++) logit += head[i] * mean[i] / rows + head[W + i] * top[i];
  return logit;
}
