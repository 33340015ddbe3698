// Samples of an image of two dimensions by a sampler, served by a unit's first cache: 32 lanes read
// a block of texels per load. Twin of cl_kernels/texture_filter.cl, which explains the places of
// the samples. The binding has the sampler.

#define SIDE 32
#define BLOCKS_OF_ROW (SIDE / BLOCK_WIDTH)
#define BLOCK_HEIGHT (SIDE / BLOCK_WIDTH)

#if LINEAR
#define IN_TEXEL 1.0
#else
#define IN_TEXEL 0.5
#endif

#if CHANNELS == 1
#define VECTOR float
#define FOLD(v) (v)
#define SWIZZLE x
#else
#define VECTOR vec4
#define FOLD(v) ((v).x + 3.0 * (v).y + 5.0 * (v).z + 7.0 * (v).w)
#define SWIZZLE xyzw
#endif

layout(set = 0, binding = 0) uniform sampler2D data;
layout(std430, set = 0, binding = 1) writeonly buffer Out { float result[]; };
layout(std430, set = 0, binding = 2) writeonly buffer Stamps { uvec2 stamps[]; };

#define PLACE(texels) (float(texels) / SIDE)
#define SAMPLE(j)                                                                                                           \
  textureLod(data, vec2(u + PLACE((j) % BLOCKS_OF_ROW * BLOCK_WIDTH), v + PLACE((j) / BLOCKS_OF_ROW * BLOCK_HEIGHT)), 0.0) \
      .SWIZZLE

#define SAMPLES_4(j)  \
  a += SAMPLE(j);     \
  b += SAMPLE(j + 1); \
  c += SAMPLE(j + 2); \
  d += SAMPLE(j + 3);
#define SAMPLES_16(j) SAMPLES_4(j) SAMPLES_4(j + 4) SAMPLES_4(j + 8) SAMPLES_4(j + 12)
#if LOADS == 16
#define ALL_SAMPLES SAMPLES_16(0)
#else
#define ALL_SAMPLES SAMPLES_16(0) SAMPLES_16(16)
#endif

// The compiler does not know that `advance` is 0.
#define TURN      \
  {               \
    ALL_SAMPLES   \
    v += advance; \
  }

void main() {
  const uint local_id = gl_LocalInvocationID.x;
  const uint place = local_id % SIDE;
  const uint block = local_id / SIDE * LOADS % SIDE;  // of the first load
  const float u = (float(block % BLOCKS_OF_ROW * BLOCK_WIDTH + place % BLOCK_WIDTH) + IN_TEXEL) / SIDE;
  float v = (float(block / BLOCKS_OF_ROW * BLOCK_HEIGHT + place / BLOCK_WIDTH) + IN_TEXEL) / SIDE;
  const float advance = float(p.advance);
  VECTOR a = VECTOR(0.0), b = a, c = a, d = a;
  barrier();
  for (uint i = 0; i < p.warm_loops; ++i) TURN
  percycle_all_here();  // all subgroups begin together
  const uvec2 device_begin = percycle_device_clock();
  const uvec2 unit_begin = percycle_unit_clock();
  barrier();  // none begins before the clocks are read
  for (uint i = 0; i < p.loops; ++i) TURN
  // The store waits for the last load, and the barrier for the last subgroup.
  result[gl_GlobalInvocationID.x] = FOLD(a + b + c + d);
  PERCYCLE_STAMP_GROUP(stamps, local_id, unit_begin, device_begin);
}
