// FMAS multiply-adds for each loaded word. A work-group reads a tile of UNROLL rows of TILE_LANES
// vectors, again and again unless it comes from LEVEL_DRAM. ROLE_FILL writes the data, which
// src/expected/intensity.hpp defines. Twin of shaders/intensity.comp.
//
// Four sums per lane begin each turn at 0, one for each word of a vector. LEVEL_DRAM folds them as
// whole numbers and adds the result of a group to the word of its tile. The data have two addends,
// one with a period of 4 MiB and one per tile. The host therefore knows the sum of every tile
// without 10^9 steps, and notices if a tile was read twice instead of another.

#define LEVEL_L1 1
#define LEVEL_L2 2
#define LEVEL_DRAM 3

#define ROLE_FILL 1
#define ROLE_TIMED 2

#if LEVEL == LEVEL_L2
#define ROWS __global const volatile float4
#else
#define ROWS __global const float4
#endif

#define LOAD(j) v[j] = row[(j) * TILE_LANES];
// Products of the same word would be equal, and a compiler would keep one of them.
#define STEPS_1(j) sum = fma(sum, factor, v[j]);
#define STEPS_2(j) STEPS_1(j) STEPS_1(j)
#define STEPS_4(j) STEPS_2(j) STEPS_2(j)
#define STEPS_8(j) STEPS_4(j) STEPS_4(j)
#define STEPS_16(j) STEPS_8(j) STEPS_8(j)
#define STEPS_32(j) STEPS_16(j) STEPS_16(j)
#define STEPS_64(j) STEPS_32(j) STEPS_32(j)
#define STEPS_128(j) STEPS_64(j) STEPS_64(j)
#define STEPS_256(j) STEPS_128(j) STEPS_128(j)
#define STEPS_512(j) STEPS_256(j) STEPS_256(j)
#if FMAS == 1
#define STEPS(j) STEPS_1(j)
#elif FMAS == 2
#define STEPS(j) STEPS_2(j)
#elif FMAS == 4
#define STEPS(j) STEPS_4(j)
#elif FMAS == 8
#define STEPS(j) STEPS_8(j)
#elif FMAS == 16
#define STEPS(j) STEPS_16(j)
#elif FMAS == 32
#define STEPS(j) STEPS_32(j)
#elif FMAS == 64
#define STEPS(j) STEPS_64(j)
#elif FMAS == 128
#define STEPS(j) STEPS_128(j)
#elif FMAS == 256
#define STEPS(j) STEPS_256(j)
#elif FMAS == 512
#define STEPS(j) STEPS_512(j)
#else
// p.rounds is FMAS / 512: a number that the compiler knows would unroll the loop.
#define STEPS(j) for (uint round = 0; round < p.rounds; ++round) { STEPS_512(j) }
#endif

#if UNROLL == 1
#define EACH(DO) DO(0)
#elif UNROLL == 2
#define EACH(DO) DO(0) DO(1)
#elif UNROLL == 4
#define EACH(DO) DO(0) DO(1) DO(2) DO(3)
#else
#define EACH(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)
#endif

float element(uint index, Parameters p) {
  const uint chunk = index / (4 * UNROLL * TILE_LANES);
  return (float)((lowbias32((index & p.period_mask) ^ p.salt) & p.addend_mask) + (lowbias32(chunk ^ ~p.salt) & p.addend_mask));
}

__kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1))) void intensity(__global float4 *data, __global uint *out,
                                                                                __global ulong *stamps, Parameters p) {
  const uint local_id = (uint)get_local_id(0);
  const uint place = local_id % TILE_LANES;
#if ROLE == ROLE_FILL
  for (uint j = 0; j < UNROLL; ++j) {
    const uint at = ((uint)get_group_id(0) * UNROLL + j) * TILE_LANES + place;
    data[at] = (float4)(element(4 * at, p), element(4 * at + 1, p), element(4 * at + 2, p), element(4 * at + 3, p));
  }
#else
  if (p.loops == 0) return;
  const float4 factor = (float4)(as_float(p.factor));
  uint chunk = (uint)get_group_id(0);
  while (chunk >= p.chunks) chunk -= p.chunks;
  ROWS *row = data + ((ulong)chunk * (UNROLL * TILE_LANES) + place);
  float4 v[UNROLL];
#if LEVEL == LEVEL_DRAM
  float4 sum = 0.0f;
  EACH(LOAD)
  EACH(STEPS)
  // One atomic addition per group, in two short steps: one per invocation would be extra traffic.
  __local uint partial[LOCAL_SIZE];
  partial[local_id] = (uint)sum.x + 3 * (uint)sum.y + 5 * (uint)sum.z + 7 * (uint)sum.w;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint part = 0;
  if (local_id < 16) {
    for (uint i = 0; i < LOCAL_SIZE / 16; ++i) part += partial[local_id + 16 * i];
    partial[local_id] = part;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (local_id == 0) {
    uint whole = 0;
    for (uint i = 0; i < 16; ++i) whole += partial[i];
    atomic_add(out + chunk, whole);
  }
#else
  uint4 end = 0u;
  PERCYCLE_ALL_HERE();  // all subgroups begin together
  const ulong device_begin = percycle_device_clock();
  const ulong unit_begin = percycle_unit_clock();
  barrier(CLK_LOCAL_MEM_FENCE);  // none begins before the clocks are read
  for (uint i = 0; i < p.loops; ++i) {
    float4 sum = 0.0f;
    EACH(LOAD)
    EACH(STEPS)
    end = end * 5u + as_uint4(sum);
    row += p.advance;
  }
  // The store waits for the last load, and the barrier for the last subgroup.
  out[get_global_id(0)] = end.x + 3 * end.y + 5 * end.z + 7 * end.w;
  PERCYCLE_STAMP_GROUP(stamps, local_id, unit_begin, device_begin);
#endif
#endif
}
