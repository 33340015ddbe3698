// Lanes of a subgroup follow the same chain in constant memory, 31 dependent loads per loop turn,
// from different places: each load of the subgroup requests several distinct words. Twin of
// cl_kernels/constant_words.cl.

layout(std430, set = 0, binding = 0) buffer State { uint state[]; };

#define STEP at = constants[at].x;
#define STEPS_8 STEP STEP STEP STEP STEP STEP STEP STEP
#define STEPS_31 STEPS_8 STEPS_8 STEPS_8 STEP STEP STEP STEP STEP STEP STEP

#define LINKS 8  // words of state before the links: the clocks

// No chain holds this link; the comparison makes the clock wait for the last load.
#define IMPOSSIBLE 0xffffffffu

void put_clock(uint clock, uvec2 count) {
  state[2 * clock] = count.x;
  state[2 * clock + 1] = count.y;
}

void main() {
  const uint lane = gl_LocalInvocationID.x;
  uint at = state[LINKS + lane];
  for (uint i = 0; i < p.warm_loops; ++i) {
    STEPS_31
  }
  if (at == IMPOSSIBLE) return;
  const uvec2 device_begin = percycle_device_clock();
  const uvec2 unit_begin = percycle_unit_clock();
  for (uint i = 0; i < p.loops; ++i) {
    STEPS_31
  }
  if (at == IMPOSSIBLE) return;
  const uvec2 unit_end = percycle_unit_clock();
  const uvec2 device_end = percycle_device_clock();
  state[LINKS + lane] = at;
  if (lane == 0) {
    put_clock(0, unit_begin);
    put_clock(1, unit_end);
    put_clock(2, device_begin);
    put_clock(3, device_end);
  }
}
