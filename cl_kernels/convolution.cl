// A layer of 3 x 3 pixels by all channels. Planes hold four channels of a pixel. The input has a
// border of one pixel. An invocation makes four pixels of a column. ROLE_FILL writes the input of
// src/expected/convolution.hpp. Steps and checks are those of lattice_boltzmann. Twin of
// shaders/convolution.comp.

#define ROLE_FILL 1
#define ROLE_TIMED 2

#define LOAD(j) v[j] = source[at + (j) * p.row];
#define WEIGHT(dy, quad, channel) as_float4(constants[first + ((dy) * QUADS + (quad)) * 4 + (channel)])
#define ADD(j, dy, quad)                                                                              \
  sum[(j) * QUADS + (quad)] = fma(v[(j) + (dy)].xxxx, w0, sum[(j) * QUADS + (quad)]);                 \
  sum[(j) * QUADS + (quad)] = fma(v[(j) + (dy)].yyyy, w1, sum[(j) * QUADS + (quad)]);                 \
  sum[(j) * QUADS + (quad)] = fma(v[(j) + (dy)].zzzz, w2, sum[(j) * QUADS + (quad)]);                 \
  sum[(j) * QUADS + (quad)] = fma(v[(j) + (dy)].wwww, w3, sum[(j) * QUADS + (quad)]);
#define TAP(dy, quad)                        \
  {                                          \
    const float4 w0 = WEIGHT(dy, quad, 0);   \
    const float4 w1 = WEIGHT(dy, quad, 1);   \
    const float4 w2 = WEIGHT(dy, quad, 2);   \
    const float4 w3 = WEIGHT(dy, quad, 3);   \
    ADD(0, dy, quad)                         \
    ADD(1, dy, quad)                         \
    ADD(2, dy, quad)                         \
    ADD(3, dy, quad)                         \
  }
#define TAPS(quad) TAP(0, quad) TAP(1, quad) TAP(2, quad)
#define CLEAR(quad) sum[quad] = sum[QUADS + (quad)] = sum[2 * QUADS + (quad)] = sum[3 * QUADS + (quad)] = 0.0f;
#define STORE_ONE(j, quad) result[(quad) * p.output_plane + to + (j) * (p.x_mask + 1)] = sum[(j) * QUADS + (quad)];
#define STORE(quad) STORE_ONE(0, quad) STORE_ONE(1, quad) STORE_ONE(2, quad) STORE_ONE(3, quad)
#if QUADS == 1
#define EACH_QUAD(DO) DO(0)
#else
#define EACH_QUAD(DO) DO(0) DO(1) DO(2) DO(3)
#endif

float element(uint channel, uint x, uint y, Parameters p) {
  const uint place = (channel * 64 + (y & 63)) * 64 + (x & 63);
  return (float)((lowbias32(place ^ p.salt) & 0x1ffu) + (lowbias32(y ^ ~p.salt) & 0xffu) + (lowbias32(x ^ ~p.salt) >> 24));
}

__kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1))) void convolution(__global float4 *source,
                                                                                  __global float4 *result, Parameters p) {
#if ROLE == ROLE_FILL
  const uint pixel = (uint)get_global_id(0);
  if (pixel >= p.input_plane) return;
  const uint y = pixel / p.row;
  const uint x = pixel - y * p.row;
  for (uint quad = 0; quad < QUADS; ++quad)
    source[quad * p.input_plane + pixel] = (float4)(element(4 * quad, x, y, p), element(4 * quad + 1, x, y, p),
                                                   element(4 * quad + 2, x, y, p), element(4 * quad + 3, x, y, p));
#else
  if (p.loops == 0) return;
  const uint lane = ((uint)get_group_id(0) & p.tile_mask) * LOCAL_SIZE + (uint)get_local_id(0);
  const uint x = lane & p.x_mask;
  const uint y = (lane >> p.x_bits) * 4;
  uint at = y * p.row + x;
  uint first = 0;
  uint column = 0;
  float4 v[6];
  float4 sum[4 * QUADS];
  EACH_QUAD(CLEAR)
  // A turn takes one of the three columns of one plane of the input.
  for (uint turn = 0; turn < p.turns; ++turn) {
    LOAD(0) LOAD(1) LOAD(2) LOAD(3) LOAD(4) LOAD(5)
    EACH_QUAD(TAPS)
    first += 3 * QUADS * 4;
    ++column;
    at += column == 3 ? p.input_plane - 2 : 1;
    column = column == 3 ? 0 : column;
  }
  const uint to = y * (p.x_mask + 1) + x;
  EACH_QUAD(STORE)
#endif
}
