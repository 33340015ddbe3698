// A fine-grained chase (Mei and Chu, IEEE TPDS 28(1), 2017): one invocation follows a chain and
// times each load. The times stay in local memory, so that storing them disturbs no cache. Twin of
// shaders/geometry.comp.

#define PATH_GLOBAL 1    // 64-bit pointers
#define PATH_TEXTURE 2   // index of a texel
#define PATH_CONSTANT 3  // index of a 16-byte vector

#if PATH == PATH_GLOBAL
#define LINK ulong
#define CHAIN __global const uint *chain,
#define STEP at = *(__global const ulong *)at;
#elif PATH == PATH_TEXTURE
#define LINK uint
#define CHAIN __read_only image1d_buffer_t chain,
#define STEP at = read_imageui(chain, (int)at).x;
#else
#define LINK uint
#define CHAIN
#define STEP at = constants[at].x;
#endif

// No chain holds this link; the comparison makes later code wait for the load.
#define IMPOSSIBLE ((LINK)-1)

__kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1))) void geometry(CHAIN __global ulong *state, __global uint *out,
                                                                               Parameters p) {
  __local uint ticks[MOST_STEPS];
  const uint lane = (uint)get_local_id(0);
#if PATH == PATH_CONSTANT
  LINK at = (LINK)state[0];
#else
  if (lane >= p.lanes) return;
  LINK at = (LINK)state[lane];
#endif
  for (uint i = 0; i < p.warm_steps; ++i) {
    STEP
  }
  if (at == IMPOSSIBLE) return;
  const ulong device_begin = percycle_device_clock();
  const ulong unit_begin = percycle_unit_clock();
  const uint timed = p.loops * p.steps;
  for (uint i = 0; i < timed; ++i) {
    const ulong begin = percycle_unit_clock();
    STEP
    if (at == IMPOSSIBLE) return;
    ticks[i] = (uint)(percycle_unit_clock() - begin);
  }
  const ulong unit_end = percycle_unit_clock();
  const ulong device_end = percycle_device_clock();

  state[lane] = at;
  __global ulong *clocks = (__global ulong *)out;
  clocks[0] = unit_begin;
  clocks[1] = unit_end;
  clocks[2] = device_begin;
  clocks[3] = device_end;
#if PATH == PATH_GLOBAL
  clocks[4] = at - (ulong)chain;
#else
  clocks[4] = (ulong)at * p.link_unit;
#endif
  for (uint i = 0; i < timed; ++i) out[10 + i] = ticks[i];
}
