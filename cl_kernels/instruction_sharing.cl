// A subgroup, the aggressor, runs straight-line code. Then the victim, the first subgroup of this
// or another unit, is timed: it runs other code, or walks constants (CONSTANT_VICTIM). Twin of
// shaders/instruction_sharing.comp.
//
// A work-group has up to 8 subgroups; all but victim and aggressor only wait at the barriers. For
// an aggressor on another unit, the first work-group on each of the two units takes part, and the
// others end at once. The two units then take turns by a counter in memory, which each reads a
// bounded number of times. A unit that gives up no longer waits in later turns, and the host
// discards the result. The victim's and the aggressor's programs add different constants.

#define SEAT_VICTIM 0u
#define SEAT_AGGRESSOR 1u
#define SEAT_NONE 2u

// Words of `state`: the clocks, which sum up the victim's times; the steps of the turns that are
// done; whether a unit gave up; whether each seat is taken; the first link; the lanes' last links.
#define UNIT_TICKS 2
#define DEVICE_TICKS 6
#define STEPS_DONE 8
#define GAVE_UP 9
#define SEATS 10
#define FIRST_LINK 12
#define LAST_LINKS 16

#define LOAD at = constants[at].x;
#define LOADS_8 LOAD LOAD LOAD LOAD LOAD LOAD LOAD LOAD

// Whether the other unit has done so many steps; it looks a bounded number of times.
bool await_steps(__global volatile uint *state, uint steps, uint patience) {
  uint done = atomic_or(&state[STEPS_DONE], 0u);
  for (uint i = 0; i < patience && done != steps; ++i) done = atomic_or(&state[STEPS_DONE], 0u);
  if (done != steps) atomic_or(&state[GAVE_UP], 1u);
  return done == steps;
}

__kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1))) void instruction_sharing(__global const float *starts,
                                                                                          __global float *sums,
                                                                                          __global volatile uint *state,
                                                                                          Parameters p) {
  __local uint taken_seat;
  const uint lane = (uint)get_local_id(0);
  const uint subgroup = lane / SUBGROUP_SIZE;
  if (lane == 0) {
    uint free_seat = SEAT_VICTIM;
    if (p.across != 0u) {
      const uint unit = percycle_unit_id();
      free_seat = unit == p.victim_unit ? SEAT_VICTIM : unit == p.aggressor ? SEAT_AGGRESSOR : SEAT_NONE;
      if (free_seat != SEAT_NONE && atomic_add(&state[SEATS + free_seat], 1u) != 0u) free_seat = SEAT_NONE;
    }
    taken_seat = free_seat;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint seat = taken_seat;
  const bool attacks = p.across != 0u ? seat == SEAT_AGGRESSOR && subgroup == 0u : subgroup == p.aggressor;
  const bool suffers = seat == SEAT_VICTIM && subgroup == 0u;
  const bool aggressor_waits = p.across != 0u && seat == SEAT_AGGRESSOR && lane == 0;
  const bool victim_waits = p.across != 0u && seat == SEAT_VICTIM && lane == 0;
  uint patience = p.patience;
  const uint turns = seat == SEAT_NONE ? 0u : p.warm_loops + p.loops;
  const uint id = seat * LOCAL_SIZE + lane;

  float a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0;
  if (seat != SEAT_NONE) {
    a = starts[8 * id];
    b = starts[8 * id + 1];
    c = starts[8 * id + 2];
    d = starts[8 * id + 3];
    e = starts[8 * id + 4];
    f = starts[8 * id + 5];
    g = starts[8 * id + 6];
    h = starts[8 * id + 7];
  }
#ifdef CONSTANT_VICTIM
  uint at = state[FIRST_LINK];
#endif
  uint unit_ticks = 0, device_ticks = 0;
  for (uint turn = 0; turn < turns; ++turn) {
    if (aggressor_waits && !await_steps(state, 2u * turn, patience)) patience = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (attacks) {
      for (uint pass = 0; pass < p.passes; ++pass) {
        AGGRESSOR_TEXT
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (aggressor_waits) atomic_xchg(&state[STEPS_DONE], 2u * turn + 1u);
    if (victim_waits && !await_steps(state, 2u * turn + 1u, patience)) patience = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (suffers) {
      const uint device_begin = (uint)percycle_device_clock();
      const uint unit_begin = (uint)percycle_unit_clock();
#ifdef CONSTANT_VICTIM
      for (uint i = 0; i < p.load_rows; ++i) {
        LOADS_8
      }
      state[LAST_LINKS + lane] = at;  // waits for the last load
#else
      for (uint pass = 0; pass < p.passes; ++pass) {
        VICTIM_TEXT
      }
#endif
      const uint unit_end = (uint)percycle_unit_clock();
      const uint device_end = (uint)percycle_device_clock();
      if (turn >= p.warm_loops) {
        unit_ticks += unit_end - unit_begin;
        device_ticks += device_end - device_begin;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (victim_waits) atomic_xchg(&state[STEPS_DONE], 2u * turn + 2u);
  }
  if (seat != SEAT_NONE) {
    sums[8 * id] = a;
    sums[8 * id + 1] = b;
    sums[8 * id + 2] = c;
    sums[8 * id + 3] = d;
    sums[8 * id + 4] = e;
    sums[8 * id + 5] = f;
    sums[8 * id + 6] = g;
    sums[8 * id + 7] = h;
  }
  if (seat == SEAT_VICTIM && lane == 0) {
    state[UNIT_TICKS] = unit_ticks;
    state[DEVICE_TICKS] = device_ticks;
  }
}
