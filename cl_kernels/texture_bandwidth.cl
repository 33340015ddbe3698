// Texels of an image of two dimensions, served by a unit's first cache: 32 lanes read a block of
// them per load. Twin of shaders/texture_bandwidth.comp.
//
// The 32 x 32 used texels are 32 blocks of 32 texels, row by row, at places that the compiler
// knows. Lane k of 32 reads texel k of each block. With subgroups of 64 the second half of the
// lanes begins half of the blocks later, so that the halves never read the same texel at once. A
// turn reads all blocks. The base moves by 0 rows per turn, which the compiler does not know. Sums
// are those of unit_bandwidth.

#define SIDE 32
#define BLOCKS_OF_ROW (SIDE / BLOCK_WIDTH)
#define BLOCK_HEIGHT (SIDE / BLOCK_WIDTH)

#if CHANNELS == 1
#define VECTOR uint
#define FOLD(v) (v)
#define SWIZZLE .x
#elif CHANNELS == 2
#define VECTOR uint2
#define FOLD(v) ((v).x + 3 * (v).y)
#define SWIZZLE .xy
#else
#define VECTOR uint4
#define FOLD(v) ((v).x + 3 * (v).y + 5 * (v).z + 7 * (v).w)
#define SWIZZLE
#endif

// The bits of floats are added as integers, so that sums are exact and no conversion is added.
#ifdef FLOAT_TEXELS
#define FETCH(x, y) as_uint4(read_imagef(data, (int2)(x, y))) SWIZZLE
#else
#define FETCH(x, y) read_imageui(data, (int2)(x, y)) SWIZZLE
#endif
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

__kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1))) void texture_bandwidth(__read_only image2d_t data,
                                                                                        __global uint *out,
                                                                                        __global ulong *stamps, Parameters p) {
  const uint local_id = (uint)get_local_id(0);
  const uint place = local_id % SIDE;
  const uint block = local_id / SIDE * LOADS % SIDE;  // of the first load
  const uint x = (block % BLOCKS_OF_ROW * BLOCK_WIDTH + place % BLOCK_WIDTH) * STRIDE;
  uint y = block / BLOCKS_OF_ROW * BLOCK_HEIGHT + place / BLOCK_WIDTH;
  VECTOR a = 0u, b = 0u, c = 0u, d = 0u;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = 0; i < p.warm_loops; ++i) TURN
  PERCYCLE_ALL_HERE();  // all subgroups begin together
  const ulong device_begin = percycle_device_clock();
  const ulong unit_begin = percycle_unit_clock();
  barrier(CLK_LOCAL_MEM_FENCE);  // none begins before the clocks are read
  for (uint i = 0; i < p.loops; ++i) TURN
  // The store waits for the last load, and the barrier for the last subgroup.
  out[get_global_id(0)] = FOLD(a ^ b ^ c ^ d);
  PERCYCLE_STAMP_GROUP(stamps, local_id, unit_begin, device_begin);
}
