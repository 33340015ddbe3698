// Latency under load: one lane of work-group 0 follows a chain, as in `latency`, while each other
// work-group (a mover) reads, writes or copies its own slice of `data`. Twin of
// shaders/loaded_latency.comp.
//
// The walk begins when every row of LANES lanes of every mover has moved its first tile, and movers
// go on until the walk has ended. Work-group 0 notes the turns of all rows right before the walk
// and right after it, so bytes and time belong to the same interval. Every wait is bounded: after
// `patience` looks a mover without a walker gives up, and so does a walker that misses a mover. A
// mover also ends after `most_turns`. All of them say so in `out`.
//
// A tile is the part that a mover moves in one turn. Loads must see other units' writes, so no
// unit's own cache may answer them. The sum of a lane is multiplied by 5 from turn to turn, so that
// a skipped turn changes it. Written words depend on the turn.

#define OP_READ 1
#define OP_WRITE 2
#define OP_COPY 3

#define STEP at = *(__global const ulong *)at;
#define STEPS_8 STEP STEP STEP STEP STEP STEP STEP STEP
#define STEPS_31 STEPS_8 STEPS_8 STEPS_8 STEP STEP STEP STEP STEP STEP STEP
// No chain holds this link; the comparison makes later code wait for the last load.
#define IMPOSSIBLE ((ulong)-1)

// Dependent arithmetic that passes the time of a pause or between two looks.
#define ADD_1 idle = idle * p.multiply + p.add;
#define ADD_8 ADD_1 ADD_1 ADD_1 ADD_1 ADD_1 ADD_1 ADD_1 ADD_1
#define ADD_32 ADD_8 ADD_8 ADD_8 ADD_8
#define ADD_256 ADD_32 ADD_32 ADD_32 ADD_32 ADD_32 ADD_32 ADD_32 ADD_32

// Words of `out` behind the clocks.
#define END 4
#define MISSED 5   // rows of movers that did not begin in time
#define GAVE_UP 6  // whether a mover gave up
#define MOVED 7    // turns of all rows during the walk

// `marks`, each part with SPAN words per mover: the state of the walk, which movers poll; the turns
// of each row; the notes of work-group 0.
#define ABSENT 0
#define PRESENT 1
#define ENDED 2
#define ROWS (LOCAL_SIZE / LANES)
#define FLAG(mover) marks[(mover)*SPAN]
#define TURNS(row) marks[(p.movers + (row) / ROWS) * SPAN + (row) % ROWS]
#define NOTE(row) marks[(2 * p.movers + (row) / ROWS) * SPAN + (row) % ROWS]
#define ALL_HERE() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)

#define VECTOR(seed) ((uint4)(1, 3, 5, 7) * (seed))
#define TILE (LOCAL_SIZE * UNROLL)
#define LOAD(j) from[tile * TILE + (j) * LOCAL_SIZE]
#define PLACE(j) to[tile * TILE + (j) * LOCAL_SIZE]
#define READ(j) v ^= LOAD(j);
#define WRITE(j) PLACE(j) = VECTOR(seed + (turn * UNROLL + (j)) * p.multiply);
#define COPY(j) PLACE(j) = LOAD(j);
#define EACH(DO) DO(0) DO(1) DO(2) DO(3)

__kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1))) void loaded_latency(__global const ulong *chain,
                                                                                     __global uint4 *data,
                                                                                     __global ulong *link,
                                                                                     __global volatile ulong *out,
                                                                                     __global volatile uint *marks,
                                                                                     __global uint *sums, Parameters p) {
  __local uint missed;
  const uint lane = (uint)get_local_id(0);
  if (get_group_id(0) == 0) {
    const uint rows = p.movers * ROWS;
    for (uint mover = lane; mover < p.movers; mover += LOCAL_SIZE) FLAG(mover) = PRESENT;
    if (lane == 0) missed = 0;
    uint row = lane;
    uint idle = 0;
    for (uint i = 0; i < p.patience && row < rows; ++i) {
      if (TURNS(row) != 0) {
        row += LOCAL_SIZE;
      } else {
        ADD_256
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (row < rows) missed = 1 + idle % 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    const bool starts = missed == 0;
    ulong at = 0;
    ulong unit_begin = 0, unit_end = 0, device_begin = 0, device_end = 0;
    const bool walks = starts && lane < p.lanes;
    if (walks) {
      at = link[lane];
      for (uint i = 0; i < p.warm_loops; ++i) {
        STEPS_31
      }
      if (at == IMPOSSIBLE) link[lane] = at;
    }
    ALL_HERE();
    for (uint i = lane; i < rows; i += LOCAL_SIZE) NOTE(i) = TURNS(i);
    if (walks) {
      device_begin = percycle_device_clock();
      unit_begin = percycle_unit_clock();
      for (uint i = 0; i < p.loops * p.turns; ++i) {
        STEPS_31
      }
      if (at == IMPOSSIBLE) link[lane] = at;
      unit_end = percycle_unit_clock();
      device_end = percycle_device_clock();
    }
    ALL_HERE();
    for (uint i = lane; i < rows; i += LOCAL_SIZE) NOTE(i) = TURNS(i) - NOTE(i);
    for (uint mover = lane; mover < p.movers; mover += LOCAL_SIZE) FLAG(mover) = ENDED;
    ALL_HERE();
    if (lane < p.lanes) {
      ulong moved = 0;
      for (uint i = 0; i < rows; ++i) moved += NOTE(i);
      if (walks) link[lane] = at;
      out[0] = unit_begin;
      out[1] = unit_end;
      out[2] = device_begin;
      out[3] = device_end;
      out[END] = at - (ulong)chain;
      out[MISSED] = missed;
      out[MOVED] = moved;
    }
  } else {
    const uint mover = (uint)get_group_id(0) - 1;
    const uint own_row = mover * ROWS + lane / LANES;
    const ulong first = (ulong)mover * p.tiles * TILE + lane;
    __global const volatile uint4 *from = data + first;
    __global uint4 *to = data + (ulong)p.place * p.movers * p.tiles * TILE + first;
    const uint seed = lowbias32((mover * LOCAL_SIZE + lane) ^ p.salt);
    uint4 sum = 0u;
    uint idle = 0;
    uint tile = 0;
    uint state = FLAG(mover);
    for (uint i = 0; i < p.patience && state == ABSENT; ++i) {
      ADD_256
      state = FLAG(mover);
    }
    if (state == ABSENT) out[GAVE_UP] = 1 + idle % 2;
    if (state == ABSENT) return;
    idle = 0;
    uint turn = 0;
    for (; turn < p.most_turns && state != ENDED; ++turn) {
      state = FLAG(mover);
#if OP == OP_READ
      uint4 v = 0u;
      EACH(READ)
      sum = sum * 5u + v;
#elif OP == OP_WRITE
      EACH(WRITE)
#else
      EACH(COPY)
#endif
      tile = tile + 1 == p.tiles ? 0 : tile + 1;
      if (lane % LANES == 0) TURNS(own_row) = turn + 1;
      for (uint i = 0; i < p.pause; ++i) {
        ADD_32
      }
    }
    if (state != ENDED) out[GAVE_UP] = 1;
    __global uint *own = sums + 2 * (mover * LOCAL_SIZE + lane);
    own[0] = sum.x + 3 * sum.y + 5 * sum.z + 7 * sum.w + idle;
    own[1] = turn;
  }
}
