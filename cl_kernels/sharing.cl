// One invocation walks two chains through two paths in turns of 31 loads. If both paths end in the
// same cache, chains that fit alone evict each other. Twin of shaders/sharing.comp.

#define PATH_TEXTURE 1
#define PATH_CONSTANT 2

#if FIRST == PATH_TEXTURE
#define FIRST_CHAIN __read_only image1d_buffer_t texels,
#define STEP_A a = read_imageui(texels, (int)a).x;
#else
#define FIRST_CHAIN
#define STEP_A a = constants[a].x;
#endif
#define STEP_B b = chain[b];

#define TIMES_8(step) step step step step step step step step
#define TIMES_31(step) TIMES_8(step) TIMES_8(step) TIMES_8(step) step step step step step step step

// No chain holds this link, so no turn ends here. The comparison makes each chain's turn wait for
// the other's, which would overlap in one invocation. A sum that is never added would do so, too,
// but make the constants' address differ by lane.
#define IMPOSSIBLE 0xffffffffu
#define TURN                                 \
  TIMES_31(STEP_A)                           \
  if (percycle_any(a == IMPOSSIBLE)) return; \
  TIMES_31(STEP_B)                           \
  if (percycle_any(b == IMPOSSIBLE)) return;

#define LINKS 8  // words of state before the links: the clocks

__kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1))) void sharing(FIRST_CHAIN __global const uint *chain,
                                                                              __global uint *state, Parameters p) {
  const uint lane = (uint)get_local_id(0);
  if (lane >= p.lanes) return;
  uint a = state[LINKS];
  uint b = state[LINKS + 1 + lane];
  for (uint i = 0; i < p.warm_loops; ++i) {
    TURN
  }
  const ulong device_begin = percycle_device_clock();
  const ulong unit_begin = percycle_unit_clock();
  for (uint i = 0; i < p.loops; ++i) {
    TURN
  }
  const ulong unit_end = percycle_unit_clock();
  const ulong device_end = percycle_device_clock();

  __global ulong *clocks = (__global ulong *)state;
  clocks[0] = unit_begin;
  clocks[1] = unit_end;
  clocks[2] = device_begin;
  clocks[3] = device_end;
  state[LINKS] = a;
  state[LINKS + 1 + lane] = b;
}
