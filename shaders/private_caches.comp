// Disjoint chains in one buffer, walked at the same time by subgroups of one or two work-groups,
// all lanes of a subgroup in lockstep. Twin of cl_kernels/private_caches.cl, which explains the
// barrier.

#define PATH_GLOBAL_INDEX 1
#define PATH_TEXTURE 2
#define PATH_CONSTANT 3

#define STATE_BINDING 1
#if PATH == PATH_TEXTURE
layout(set = 0, binding = 0) uniform utextureBuffer chain;
#define STEP at = texelFetch(chain, int(at)).x;
#elif PATH == PATH_CONSTANT
#undef STATE_BINDING
#define STATE_BINDING 0
#define STEP at = constants[at].x;
#else
layout(std430, set = 0, binding = 0) readonly buffer Chain { uint chain[]; };
#define STEP at = chain[at];
#endif
layout(std430, set = 0, binding = STATE_BINDING) buffer State { uint state[]; };

#define STEPS_8 STEP STEP STEP STEP STEP STEP STEP STEP
#define STEPS_31 STEPS_8 STEPS_8 STEPS_8 STEP STEP STEP STEP STEP STEP STEP

#define LINKS 8  // words of state before the links: the clocks

void put_clock(uint clock, uvec2 count) {
  state[2 * clock] = count.x;
  state[2 * clock + 1] = count.y;
}

void main() {
  const uint id = gl_GlobalInvocationID.x;
  const uint subgroup = gl_LocalInvocationID.x / SUBGROUP_SIZE;
  const uint walking = gl_WorkGroupID.x == 0 ? p.first : p.others;
  const bool walks = ((walking >> subgroup) & 1u) != 0u;
  uint at = state[LINKS + id];
  for (uint i = 0; i < p.warm_loops; ++i) {
    if (walks) {
      STEPS_31
    }
    barrier();
  }
  percycle_all_here();
  const uvec2 device_begin = percycle_device_clock();
  const uvec2 unit_begin = percycle_unit_clock();
  for (uint i = 0; i < p.loops; ++i) {
    if (walks) {
      STEPS_31
    }
    barrier();
  }
  // The store waits for the last load, and the barrier for the last subgroup.
  state[LINKS + id] = at;
  percycle_all_here();
  const uvec2 unit_end = percycle_unit_clock();
  const uvec2 device_end = percycle_device_clock();
  if (id == 0) {
    put_clock(0, unit_begin);
    put_clock(1, unit_end);
    put_clock(2, device_begin);
    put_clock(3, device_end);
  }
}
