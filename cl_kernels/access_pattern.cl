// Work-groups load the rows of a region again and again: the lanes of a row lie a stride apart, and
// its first lane may be misaligned. Twin of shaders/access_pattern.comp.
//
// A row is one load of LANES lanes. Each row begins at a multiple of 128 B after the previous row,
// plus the misalignment, so no line of 128 B belongs to two rows. A tile is the part that a
// work-group reads in one loop turn: four rows for each row of its lanes. From the L2 all groups
// walk all tiles, and neighbouring groups begin far apart. From memory each group has its own
// slice. All laps have the same sum, so the host computes one lap.

#define UNROLL 4

#if WIDTH == 4
#define VECTOR uint
#define FOLD(v) (v)
#elif WIDTH == 8
#define VECTOR uint2
#define FOLD(v) ((v).x + 3 * (v).y)
#else
#define VECTOR uint4
#define FOLD(v) ((v).x + 3 * (v).y + 5 * (v).z + 7 * (v).w)
#endif

#define ROW(j) row[(j) * p.pitch]

__kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1))) void access_pattern(__global const VECTOR *data,
                                                                                     __global uint *out, __global ulong *stamps,
                                                                                     Parameters p) {
  const uint local_id = (uint)get_local_id(0);
  const ulong first = (ulong)(local_id / LANES * UNROLL) * p.pitch + (local_id % LANES * p.stride + p.shift);
  const ulong tile_vectors = (ulong)p.pitch * (LOCAL_SIZE / LANES * UNROLL);
  const uint first_tile = (uint)get_group_id(0) * p.step % p.tiles;
  VECTOR sum = 0u;
  PERCYCLE_ALL_HERE();  // all subgroups begin together
  const ulong device_begin = percycle_device_clock();
  const ulong unit_begin = percycle_unit_clock();
  barrier(CLK_LOCAL_MEM_FENCE);  // none begins before the clocks are read
  for (uint lap = 0; lap < p.laps; ++lap) {
    uint tile = first_tile;
    for (uint turn = 0; turn < p.turns; ++turn) {
      // Volatile: no cache of a unit serves the loads.
      __global const volatile VECTOR *row = data + (tile * tile_vectors + first);
      const VECTOR a = ROW(0);
      const VECTOR b = ROW(1);
      const VECTOR c = ROW(2);
      const VECTOR d = ROW(3);
      sum += a ^ b ^ c ^ d;
      ++tile;
      if (tile == p.tiles) tile = 0;
    }
  }
  // The store waits for the last load, and the barrier for the last subgroup.
  out[get_global_id(0)] = FOLD(sum);
  PERCYCLE_STAMP_GROUP(stamps, local_id, unit_begin, device_begin);
}
