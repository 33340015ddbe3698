// Work-groups load the rows of a region again and again: the lanes of a row lie a stride apart, and
// its first lane may be misaligned. Twin of cl_kernels/access_pattern.cl, which explains rows and
// tiles.

#define UNROLL 4

#if WIDTH == 4
#define VECTOR uint
#define FOLD(v) (v)
#elif WIDTH == 8
#define VECTOR uvec2
#define FOLD(v) ((v).x + 3u * (v).y)
#else
#define VECTOR uvec4
#define FOLD(v) ((v).x + 3u * (v).y + 5u * (v).z + 7u * (v).w)
#endif

// Volatile and coherent: no cache of a unit serves the loads.
layout(buffer_reference, std430, buffer_reference_align = WIDTH) volatile coherent readonly buffer Rows { VECTOR v[]; };
layout(std430, set = 0, binding = 1) writeonly buffer Out { uint result[]; };
layout(std430, set = 0, binding = 2) writeonly buffer Stamps { uvec2 stamps[]; };

#if HAS_INT64
#define OFFSET uint64_t
#define ROWS_BEHIND(offset) Rows(packUint2x32(p.data) + (offset))
#else
#define OFFSET uint
#define ROWS_BEHIND(offset) Rows(percycle_behind(p.data, offset))
#endif
#define ROW(j) row.v[(j) * p.pitch]

void main() {
  const uint local_id = gl_LocalInvocationID.x;
  const OFFSET first = (OFFSET(local_id / LANES * UNROLL) * p.pitch + (local_id % LANES * p.stride + p.shift)) * WIDTH;
  const OFFSET tile_bytes = OFFSET(p.pitch) * (LOCAL_SIZE / LANES * UNROLL * WIDTH);
  const uint first_tile = gl_WorkGroupID.x * p.step % p.tiles;
  VECTOR sum = VECTOR(0);
  percycle_all_here();  // all subgroups begin together
  const uvec2 device_begin = percycle_device_clock();
  const uvec2 unit_begin = percycle_unit_clock();
  barrier();  // none begins before the clocks are read
  for (uint lap = 0u; lap < p.laps; ++lap) {
    uint tile = first_tile;
    for (uint turn = 0u; turn < p.turns; ++turn) {
      Rows row = ROWS_BEHIND(tile * tile_bytes + first);
      const VECTOR a = ROW(0u);
      const VECTOR b = ROW(1u);
      const VECTOR c = ROW(2u);
      const VECTOR d = ROW(3u);
      sum += a ^ b ^ c ^ d;
      ++tile;
      if (tile == p.tiles) tile = 0u;
    }
  }
  // The store waits for the last load, and the barrier for the last subgroup.
  result[gl_GlobalInvocationID.x] = FOLD(sum);
  PERCYCLE_STAMP_GROUP(stamps, local_id, unit_begin, device_begin);
}
