// Loads of 16 bytes by work-groups that walk a region lap after lap: the bandwidth of the caches
// after the first one, and of memory. Twin of cl_kernels/cache_bandwidth.cl, which explains tiles
// and sums.

#define ACCESS_PLAIN 1
#define ACCESS_COHERENT 2

#if ACCESS == ACCESS_COHERENT
layout(buffer_reference, std430, buffer_reference_align = 16) volatile coherent readonly buffer Rows { uvec4 v[]; };
#else
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Rows { uvec4 v[]; };
#endif
layout(std430, set = 0, binding = 1) writeonly buffer Out { uint result[]; };
layout(std430, set = 0, binding = 2) writeonly buffer Stamps { uvec2 stamps[]; };

#if HAS_INT64
#define OFFSET uint64_t
#define ROWS_AT(at) Rows(at)
#else
#define OFFSET uint  // from the region's begin
#define ROWS_AT(at) Rows(percycle_behind(p.data, at))
#endif
#define ROW(j) row.v[(j) * LANES]
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

void main() {
  const uint local_id = gl_LocalInvocationID.x;
  const uint place = local_id % p.tile_lanes;
  const uint first = place / LANES * (LANES * UNROLL) + place % LANES;
#if HAS_INT64
  const uint64_t begin = packUint2x32(p.data) + (uint64_t(gl_WorkGroupID.x) * p.group_stride + first) * 16u;
#else
  const uint begin = (gl_WorkGroupID.x * p.group_stride + first) * 16u;
#endif
  const OFFSET advance = p.tile_lanes * (UNROLL * 16u);
  uvec4 sum = uvec4(0);
  percycle_all_here();  // all subgroups begin together
  const uvec2 device_begin = percycle_device_clock();
  const uvec2 unit_begin = percycle_unit_clock();
  barrier();  // none begins before the clocks are read
  for (uint lap = 0; lap < p.laps; ++lap) {
    OFFSET at = begin;
    for (uint tile = 0; tile < p.tiles; ++tile) {
      Rows row = ROWS_AT(at);
      uvec4 a = uvec4(0), b = a, c = a, d = a;
      ALL_ROWS
      sum = sum * 5u + (a ^ b ^ c ^ d);
      at += advance;
    }
  }
  // The store waits for the last load, and the barrier for the last subgroup.
  result[gl_GlobalInvocationID.x] = sum.x + 3u * sum.y + 5u * sum.z + 7u * sum.w;
  PERCYCLE_STAMP_GROUP(stamps, local_id, unit_begin, device_begin);
}
