// Stores, or copies, of a work-group to rows of its own lap after lap: the store rate of a unit and
// of the shared caches (docs/experiments/bandwidth.md). Twin of shaders/stores.comp.
//
// A tile is the part that a work-group writes in one turn of the loop: each row of LANES lanes
// writes UNROLL consecutive rows of it at offsets that the compiler knows, and the base moves on
// once per turn. A write stores a vector that changes with the turn, so that a skipped or repeated
// turn shows. A copy moves the words of the source. PATH_LOCAL writes local memory and leaves its
// contents in `target` after the clocks are read.

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
#define VECTOR uint2
#define SPREAD(h) ((h) * (uint2)(1, 3))
#define FIRST(v) (v).x
#else
#define VECTOR uint4
#define SPREAD(h) ((h) * (uint4)(1, 3, 5, 7))
#define FIRST(v) (v).x
#endif

#if ACCESS == ACCESS_COHERENT
#define SOURCE __global const volatile VECTOR
#elif PATH == PATH_LOCAL
#define SOURCE __local const VECTOR
#else
#define SOURCE __global const VECTOR
#endif
#if PATH == PATH_LOCAL
#define TARGET __local VECTOR
#else
#define TARGET __global VECTOR
#endif

#if OPERATION == OPERATION_COPY
#define ROW(j) to[(j) * LANES] = from[(j) * LANES];
#else
#define ROW(j) to[(j) * LANES] = v;
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

__kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1))) void stores(__global const VECTOR *source, __global VECTOR *target,
                                                                             __global uint *out, __global ulong *stamps,
                                                                             Parameters p) {
  const uint local_id = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  const uint place = local_id % p.tile_lanes;
  const uint first = place / LANES * (LANES * UNROLL) + place % LANES;
  const uint advance = p.tile_lanes * UNROLL;
#if PATH == PATH_LOCAL
  // A copy reads the first half and writes the second one.
  __local VECTOR memory[OPERATION * ELEMENTS];
  for (uint i = local_id; i < OPERATION * ELEMENTS; i += LOCAL_SIZE) memory[i] = (VECTOR)(0);
  for (uint i = local_id; i < (OPERATION - 1) * ELEMENTS; i += LOCAL_SIZE) memory[i] = source[i];
  TARGET *const to_begin = memory + (OPERATION - 1) * ELEMENTS + first;
  SOURCE *const from_begin = memory + first;
#else
  TARGET *const to_begin = target + ((ulong)group * p.target_stride + first);
  SOURCE *const from_begin = source + ((ulong)group * p.source_stride + first);
#endif
  VECTOR v = SPREAD(lowbias32((group * p.tile_lanes + place) ^ p.salt));
  const uint wrap = advance * p.tiles;
  const uint turns = p.laps * p.tiles;
  uint at = 0;
  PERCYCLE_ALL_HERE();  // all subgroups begin together
  const ulong device_begin = percycle_device_clock();
  const ulong unit_begin = percycle_unit_clock();
  barrier(CLK_LOCAL_MEM_FENCE);  // none begins before the clocks are read
#pragma unroll 1
  for (uint turn = 0; turn < turns; ++turn) {
    TARGET *to = to_begin + at;
#if OPERATION == OPERATION_COPY
    SOURCE *from = from_begin + at;
#endif
    ALL_ROWS
    v += 0x9e3779b9u;
    at += advance;
    at = at == wrap ? 0u : at;
  }
  out[get_global_id(0)] = FIRST(v);
  PERCYCLE_STAMP_GROUP(stamps, local_id, unit_begin, device_begin);
#if PATH == PATH_LOCAL
  for (uint i = local_id; i < ELEMENTS; i += LOCAL_SIZE)
    target[group * ELEMENTS + i] = memory[(OPERATION - 1) * ELEMENTS + i];
#endif
}
