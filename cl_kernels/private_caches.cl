// Disjoint chains in one buffer, walked at the same time by subgroups of one or two work-groups,
// all lanes of a subgroup in lockstep. Twin of shaders/private_caches.comp.
//
// A barrier in each turn keeps the subgroups of a group together. Without it, one of two chains
// that evict each other from an LRU cache may win: it hits, returns sooner and keeps its lines, and
// its timer shows no conflict. A second work-group walks another chain, with its subgroups evenly
// spread along it, because a single chase could lose every race for a shared cache. On an idle GPU
// two work-groups of one dispatch run on two units, on a CPU on two threads. OpenCL 1.2 has no
// subgroup number; on devices with known subgroups, consecutive local ids form one.

#define PATH_GLOBAL_INDEX 1
#define PATH_TEXTURE 2
#define PATH_CONSTANT 3

#if PATH == PATH_TEXTURE
#define CHAIN __read_only image1d_buffer_t chain,
#define STEP at = read_imageui(chain, (int)at).x;
#elif PATH == PATH_CONSTANT
#define CHAIN
#define STEP at = constants[at].x;
#else
#define CHAIN __global const uint *chain,
#define STEP at = chain[at];
#endif

#define STEPS_8 STEP STEP STEP STEP STEP STEP STEP STEP
#define STEPS_31 STEPS_8 STEPS_8 STEPS_8 STEP STEP STEP STEP STEP STEP STEP

#define LINKS 8  // words of state before the links: the clocks

__kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1))) void private_caches(CHAIN __global uint *state, Parameters p) {
  const uint id = (uint)get_global_id(0);
  const uint subgroup = (uint)get_local_id(0) / SUBGROUP_SIZE;
  const uint walking = get_group_id(0) == 0 ? p.first : p.others;
  const bool walks = ((walking >> subgroup) & 1u) != 0u;
  uint at = state[LINKS + id];
  for (uint i = 0; i < p.warm_loops; ++i) {
    if (walks) {
      STEPS_31
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  PERCYCLE_ALL_HERE();
  const ulong device_begin = percycle_device_clock();
  const ulong unit_begin = percycle_unit_clock();
  for (uint i = 0; i < p.loops; ++i) {
    if (walks) {
      STEPS_31
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  // The store waits for the last load, and the barrier for the last subgroup.
  state[LINKS + id] = at;
  PERCYCLE_ALL_HERE();
  const ulong unit_end = percycle_unit_clock();
  const ulong device_end = percycle_device_clock();
  if (id == 0) {
    __global ulong *clocks = (__global ulong *)state;
    clocks[0] = unit_begin;
    clocks[1] = unit_end;
    clocks[2] = device_begin;
    clocks[3] = device_end;
  }
}
