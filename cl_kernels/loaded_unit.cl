// Latency under load within a unit: one lane of the only work-group follows a chain in local memory
// or in the first cache, as in `latency`, while the group's other subgroups (loaders) read the same
// level. Twin of shaders/loaded_unit.comp.
//
// Notes, waits and bounds are those of `loaded_latency`: the walk begins when every row of LANES
// loaders has had a turn, loaders go on until it has ended, and the lane that walks notes the turns
// of all rows right before the walk and right after it. No barrier can keep them together
// meanwhile. The lanes that may walk fill the largest subgroup, so that no loader shares it.
//
// All loaders read the same tiles of UNROLL rows of ROW_LANES vectors, two in a turn. The compiler
// knows neither their number nor the pause.

#define PATH_GLOBAL 1
#define PATH_LOCAL 2

#if PATH == PATH_LOCAL
#define LINK uint
#define STEP at = links[at];
#define SOURCE __local const uint4 *
#define VECTORS rows
#define OFFSET_OF(link) ((ulong)(link) * 4)
#else
#define LINK ulong
#define STEP at = *(__global const ulong *)at;
#define SOURCE __global const uint4 *
#define VECTORS data
#define OFFSET_OF(link) ((link) - (ulong)chain)
#endif
#define STEPS_8 STEP STEP STEP STEP STEP STEP STEP STEP
#define STEPS_31 STEPS_8 STEPS_8 STEPS_8 STEP STEP STEP STEP STEP STEP STEP
// No chain holds this link; the comparison makes later code wait for the last load.
#define IMPOSSIBLE ((LINK)-1)

// Dependent arithmetic that passes the time of a pause or between two looks.
#define ADD_1 idle = idle * p.multiply + p.add;
#define ADD_4 ADD_1 ADD_1 ADD_1 ADD_1
#define ADD_32 ADD_4 ADD_4 ADD_4 ADD_4 ADD_4 ADD_4 ADD_4 ADD_4

// Words of `out` behind the clocks.
#define END 4
#define MISSED 5   // whether a row of loaders did not begin in time
#define GAVE_UP 6  // whether a loader ended before the walk
#define MOVED 7    // turns of all rows during the walk

// `marks`, SPAN words apart: the state of the walk, which loaders poll, and the turns of each row.
#define ENDED 1
#define ROWS ((LOCAL_SIZE - WALKERS) / LANES)
#define STATE marks[0]
#define TURNS(row) marks[((row) + 1) * SPAN]

#define READ(j) v ^= from[(j) * ROW_LANES];
#define EACH(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)
#define TILE                                              \
  {                                                       \
    SOURCE from = VECTORS + tile * UNROLL * ROW_LANES + first; \
    uint4 v = 0u;                                         \
    EACH(READ)                                            \
    sum = sum * 5u + v;                                   \
    tile = tile + 1 == p.tiles ? 0 : tile + 1;            \
  }

__kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1))) void loaded_unit(__global const uint *chain,
                                                                                  __global const uint4 *data,
                                                                                  __global ulong *link,
                                                                                  __global volatile ulong *out,
                                                                                  __global volatile uint *marks,
                                                                                  __global uint *sums, Parameters p) {
  const uint lane = (uint)get_local_id(0);
#if PATH == PATH_LOCAL
  __local uint links[LINK_WORDS];
  __local uint4 rows[VECTOR_COUNT];
  for (uint n = lane; n < p.nodes; n += LOCAL_SIZE) links[n * p.stride_words] = chain[n * p.stride_words];
  for (uint i = lane; i < VECTOR_COUNT; i += LOCAL_SIZE) rows[i] = data[i];
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lane < WALKERS) {
    if (lane >= p.lanes) return;
    uint row = 0;
    uint idle = 0;
    for (uint i = 0; i < p.patience && row < ROWS; ++i) {
      if (TURNS(row) != 0) {
        ++row;
      } else {
        ADD_32
      }
    }
    const bool starts = row == ROWS;
    LINK at = (LINK)link[lane];
    ulong unit_begin = 0, unit_end = 0, device_begin = 0, device_end = 0;
    uint moved = 0;
    if (starts) {
      for (uint i = 0; i < p.warm_loops; ++i) {
        STEPS_31
      }
      if (at == IMPOSSIBLE) link[lane] = at;
      for (uint i = 0; i < ROWS; ++i) moved -= TURNS(i);
      device_begin = percycle_device_clock();
      unit_begin = percycle_unit_clock();
      for (uint i = 0; i < p.loops; ++i) {
        STEPS_31
      }
      if (at == IMPOSSIBLE) link[lane] = at;
      unit_end = percycle_unit_clock();
      device_end = percycle_device_clock();
      for (uint i = 0; i < ROWS; ++i) moved += TURNS(i);
    }
    STATE = ENDED;
    link[lane] = at;
    out[0] = unit_begin;
    out[1] = unit_end;
    out[2] = device_begin;
    out[3] = device_end;
    out[END] = OFFSET_OF(at);
    out[MISSED] = starts ? 0 : 1 + idle % 2;
    out[MOVED] = moved;
  } else {
    const uint loader = lane - WALKERS;
    const uint first = loader % ROW_LANES;
    uint4 sum = 0u;
    uint idle = 0;
    uint tile = 0;
    uint state = 0;
    uint turn = 0;
    for (; turn < p.most_turns && state != ENDED; ++turn) {
      state = STATE;
      TILE
      TILE
      if (loader % LANES == 0) TURNS(loader / LANES) = turn + 1;
      for (uint i = 0; i < p.pause; ++i) {
        ADD_4
      }
    }
    if (state != ENDED) out[GAVE_UP] = 1;
    sums[2 * loader] = sum.x + 3 * sum.y + 5 * sum.z + 7 * sum.w + idle;
    sums[2 * loader + 1] = turn;
  }
}
