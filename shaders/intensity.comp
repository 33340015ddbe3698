// FMAS multiply-adds for each loaded word. A work-group reads a tile of UNROLL rows of TILE_LANES
// vectors, again and again unless it comes from LEVEL_DRAM. ROLE_FILL writes the data, which
// src/expected/intensity.hpp defines. Twin of cl_kernels/intensity.cl, which explains the sums.

#define LEVEL_L1 1
#define LEVEL_L2 2
#define LEVEL_DRAM 3

#define ROLE_FILL 1
#define ROLE_TIMED 2

#if ROLE == ROLE_FILL
layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer Rows { vec4 v[]; };
#elif LEVEL == LEVEL_L2
layout(buffer_reference, std430, buffer_reference_align = 16) volatile coherent readonly buffer Rows { vec4 v[]; };
#else
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Rows { vec4 v[]; };
#endif
layout(std430, set = 0, binding = 1) buffer Out { uint result[]; };
layout(std430, set = 0, binding = 2) writeonly buffer Stamps { uvec2 stamps[]; };

#if LEVEL == LEVEL_DRAM && ROLE == ROLE_TIMED
shared uint partial[LOCAL_SIZE];
#endif

#if HAS_INT64
#define OFFSET uint64_t
#define ROWS_AT(at) Rows(packUint2x32(p.data) + (at))
#else
#define OFFSET uint  // from the region's begin
#define ROWS_AT(at) Rows(percycle_behind(p.data, at))
#endif

#define LOAD(j) v[j] = row.v[(j) * TILE_LANES];
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
#define STEPS(j) for (uint round = 0u; round < p.rounds; ++round) { STEPS_512(j) }
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

float element(uint index) {
  const uint chunk = index / (4 * UNROLL * TILE_LANES);
  return float((lowbias32((index & p.period_mask) ^ p.salt) & p.addend_mask) + (lowbias32(chunk ^ ~p.salt) & p.addend_mask));
}

void main() {
  const uint local_id = gl_LocalInvocationID.x;
  const uint place = local_id % TILE_LANES;
#if ROLE == ROLE_FILL
  Rows rows = ROWS_AT(OFFSET(gl_WorkGroupID.x) * (UNROLL * TILE_LANES * 16u));
  for (uint j = 0; j < UNROLL; ++j) {
    const uint of_tile = j * TILE_LANES + place;
    const uint word = 4u * (gl_WorkGroupID.x * (UNROLL * TILE_LANES) + of_tile);
    rows.v[of_tile] = vec4(element(word), element(word + 1u), element(word + 2u), element(word + 3u));
  }
#else
  if (p.loops == 0) return;
  const vec4 factor = vec4(uintBitsToFloat(p.factor));
  uint chunk = gl_WorkGroupID.x;
  while (chunk >= p.chunks) chunk -= p.chunks;
  OFFSET at = (OFFSET(chunk) * (UNROLL * TILE_LANES) + place) * 16u;
  vec4 v[UNROLL];
#if LEVEL == LEVEL_DRAM
  Rows row = ROWS_AT(at);
  vec4 sum = vec4(0);
  EACH(LOAD)
  EACH(STEPS)
  // One atomic addition per group, in two short steps: one per invocation would be extra traffic.
  partial[local_id] = uint(sum.x) + 3u * uint(sum.y) + 5u * uint(sum.z) + 7u * uint(sum.w);
  barrier();
  uint part = 0u;
  if (local_id < 16u) {
    for (uint i = 0u; i < LOCAL_SIZE / 16; ++i) part += partial[local_id + 16u * i];
    partial[local_id] = part;
  }
  barrier();
  if (local_id == 0u) {
    uint whole = 0u;
    for (uint i = 0u; i < 16u; ++i) whole += partial[i];
    atomicAdd(result[chunk], whole);
  }
#else
  uvec4 end = uvec4(0);
  percycle_all_here();  // all subgroups begin together
  const uvec2 device_begin = percycle_device_clock();
  const uvec2 unit_begin = percycle_unit_clock();
  barrier();  // none begins before the clocks are read
  for (uint i = 0u; i < p.loops; ++i) {
    Rows row = ROWS_AT(at);
    vec4 sum = vec4(0);
    EACH(LOAD)
    EACH(STEPS)
    end = end * 5u + floatBitsToUint(sum);
    at += p.advance * 16u;
  }
  // The store waits for the last load, and the barrier for the last subgroup.
  result[gl_GlobalInvocationID.x] = end.x + 3u * end.y + 5u * end.z + 7u * end.w;
  PERCYCLE_STAMP_GROUP(stamps, local_id, unit_begin, device_begin);
#endif
#endif
}
