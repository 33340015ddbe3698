// Loads of 16 bytes by work-groups that walk a region lap after lap: the bandwidth of the caches
// after the first one, and of memory. Twin of shaders/cache_bandwidth.comp.
//
// A tile is the part that a work-group reads in one loop turn: each row of LANES lanes reads UNROLL
// consecutive rows of it at offsets that the compiler knows, and the base moves on once per turn.
// All groups walk the same region (`group_stride` 0), or each group walks its own slice.
// ACCESS_COHERENT loads must see other units' concurrent writes, so no unit's own cache may answer
// them. Four independent accumulators combine the loads of a turn by XOR. From turn to turn the sum
// is multiplied by 5, so that a skipped or repeated turn or lap changes it.

#define ACCESS_PLAIN 1
#define ACCESS_COHERENT 2

#if ACCESS == ACCESS_COHERENT
#define ROWS __global const volatile uint4
#else
#define ROWS __global const uint4
#endif

#define ROW(j) row[(j) * LANES]
#define ROWS_4(j)  \
  a ^= ROW(j);     \
  b ^= ROW(j + 1); \
  c ^= ROW(j + 2); \
  d ^= ROW(j + 3);
#if UNROLL == 4
#define ALL_ROWS ROWS_4(0)
#else
#define ALL_ROWS ROWS_4(0) ROWS_4(4)
#endif

__kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1))) void cache_bandwidth(__global const uint4 *data,
                                                                                      __global uint *out,
                                                                                      __global ulong *stamps, Parameters p) {
  const uint local_id = (uint)get_local_id(0);
  const uint place = local_id % p.tile_lanes;
  const uint first = place / LANES * (LANES * UNROLL) + place % LANES;
  ROWS *begin = data + ((ulong)get_group_id(0) * p.group_stride + first);
  const uint advance = p.tile_lanes * UNROLL;
  uint4 sum = 0u;
  PERCYCLE_ALL_HERE();  // all subgroups begin together
  const ulong device_begin = percycle_device_clock();
  const ulong unit_begin = percycle_unit_clock();
  barrier(CLK_LOCAL_MEM_FENCE);  // none begins before the clocks are read
  for (uint lap = 0; lap < p.laps; ++lap) {
    ROWS *row = begin;
    for (uint tile = 0; tile < p.tiles; ++tile) {
      uint4 a = 0u, b = 0u, c = 0u, d = 0u;
      ALL_ROWS
      sum = sum * 5u + (a ^ b ^ c ^ d);
      row += advance;
    }
  }
  // The store waits for the last load, and the barrier for the last subgroup.
  out[get_global_id(0)] = sum.x + 3 * sum.y + 5 * sum.z + 7 * sum.w;
  PERCYCLE_STAMP_GROUP(stamps, local_id, unit_begin, device_begin);
}
