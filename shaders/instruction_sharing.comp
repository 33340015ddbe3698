// A subgroup, the aggressor, runs straight-line code. Then the victim, the first subgroup of this
// or another unit, is timed: it runs other code, or walks constants (CONSTANT_VICTIM). Twin of
// cl_kernels/instruction_sharing.cl, which explains the turns.

layout(std430, set = 0, binding = 0) readonly buffer Starts { float starts[]; };
layout(std430, set = 0, binding = 1) writeonly buffer Sums { float sums[]; };
layout(std430, set = 0, binding = 2) coherent volatile buffer State { uint state[]; };

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
bool await_steps(uint steps, uint patience) {
  uint done = atomicOr(state[STEPS_DONE], 0u);
  for (uint i = 0; i < patience && done != steps; ++i) done = atomicOr(state[STEPS_DONE], 0u);
  if (done != steps) atomicOr(state[GAVE_UP], 1u);
  return done == steps;
}

shared uint taken_seat;

void main() {
  const uint lane = gl_LocalInvocationID.x;
  const uint subgroup = lane / SUBGROUP_SIZE;
  if (lane == 0) {
    uint free_seat = SEAT_VICTIM;
    if (p.across != 0u) {
      const uint unit = percycle_unit_id();
      free_seat = unit == p.victim_unit ? SEAT_VICTIM : unit == p.aggressor ? SEAT_AGGRESSOR : SEAT_NONE;
      if (free_seat != SEAT_NONE && atomicAdd(state[SEATS + free_seat], 1u) != 0u) free_seat = SEAT_NONE;
    }
    taken_seat = free_seat;
  }
  barrier();
  const uint seat = taken_seat;
  const bool attacks = p.across != 0u ? seat == SEAT_AGGRESSOR && subgroup == 0u : subgroup == p.aggressor;
  const bool suffers = seat == SEAT_VICTIM && subgroup == 0u;
  const bool aggressor_waits = p.across != 0u && seat == SEAT_AGGRESSOR && lane == 0;
  const bool victim_waits = p.across != 0u && seat == SEAT_VICTIM && lane == 0;
  uint patience = p.patience;
  const uint turns = seat == SEAT_NONE ? 0u : p.warm_loops + p.loops;
  const uint id = seat * LOCAL_SIZE + lane;

  // `precise`: two additions may not become one.
  precise float a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0;
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
    if (aggressor_waits && !await_steps(2u * turn, patience)) patience = 0;
    barrier();
    if (attacks) {
      for (uint pass = 0; pass < p.passes; ++pass) {
        AGGRESSOR_TEXT
      }
    }
    barrier();
    if (aggressor_waits) atomicExchange(state[STEPS_DONE], 2u * turn + 1u);
    if (victim_waits && !await_steps(2u * turn + 1u, patience)) patience = 0;
    barrier();
    if (suffers) {
      const uint device_begin = percycle_device_clock().x;
      const uint unit_begin = percycle_unit_clock().x;
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
      const uint unit_end = percycle_unit_clock().x;
      const uint device_end = percycle_device_clock().x;
      if (turn >= p.warm_loops) {
        unit_ticks += unit_end - unit_begin;
        device_ticks += device_end - device_begin;
      }
    }
    barrier();
    if (victim_waits) atomicExchange(state[STEPS_DONE], 2u * turn + 2u);
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
