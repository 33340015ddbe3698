// A token that two invocations pass back and forth by compare-exchange: side 0 makes even numbers
// odd, side 1 odd ones even. Twin of shaders/atomic_handover.comp.
//
// BETWEEN selects the sides: two lanes of one subgroup, the first lanes of two subgroups of one
// work-group, or the first lanes of two work-groups. If there are many work-groups, side 0 is the
// first one on unit `first`. Side 1 is the first one on unit `second`, or the second one if both
// are the same unit. All others end at once. Each side gives up if it does not see the other side
// after `looks` turns, or after `patience` failed attempts in a row. The loops are not nested:
// nested ones poll more slowly, and lavapipe 22.3 executes them wrongly.

#define BETWEEN_LANES 1
#define BETWEEN_SUBGROUPS 2
#define BETWEEN_GROUPS 3

#define ANY_UNIT 0xffffffffu
#define NEVER 0xffffffffu  // never a value of the token

#define MEMORY_LOCAL 1
#define MEMORY_GLOBAL 2

// Words of the memory that both sides see, each on its own line; all are 0 at first.
#define TOKEN 0
#define SEEN 32  // by side 0; the word of side 1 is one line on
#define ARRIVALS 96  // on unit `first`; the word of unit `second` is one line on
#define WORDS 160

// Words of `out` after the clocks of side 0: two each, one per side.
#define DONE 8
#define TRIES 10
#define UNIT 12
#define MET 14

#define LOOK met |= atomic_or(&memory[SEEN + 32 * (1 - side)], 0u);
#define LOOKS_4 LOOK LOOK LOOK LOOK

// Four attempts per loop turn: NVIDIA's OpenCL yields once in each turn, which takes as long as two
// attempts in local memory. After its last hand-over a side waits for a value that never comes.
#define TRY                                                                             \
  {                                                                                     \
    const uint next = awaited == last ? NEVER : awaited + 2u;                           \
    const bool taken = atomic_cmpxchg(&memory[TOKEN], awaited, awaited + 1u) == awaited; \
    tries += (uint)(awaited != NEVER);                                                  \
    done += (uint)taken;                                                                 \
    awaited = taken ? next : awaited;                                                    \
  }

// Passes the token until it has come and gone `end` times.
#define PASS(end)                                                    \
  {                                                                  \
    const uint last = side + 2u * ((end)-1u);                        \
    awaited = side + 2u * done;                                      \
    for (uint idle = 0; idle < p.patience && done < (end); ++idle) { \
      const uint before = done;                                      \
      TRY TRY TRY TRY                                                \
      idle = done != before ? 0u : idle;                             \
    }                                                                \
  }

__kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1))) void atomic_handover(__global volatile uint *words,
                                                                                      __global uint *out, Parameters p) {
  const uint lane = (uint)get_local_id(0);
#if MEMORY == MEMORY_LOCAL
  __local volatile uint memory[WORDS];
  for (uint i = lane; i < WORDS; i += LOCAL_SIZE) memory[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
#else
  __global volatile uint *memory = words;
#endif
  const uint unit = percycle_unit_id();
  uint side = 2;  // none
#if BETWEEN == BETWEEN_LANES
  side = min(lane, 2u);
#elif BETWEEN == BETWEEN_SUBGROUPS
  if (lane % (LOCAL_SIZE / 2) == 0) side = lane / (LOCAL_SIZE / 2);
#else
  if (lane == 0) {
    if (p.first == ANY_UNIT || unit == p.first) {
      const uint place = atomic_add(&memory[ARRIVALS], 1u);
      side = place == 0 || p.first == p.second ? min(place, 2u) : 2u;
    } else if (unit == p.second) {
      side = atomic_add(&memory[ARRIVALS + 32], 1u) == 0 ? 1u : 2u;
    }
  }
#endif
  if (side < 2) {
    atomic_or(&memory[SEEN + 32 * side], 1u);
    uint met = 0;
    for (uint i = 0; i < p.looks && met == 0; ++i) {
      LOOKS_4 LOOKS_4 LOOKS_4 LOOKS_4
    }
    uint awaited = NEVER;
    uint done = 0;
    uint tries = 0;
    const uint warm = p.warm * met;
    PASS(warm)
    const uint end = done == p.warm ? warm + p.rounds * met : 0u;
    tries = 0;
    const ulong device_begin = percycle_device_clock();
    const ulong unit_begin = percycle_unit_clock();
    PASS(end)
    out[DONE + side] = done;  // waits for the last attempt
    const ulong unit_end = percycle_unit_clock();
    const ulong device_end = percycle_device_clock();
    out[TRIES + side] = tries;
    out[UNIT + side] = unit;
    out[MET + side] = met;
    if (side == 0) {
      __global ulong *clocks = (__global ulong *)out;
      clocks[0] = unit_begin;
      clocks[1] = unit_end;
      clocks[2] = device_begin;
      clocks[3] = device_end;
    }
  }
#if MEMORY == MEMORY_LOCAL
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lane == 0) words[TOKEN] = atomic_or(&memory[TOKEN], 0u);
#endif
}
