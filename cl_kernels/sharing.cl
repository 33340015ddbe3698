// One invocation walks two chains through two paths in turns: 31 loads of the first, 31 of the second. If both paths end in the same cache,
// chains that fit alone evict each other.
// Twin of shaders/sharing.comp.
//% variant FIRST=PATH_TEXTURE
//% variant FIRST=PATH_CONSTANT

#define PATH_TEXTURE 1
#define PATH_CONSTANT 2

typedef struct {
  uint loops;       // timed turns of 31 loads of each chain
  uint warm_loops;  // turns before the clocks are read
} Parameters;

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

// No chain holds this link, so that nothing is ever added. It makes each chain's turn wait for the other's: in the same invocation the two
// would overlap otherwise.
#define IMPOSSIBLE 0xffffffffu
#define TURN                    \
  TIMES_31(STEP_A)              \
  b += (uint)(a == IMPOSSIBLE); \
  TIMES_31(STEP_B)              \
  a += (uint)(b == IMPOSSIBLE);

#define LINKS 8  // words of state before the links: the clocks

__kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1))) void sharing(FIRST_CHAIN __global const uint *chain,
                                                                              __global uint *state, Parameters p) {
  uint a = state[LINKS];
  uint b = state[LINKS + 1];
  for (uint i = 0; i < p.warm_loops; ++i) {
    TURN
  }
  if (b == IMPOSSIBLE) return;
  const ulong device_begin = percycle_device_clock();
  const ulong unit_begin = percycle_unit_clock();
  for (uint i = 0; i < p.loops; ++i) {
    TURN
  }
  if (b == IMPOSSIBLE) return;
  const ulong unit_end = percycle_unit_clock();
  const ulong device_end = percycle_device_clock();

  __global ulong *clocks = (__global ulong *)state;
  clocks[0] = unit_begin;
  clocks[1] = unit_end;
  clocks[2] = device_begin;
  clocks[3] = device_end;
  state[LINKS] = a;
  state[LINKS + 1] = b;
}
