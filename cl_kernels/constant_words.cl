// Lanes of a subgroup follow the same chain in constant memory, 31 dependent loads per loop turn,
// from different places: each load of the subgroup requests several distinct words. Twin of
// shaders/constant_words.comp.
//
// The start places are as far apart as the number of words allows. All lanes take one step at a
// time, so they never meet.

#define STEP at = constants[at].x;
#define STEPS_8 STEP STEP STEP STEP STEP STEP STEP STEP
#define STEPS_31 STEPS_8 STEPS_8 STEPS_8 STEP STEP STEP STEP STEP STEP STEP

#define LINKS 8  // words of state before the links: the clocks

// No chain holds this link; the comparison makes the clock wait for the last load.
#define IMPOSSIBLE 0xffffffffu

__kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1))) void constant_words(__global uint *state, Parameters p) {
  const uint lane = (uint)get_local_id(0);
  uint at = state[LINKS + lane];
  for (uint i = 0; i < p.warm_loops; ++i) {
    STEPS_31
  }
  if (at == IMPOSSIBLE) return;
  const ulong device_begin = percycle_device_clock();
  const ulong unit_begin = percycle_unit_clock();
  for (uint i = 0; i < p.loops; ++i) {
    STEPS_31
  }
  if (at == IMPOSSIBLE) return;
  const ulong unit_end = percycle_unit_clock();
  const ulong device_end = percycle_device_clock();
  state[LINKS + lane] = at;
  if (lane == 0) {
    __global ulong *clocks = (__global ulong *)state;
    clocks[0] = unit_begin;
    clocks[1] = unit_end;
    clocks[2] = device_begin;
    clocks[3] = device_end;
  }
}
