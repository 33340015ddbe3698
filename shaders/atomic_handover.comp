// A token that two invocations pass back and forth by compare-exchange: side 0 makes even numbers
// odd, side 1 odd ones even. Twin of cl_kernels/atomic_handover.cl, which has the rules.

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

layout(std430, set = 0, binding = 0) coherent volatile buffer Words { uint words[]; };
layout(std430, set = 0, binding = 1) writeonly buffer Out { uint result[]; };
#if MEMORY == MEMORY_LOCAL
shared uint memory[WORDS];
#else
#define memory words
#endif

#define LOOK met |= atomicOr(memory[SEEN + 32 * (1 - side)], 0u);
#define LOOKS_4 LOOK LOOK LOOK LOOK

// Four attempts per loop turn: NVIDIA's OpenCL yields once in each turn, which takes as long as two
// attempts in local memory. After its last hand-over a side waits for a value that never comes.
#define TRY                                                                            \
  {                                                                                    \
    const uint next = awaited == last ? NEVER : awaited + 2u;                          \
    const bool taken = atomicCompSwap(memory[TOKEN], awaited, awaited + 1u) == awaited; \
    tries += uint(awaited != NEVER);                                                   \
    done += uint(taken);                                                                \
    awaited = taken ? next : awaited;                                                   \
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

void put_clock(uint clock, uvec2 count) {
  result[2 * clock] = count.x;
  result[2 * clock + 1] = count.y;
}

void main() {
  const uint lane = gl_LocalInvocationID.x;
#if MEMORY == MEMORY_LOCAL
  for (uint i = lane; i < WORDS; i += LOCAL_SIZE) memory[i] = 0u;
  barrier();
#endif
  const uint unit = percycle_unit_id();
  uint side = 2u;  // none
#if BETWEEN == BETWEEN_LANES
  side = min(lane, 2u);
#elif BETWEEN == BETWEEN_SUBGROUPS
  if (lane % (LOCAL_SIZE / 2) == 0) side = lane / (LOCAL_SIZE / 2);
#else
  if (lane == 0) {
    if (p.first == ANY_UNIT || unit == p.first) {
      const uint place = atomicAdd(memory[ARRIVALS], 1u);
      side = place == 0 || p.first == p.second ? min(place, 2u) : 2u;
    } else if (unit == p.second) {
      side = atomicAdd(memory[ARRIVALS + 32], 1u) == 0 ? 1u : 2u;
    }
  }
#endif
  if (side < 2) {
    atomicOr(memory[SEEN + 32 * side], 1u);
    uint met = 0u;
    for (uint i = 0; i < p.looks && met == 0; ++i) {
      LOOKS_4 LOOKS_4 LOOKS_4 LOOKS_4
    }
    uint awaited = NEVER;
    uint done = 0u;
    uint tries = 0u;
    const uint warm = p.warm * met;
    PASS(warm)
    const uint end = done == p.warm ? warm + p.rounds * met : 0u;
    tries = 0u;
    const uvec2 device_begin = percycle_device_clock();
    const uvec2 unit_begin = percycle_unit_clock();
    PASS(end)
    result[DONE + side] = done;  // waits for the last attempt
    const uvec2 unit_end = percycle_unit_clock();
    const uvec2 device_end = percycle_device_clock();
    result[TRIES + side] = tries;
    result[UNIT + side] = unit;
    result[MET + side] = met;
    if (side == 0) {
      put_clock(0, unit_begin);
      put_clock(1, unit_end);
      put_clock(2, device_begin);
      put_clock(3, device_end);
    }
  }
#if MEMORY == MEMORY_LOCAL
  barrier();
  if (lane == 0) words[TOKEN] = atomicOr(memory[TOKEN], 0u);
#endif
}
