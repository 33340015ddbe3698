// A layer of 3 x 3 pixels by all channels. Planes hold four channels of a pixel. The input has a
// border of one pixel. An invocation makes four pixels of a column. ROLE_FILL writes the input of
// src/expected/convolution.hpp. Steps and checks are those of lattice_boltzmann. Twin of
// cl_kernels/convolution.cl.

#define ROLE_FILL 1
#define ROLE_TIMED 2

#if ROLE == ROLE_FILL
layout(std430, set = 0, binding = 0) writeonly buffer Input { vec4 source[]; };
#else
layout(std430, set = 0, binding = 0) readonly buffer Input { vec4 source[]; };
#endif
layout(std430, set = 0, binding = 1) writeonly buffer Output { vec4 result[]; };

#define LOAD(j) v[j] = source[at + (j) * p.row];
#define WEIGHT(dy, quad, channel) uintBitsToFloat(constants[first + ((dy) * QUADS + (quad)) * 4u + (channel)])
#define ADD(j, dy, quad)                                                                              \
  sum[(j) * QUADS + (quad)] = fma(v[(j) + (dy)].xxxx, w0, sum[(j) * QUADS + (quad)]);                 \
  sum[(j) * QUADS + (quad)] = fma(v[(j) + (dy)].yyyy, w1, sum[(j) * QUADS + (quad)]);                 \
  sum[(j) * QUADS + (quad)] = fma(v[(j) + (dy)].zzzz, w2, sum[(j) * QUADS + (quad)]);                 \
  sum[(j) * QUADS + (quad)] = fma(v[(j) + (dy)].wwww, w3, sum[(j) * QUADS + (quad)]);
#define TAP(dy, quad)                        \
  {                                          \
    const vec4 w0 = WEIGHT(dy, quad, 0);     \
    const vec4 w1 = WEIGHT(dy, quad, 1);     \
    const vec4 w2 = WEIGHT(dy, quad, 2);     \
    const vec4 w3 = WEIGHT(dy, quad, 3);     \
    ADD(0, dy, quad)                         \
    ADD(1, dy, quad)                         \
    ADD(2, dy, quad)                         \
    ADD(3, dy, quad)                         \
  }
#define TAPS(quad) TAP(0, quad) TAP(1, quad) TAP(2, quad)
#define CLEAR(quad) sum[quad] = sum[QUADS + (quad)] = sum[2 * QUADS + (quad)] = sum[3 * QUADS + (quad)] = vec4(0);
#define STORE_ONE(j, quad) result[(quad) * p.output_plane + to + (j) * (p.x_mask + 1u)] = sum[(j) * QUADS + (quad)];
#define STORE(quad) STORE_ONE(0, quad) STORE_ONE(1, quad) STORE_ONE(2, quad) STORE_ONE(3, quad)
#if QUADS == 1
#define EACH_QUAD(DO) DO(0)
#else
#define EACH_QUAD(DO) DO(0) DO(1) DO(2) DO(3)
#endif

float element(uint channel, uint x, uint y) {
  const uint place = (channel * 64u + (y & 63u)) * 64u + (x & 63u);
  return float((lowbias32(place ^ p.salt) & 0x1ffu) + (lowbias32(y ^ ~p.salt) & 0xffu) + (lowbias32(x ^ ~p.salt) >> 24));
}

void main() {
#if ROLE == ROLE_FILL
  const uint pixel = gl_GlobalInvocationID.x;
  if (pixel >= p.input_plane) return;
  const uint y = pixel / p.row;
  const uint x = pixel - y * p.row;
  for (uint quad = 0u; quad < QUADS; ++quad)
    source[quad * p.input_plane + pixel] = vec4(element(4u * quad, x, y), element(4u * quad + 1u, x, y),
                                                element(4u * quad + 2u, x, y), element(4u * quad + 3u, x, y));
#else
  if (p.loops == 0u) return;
  const uint lane = (gl_WorkGroupID.x & p.tile_mask) * LOCAL_SIZE + gl_LocalInvocationID.x;
  const uint x = lane & p.x_mask;
  const uint y = (lane >> p.x_bits) * 4u;
  uint at = y * p.row + x;
  uint first = 0u;
  uint column = 0u;
  vec4 v[6];
  vec4 sum[4 * QUADS];
  EACH_QUAD(CLEAR)
  // A turn takes one of the three columns of one plane of the input.
  for (uint turn = 0u; turn < p.turns; ++turn) {
    LOAD(0) LOAD(1) LOAD(2) LOAD(3) LOAD(4) LOAD(5)
    EACH_QUAD(TAPS)
    first += 3 * QUADS * 4;
    ++column;
    at += column == 3u ? p.input_plane - 2u : 1u;
    column = column == 3u ? 0u : column;
  }
  const uint to = y * (p.x_mask + 1u) + x;
  EACH_QUAD(STORE)
#endif
}
