// Stores, or copies, of a work-group to rows of its own lap after lap: the store rate of a unit and
// of the shared caches (docs/experiments/bandwidth.md). Twin of cl_kernels/stores.cl, which
// explains tiles and words.

#define PATH_GLOBAL 1
#define PATH_LOCAL 2
#define OPERATION_WRITE 1
#define OPERATION_COPY 2
#define ACCESS_PLAIN 1
#define ACCESS_COHERENT 2

#if WIDTH == 4
#define VECTOR uint
#define SPREAD(h) (h)
#define FIRST(v) (v)
#elif WIDTH == 8
#define VECTOR uvec2
#define SPREAD(h) ((h) * uvec2(1, 3))
#define FIRST(v) (v).x
#else
#define VECTOR uvec4
#define SPREAD(h) ((h) * uvec4(1, 3, 5, 7))
#define FIRST(v) (v).x
#endif

#if ACCESS == ACCESS_COHERENT
layout(buffer_reference, std430, buffer_reference_align = WIDTH) volatile coherent readonly buffer Source { VECTOR v[]; };
#else
layout(buffer_reference, std430, buffer_reference_align = WIDTH) readonly buffer Source { VECTOR v[]; };
#endif
layout(buffer_reference, std430, buffer_reference_align = WIDTH) writeonly buffer Target { VECTOR v[]; };
layout(std430, set = 0, binding = 2) writeonly buffer Out { uint result[]; };
layout(std430, set = 0, binding = 3) writeonly buffer Stamps { uvec2 stamps[]; };

#if PATH == PATH_LOCAL
// A copy reads the first half and writes the second one.
shared VECTOR memory[OPERATION * ELEMENTS];
#define TURN_BASE const uint from = first + at, to = from + (OPERATION - 1) * ELEMENTS;
#define TO(j) memory[to + (j) * LANES]
#define FROM(j) memory[from + (j) * LANES]
#else
#if HAS_INT64
#define TARGET_AT Target(to_begin + uint64_t(at) * WIDTH)
#define SOURCE_AT Source(from_begin + uint64_t(at) * WIDTH)
#else
#define TARGET_AT Target(percycle_behind(p.target, to_begin + at * WIDTH))
#define SOURCE_AT Source(percycle_behind(p.source, from_begin + at * WIDTH))
#endif
#if OPERATION == OPERATION_COPY
#define TURN_BASE Target to = TARGET_AT; Source from = SOURCE_AT;
#else
#define TURN_BASE Target to = TARGET_AT;
#endif
#define TO(j) to.v[(j) * LANES]
#define FROM(j) from.v[(j) * LANES]
#endif

#if OPERATION == OPERATION_COPY
#define ROW(j) TO(j) = FROM(j);
#else
#define ROW(j) TO(j) = v;
#endif
#define ROWS_4(j) ROW(j) ROW(j + 1) ROW(j + 2) ROW(j + 3)
#define ROWS_8(j) ROWS_4(j) ROWS_4(j + 4)
#define ROWS_16(j) ROWS_8(j) ROWS_8(j + 8)
#if UNROLL == 4
#define ALL_ROWS ROWS_4(0)
#elif UNROLL == 8
#define ALL_ROWS ROWS_8(0)
#elif UNROLL == 16
#define ALL_ROWS ROWS_16(0)
#else
#define ALL_ROWS ROWS_16(0) ROWS_16(16)
#endif

void main() {
  const uint local_id = gl_LocalInvocationID.x;
  const uint group = gl_WorkGroupID.x;
  const uint place = local_id % p.tile_lanes;
  const uint first = place / LANES * (LANES * UNROLL) + place % LANES;
  const uint advance = p.tile_lanes * UNROLL;
#if PATH == PATH_LOCAL
  Source data = Source(p.source);
  for (uint i = local_id; i < OPERATION * ELEMENTS; i += LOCAL_SIZE) memory[i] = VECTOR(0);
  for (uint i = local_id; i < (OPERATION - 1) * ELEMENTS; i += LOCAL_SIZE) memory[i] = data.v[i];
#elif HAS_INT64
  const uint64_t to_begin = packUint2x32(p.target) + (uint64_t(group) * p.target_stride + first) * WIDTH;
  const uint64_t from_begin = packUint2x32(p.source) + (uint64_t(group) * p.source_stride + first) * WIDTH;
#else
  const uint to_begin = (group * p.target_stride + first) * WIDTH;
  const uint from_begin = (group * p.source_stride + first) * WIDTH;
#endif
  VECTOR v = SPREAD(lowbias32((group * p.tile_lanes + place) ^ p.salt));
  const uint wrap = advance * p.tiles;
  const uint turns = p.laps * p.tiles;
  uint at = 0u;
  percycle_all_here();  // all subgroups begin together
  const uvec2 device_begin = percycle_device_clock();
  const uvec2 unit_begin = percycle_unit_clock();
  barrier();  // none begins before the clocks are read
  for (uint turn = 0u; turn < turns; ++turn) {
    TURN_BASE
    ALL_ROWS
    v += 0x9e3779b9u;
    at += advance;
    at = at == wrap ? 0u : at;
  }
  result[gl_GlobalInvocationID.x] = FIRST(v);
  PERCYCLE_STAMP_GROUP(stamps, local_id, unit_begin, device_begin);
#if PATH == PATH_LOCAL
  Target written = Target(p.target);
  for (uint i = local_id; i < ELEMENTS; i += LOCAL_SIZE) written.v[group * ELEMENTS + i] = memory[(OPERATION - 1) * ELEMENTS + i];
#endif
}
