// Dependent atomic operations by every contending lane of a work-group, on one word of a line
// (spread 0) or each on its own (spread 1). Twin of cl_kernels/atomic_latency.cl, which explains
// methods and checks.

#define OPERATION_ADD 1
#define OPERATION_MIN 2
#define OPERATION_EXCHANGE 3
#define OPERATION_COMPARE_EXCHANGE 4
#define OPERATION_AND_OR 5

#define WORD_INT32 1
#define WORD_INT64 2
#define WORD_FLOAT 3

#define METHOD_CHAIN 1
#define METHOD_PAIR 2
#define METHOD_LOAD 3
#define METHOD_NONE 4

#define MEMORY_LOCAL 1
#define MEMORY_GLOBAL 2

#define FINAL_WORDS 8  // in out, after the clocks: begin of the words' ends, 128 B
#define RESULT_WORDS 40  // begin of the lanes' {low and high half of the sum, count}

// WORD: type of a word. NUMBER: type of sums of its values. LOW: the low half of a word's bits, or
// all of them.
#if WORD_TYPE == WORD_INT64
#define WORDS 16  // per line
#define WORD_BITS 64
#define WORD uint64_t
#define NUMBER uint64_t
#define START packUint2x32(uvec2(p.start, p.high))
#define BITS(v) (v)
#define HALVES(v) unpackUint2x32(v)
#elif WORD_TYPE == WORD_FLOAT
#define WORDS 32
#define WORD float
#define NUMBER uint
#define START uintBitsToFloat(p.start)
#define BITS(v) floatBitsToUint(v)
#define HALVES(v) uvec2(v, 0u)
#else
#define WORDS 32
#define WORD_BITS 32
#define WORD uint
#define NUMBER uint
#define START p.start
#define BITS(v) (v)
#define HALVES(v) uvec2(v, 0u)
#endif
#define LOW(v) uint(BITS(v))

layout(std430, set = 0, binding = 0) coherent volatile buffer Words { WORD words[]; };
layout(std430, set = 0, binding = 1) writeonly buffer Out { uint result[]; };
#if MEMORY == MEMORY_LOCAL
shared WORD memory[WORDS];
#else
#define memory words
#endif

// FIRST_STEP and SECOND_STEP take turns; they differ for one operation only.
#if OPERATION == OPERATION_ADD
#define KNOWN START  // never less than this
#define MAY_BE(v) ((v) >= known)
#define FIRST_STEP(w) atomicAdd(w, one)
#define TAKE(r) sum += NUMBER(r); known = (r) + WORD(1);
#elif OPERATION == OPERATION_MIN
#define KNOWN START  // never more than this: a lane that still finds it lowers it by one
#define MAY_BE(v) ((v) <= known)
#define FIRST_STEP(w) atomicMin(w, known - WORD(1))
#define TAKE(r) sum += NUMBER((r) == known); known = min(r, known - WORD(1));
#elif OPERATION == OPERATION_EXCHANGE
#define KNOWN (START + WORD(1u + lane))  // this lane writes it next, and no lane before
#define MAY_BE(v) ((v) != known)
#define FIRST_STEP(w) atomicExchange(w, known)
#define TAKE(r) sum += (r); known += WORD(p.lanes);
#elif OPERATION == OPERATION_COMPARE_EXCHANGE
#define KNOWN START  // never less than this: a lane that still finds it raises it by one
#define MAY_BE(v) ((v) >= known)
#define FIRST_STEP(w) atomicCompSwap(w, known, known + WORD(1))
#define TAKE(r) sum += NUMBER((r) == known); known = (r) + NUMBER((r) == known);
#else
#define KNOWN WORD(0)  // this lane's bit, which no other lane changes
#define MAY_BE(v) (((v) & bit) == known)
#define FIRST_STEP(w) atomicOr(w, bit)
#define SECOND_STEP(w) atomicAnd(w, ~bit)
#define TAKE(r) known ^= bit;
#endif
#ifndef SECOND_STEP
#define SECOND_STEP(w) FIRST_STEP(w)
#endif

#if METHOD == METHOD_CHAIN
#define STEP(ATOMIC)                            \
  {                                             \
    const WORD found = ATOMIC(memory[at]);      \
    at = base + (LOW(found) & p.zero);          \
    count += uint(MAY_BE(found));               \
    TAKE(found)                                 \
  }
#elif METHOD == METHOD_PAIR
#define STEP(ATOMIC)                            \
  {                                             \
    const WORD found = ATOMIC(memory[at]);      \
    const WORD loaded = memory[at];             \
    at = base + (LOW(loaded) & p.zero);         \
    count += uint(MAY_BE(found));               \
    TAKE(found)                                 \
    count += uint(MAY_BE(loaded));              \
  }
#elif METHOD == METHOD_LOAD
#define STEP(ATOMIC)                            \
  {                                             \
    const WORD loaded = memory[at];             \
    at = base + (LOW(loaded) & p.zero);         \
    sum += BITS(loaded);                        \
  }
#else
#define STEP(ATOMIC)                            \
  {                                             \
    at = p.start + (at & p.zero);               \
    sum += at;                                  \
  }
#endif
#define STEPS_4 STEP(FIRST_STEP) STEP(SECOND_STEP) STEP(FIRST_STEP) STEP(SECOND_STEP)

void put_pair(uint at, uvec2 pair) {
  result[2 * at] = pair.x;
  result[2 * at + 1] = pair.y;
}

void main() {
  const uint lane = gl_LocalInvocationID.x;
  for (uint i = lane; i < WORDS; i += LOCAL_SIZE) memory[p.first + i] = START;
  const uint base = p.first + lane * p.spread;
#if OPERATION == OPERATION_AND_OR
  const WORD bit = WORD(1) << (lane + WORD_BITS / 2) % WORD_BITS;
#endif
  const WORD one = WORD(1u + (lane & p.zero));
  uint at = base;
  WORD known = KNOWN;
  NUMBER sum = NUMBER(0);
  uint count = 0u;
  percycle_all_here();  // all lanes begin together
  const uvec2 device_begin = percycle_device_clock();
  const uvec2 unit_begin = percycle_unit_clock();
  if (lane < p.lanes) {
    for (uint i = 0; i < p.loops; ++i) {
      STEPS_4 STEPS_4 STEPS_4 STEPS_4
    }
    // The stores wait for the last operation, and the barrier for the last lane.
    const uvec2 halves = HALVES(sum);
    result[RESULT_WORDS + 3 * lane] = halves.x;
    result[RESULT_WORDS + 3 * lane + 1] = halves.y;
    result[RESULT_WORDS + 3 * lane + 2] = count;
  }
  percycle_all_here();
  const uvec2 unit_end = percycle_unit_clock();
  const uvec2 device_end = percycle_device_clock();
  // Atomically, because a load may find an old value in a cache.
  for (uint i = lane; i < WORDS; i += LOCAL_SIZE) {
    const WORD end = atomicAdd(memory[p.first + i], WORD(p.zero));
#if WORD_TYPE == WORD_INT64
    put_pair(FINAL_WORDS / 2 + i, HALVES(end));
#else
    result[FINAL_WORDS + i] = BITS(end);
#endif
  }
  if (lane == 0) {
    put_pair(0, unit_begin);
    put_pair(1, unit_end);
    put_pair(2, device_begin);
    put_pair(3, device_end);
  }
}
