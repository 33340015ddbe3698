// One invocation walks two chains through two paths in turns of 31 loads. If both paths end in the
// same cache, chains that fit alone evict each other. Twin of cl_kernels/sharing.cl.

#define PATH_TEXTURE 1
#define PATH_CONSTANT 2

#if FIRST == PATH_TEXTURE
#define FIRST_FREE 1
layout(set = 0, binding = 0) uniform utextureBuffer texels;
#define STEP_A a = texelFetch(texels, int(a)).x;
#else
#define FIRST_FREE 0
#define STEP_A a = constants[a].x;
#endif
layout(std430, set = 0, binding = FIRST_FREE) readonly buffer Chain { uint chain[]; };
layout(std430, set = 0, binding = FIRST_FREE + 1) buffer State { uint state[]; };
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

void put_clock(uint clock, uvec2 count) {
  state[2 * clock] = count.x;
  state[2 * clock + 1] = count.y;
}

void main() {
  const uint lane = gl_LocalInvocationID.x;
  if (lane >= p.lanes) return;
  uint a = state[LINKS];
  uint b = state[LINKS + 1 + lane];
  for (uint i = 0; i < p.warm_loops; ++i) {
    TURN
  }
  const uvec2 device_begin = percycle_device_clock();
  const uvec2 unit_begin = percycle_unit_clock();
  for (uint i = 0; i < p.loops; ++i) {
    TURN
  }
  const uvec2 unit_end = percycle_unit_clock();
  const uvec2 device_end = percycle_device_clock();

  put_clock(0, unit_begin);
  put_clock(1, unit_end);
  put_clock(2, device_begin);
  put_clock(3, device_end);
  state[LINKS] = a;
  state[LINKS + 1 + lane] = b;
}
