// Texels of an image of two dimensions, served by a unit's first cache: 32 lanes read a block of
// them per load. Twin of cl_kernels/texture_bandwidth.cl, which explains the blocks.

#define SIDE 32
#define BLOCKS_OF_ROW (SIDE / BLOCK_WIDTH)
#define BLOCK_HEIGHT (SIDE / BLOCK_WIDTH)

#if CHANNELS == 1
#define VECTOR uint
#define FOLD(v) (v)
#define SWIZZLE x
#elif CHANNELS == 2
#define VECTOR uvec2
#define FOLD(v) ((v).x + 3u * (v).y)
#define SWIZZLE xy
#else
#define VECTOR uvec4
#define FOLD(v) ((v).x + 3u * (v).y + 5u * (v).z + 7u * (v).w)
#define SWIZZLE xyzw
#endif

// The bits of floats are added as integers, so that sums are exact and no conversion is added.
#ifdef FLOAT_TEXELS
layout(set = 0, binding = 0) uniform texture2D data;
#define FETCH(x, y) floatBitsToUint(texelFetch(data, ivec2(x, y), 0)).SWIZZLE
#else
layout(set = 0, binding = 0) uniform utexture2D data;
#define FETCH(x, y) texelFetch(data, ivec2(x, y), 0).SWIZZLE
#endif
layout(std430, set = 0, binding = 1) writeonly buffer Out { uint result[]; };
layout(std430, set = 0, binding = 2) writeonly buffer Stamps { uvec2 stamps[]; };
#define TEXEL(j) FETCH(x + (j) % BLOCKS_OF_ROW * (BLOCK_WIDTH * STRIDE), y + (j) / BLOCKS_OF_ROW * BLOCK_HEIGHT)

#define TEXELS_4(j)  \
  a += TEXEL(j);     \
  b += TEXEL(j + 1); \
  c += TEXEL(j + 2); \
  d += TEXEL(j + 3);
#define TEXELS_16(j) TEXELS_4(j) TEXELS_4(j + 4) TEXELS_4(j + 8) TEXELS_4(j + 12)
#if LOADS == 16
#define ALL_TEXELS TEXELS_16(0)
#else
#define ALL_TEXELS TEXELS_16(0) TEXELS_16(16)
#endif

// The compiler does not know that `advance` is 0.
#define TURN        \
  {                 \
    ALL_TEXELS      \
    y += p.advance; \
  }

void main() {
  const uint local_id = gl_LocalInvocationID.x;
  const uint place = local_id % SIDE;
  const uint block = local_id / SIDE * LOADS % SIDE;  // of the first load
  const uint x = (block % BLOCKS_OF_ROW * BLOCK_WIDTH + place % BLOCK_WIDTH) * STRIDE;
  uint y = block / BLOCKS_OF_ROW * BLOCK_HEIGHT + place / BLOCK_WIDTH;
  VECTOR a = VECTOR(0), b = a, c = a, d = a;
  barrier();
  for (uint i = 0; i < p.warm_loops; ++i) TURN
  percycle_all_here();  // all subgroups begin together
  const uvec2 device_begin = percycle_device_clock();
  const uvec2 unit_begin = percycle_unit_clock();
  barrier();  // none begins before the clocks are read
  for (uint i = 0; i < p.loops; ++i) TURN
  // The store waits for the last load, and the barrier for the last subgroup.
  result[gl_GlobalInvocationID.x] = FOLD(a ^ b ^ c ^ d);
  PERCYCLE_STAMP_GROUP(stamps, local_id, unit_begin, device_begin);
}
