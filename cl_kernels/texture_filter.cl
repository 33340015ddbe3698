// Samples of an image of two dimensions by a sampler, served by a unit's first cache: 32 lanes read
// a block of texels per load. Twin of shaders/texture_filter.comp.
//
// The blocks are those of texture_bandwidth. Without a filter (LINEAR 0) a sample lies in the
// middle of its texel; with one it lies at the corner to the right and below, so that it is the
// mean of four texels.

#define SIDE 32
#define BLOCKS_OF_ROW (SIDE / BLOCK_WIDTH)
#define BLOCK_HEIGHT (SIDE / BLOCK_WIDTH)

#if LINEAR
#define FILTER CLK_FILTER_LINEAR
#define IN_TEXEL 1.0f
#else
#define FILTER CLK_FILTER_NEAREST
#define IN_TEXEL 0.5f
#endif

#if CHANNELS == 1
#define VECTOR float
#define FOLD(v) (v)
#define SWIZZLE .x
#else
#define VECTOR float4
#define FOLD(v) ((v).x + 3.0f * (v).y + 5.0f * (v).z + 7.0f * (v).w)
#define SWIZZLE
#endif

#define PLACE(texels) ((float)(texels) / SIDE)
#define SAMPLE(j)                                                                                         \
  read_imagef(data, sampler,                                                                              \
              (float2)(u + PLACE((j) % BLOCKS_OF_ROW * BLOCK_WIDTH), v + PLACE((j) / BLOCKS_OF_ROW * BLOCK_HEIGHT))) \
  SWIZZLE

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

__kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1))) void texture_filter(__read_only image2d_t data,
                                                                                     __global float *out,
                                                                                     __global ulong *stamps, Parameters p) {
  const sampler_t sampler = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | FILTER;
  const uint local_id = (uint)get_local_id(0);
  const uint place = local_id % SIDE;
  const uint block = local_id / SIDE * LOADS % SIDE;  // of the first load
  const float u = ((float)(block % BLOCKS_OF_ROW * BLOCK_WIDTH + place % BLOCK_WIDTH) + IN_TEXEL) / SIDE;
  float v = ((float)(block / BLOCKS_OF_ROW * BLOCK_HEIGHT + place / BLOCK_WIDTH) + IN_TEXEL) / SIDE;
  const float advance = (float)p.advance;
  VECTOR a = 0.0f, b = 0.0f, c = 0.0f, d = 0.0f;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = 0; i < p.warm_loops; ++i) TURN
  PERCYCLE_ALL_HERE();  // all subgroups begin together
  const ulong device_begin = percycle_device_clock();
  const ulong unit_begin = percycle_unit_clock();
  barrier(CLK_LOCAL_MEM_FENCE);  // none begins before the clocks are read
  for (uint i = 0; i < p.loops; ++i) TURN
  // The store waits for the last load, and the barrier for the last subgroup.
  out[get_global_id(0)] = FOLD(a + b + c + d);
  PERCYCLE_STAMP_GROUP(stamps, local_id, unit_begin, device_begin);
}
