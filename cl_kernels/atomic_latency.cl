// Dependent atomic operations by every contending lane of a work-group, on one word of a line
// (spread 0) or each on its own (spread 1). Twin of shaders/atomic_latency.comp.
//
// The result of an operation (METHOD_CHAIN), or of a load of the same word after it (METHOD_PAIR:
// Jia et al., Dissecting the NVidia Turing T4 GPU, section 4.2), enters the address of the next
// operation, masked with a zero that the compiler does not know. Therefore no compiler can merge
// the lanes' operations, start one early or skip one. The addend differs per lane for the same
// reason: if NVIDIA's Vulkan driver knows that all lanes add the same number, it counts them and
// lets one lane add for all (446 cycles on an H200, not 320). METHOD_LOAD and METHOD_NONE are the
// controls: the same loop with only the load, and with neither.
//
// KNOWN is a lane's knowledge of its word. MAY_BE tells whether a returned value is possible now;
// `count` counts the possible values. TAKE processes the returned value. A skipped operation
// changes `count`, or `sum` compared with the word's end (src/expected/atomic_latency.hpp).
// Floating-point words have OPERATION_ADD only; their values stay below 2^24 and so exact.

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
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#define WORDS 16  // per line
#define WORD_BITS 64
#define WORD ulong
#define NUMBER ulong
#define START (((ulong)p.high << 32) | p.start)
#define BITS(v) (v)
#define ADD atom_add
#define MIN atom_min
#define EXCHANGE atom_xchg
#define COMPARE_EXCHANGE atom_cmpxchg
#define OR atom_or
#define AND atom_and
#elif WORD_TYPE == WORD_FLOAT
#define WORDS 32
#define WORD float
#define NUMBER uint
#define START as_float(p.start)
#define BITS(v) as_uint(v)
#if UNIT_CLOCK == CLOCK_PTX  // then on NVIDIA's platform
#if MEMORY == MEMORY_LOCAL
#define SPACE "shared"
#else
#define SPACE "global"
#endif
#define ADD(w, v) ptx_add((ulong)(w), v)
float ptx_add(ulong address, float value) {
  float found;
  __asm__ volatile("atom." SPACE ".add.f32 %0, [%1], %2;" : "=f"(found) : "l"(address), "f"(value) : "memory");
  return found;
}
#elif MEMORY == MEMORY_LOCAL
#define ADD(w, v) \
  atomic_fetch_add_explicit((volatile __local atomic_float *)(w), v, memory_order_relaxed, memory_scope_work_group)
#else
#define ADD(w, v) \
  atomic_fetch_add_explicit((volatile __global atomic_float *)(w), v, memory_order_relaxed, memory_scope_device)
#endif
#else
#define WORDS 32
#define WORD_BITS 32
#define WORD uint
#define NUMBER uint
#define START p.start
#define BITS(v) (v)
#define ADD atomic_add
#define MIN atomic_min
#define EXCHANGE atomic_xchg
#define COMPARE_EXCHANGE atomic_cmpxchg
#define OR atomic_or
#define AND atomic_and
#endif
#define LOW(v) ((uint)BITS(v))

// FIRST_STEP and SECOND_STEP take turns; they differ for one operation only.
#if OPERATION == OPERATION_ADD
#define KNOWN START  // never less than this
#define MAY_BE(v) ((v) >= known)
#define FIRST_STEP(w) ADD(w, one)
#define TAKE(r) sum += (NUMBER)(r); known = (r) + 1;
#elif OPERATION == OPERATION_MIN
#define KNOWN START  // never more than this: a lane that still finds it lowers it by one
#define MAY_BE(v) ((v) <= known)
#define FIRST_STEP(w) MIN(w, known - 1)
#define TAKE(r) sum += (NUMBER)((r) == known); known = min(r, known - 1);
#elif OPERATION == OPERATION_EXCHANGE
#define KNOWN (START + 1 + lane)  // this lane writes it next, and no lane before
#define MAY_BE(v) ((v) != known)
#define FIRST_STEP(w) EXCHANGE(w, known)
#define TAKE(r) sum += (r); known += p.lanes;
#elif OPERATION == OPERATION_COMPARE_EXCHANGE
#define KNOWN START  // never less than this: a lane that still finds it raises it by one
#define MAY_BE(v) ((v) >= known)
#define FIRST_STEP(w) COMPARE_EXCHANGE(w, known, known + 1)
#define TAKE(r) sum += (NUMBER)((r) == known); known = (r) + (NUMBER)((r) == known);
#else
#define KNOWN 0  // this lane's bit, which no other lane changes
#define MAY_BE(v) (((v) & bit) == known)
#define FIRST_STEP(w) OR(w, bit)
#define SECOND_STEP(w) AND(w, ~bit)
#define TAKE(r) known ^= bit;
#endif
#ifndef SECOND_STEP
#define SECOND_STEP(w) FIRST_STEP(w)
#endif

#if METHOD == METHOD_CHAIN
#define STEP(ATOMIC)                            \
  {                                             \
    const WORD found = ATOMIC(&memory[at]);     \
    at = base + (LOW(found) & p.zero);          \
    count += (uint)MAY_BE(found);               \
    TAKE(found)                                 \
  }
#elif METHOD == METHOD_PAIR
#define STEP(ATOMIC)                            \
  {                                             \
    const WORD found = ATOMIC(&memory[at]);     \
    const WORD loaded = memory[at];             \
    at = base + (LOW(loaded) & p.zero);         \
    count += (uint)MAY_BE(found);               \
    TAKE(found)                                 \
    count += (uint)MAY_BE(loaded);              \
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

__kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1))) void atomic_latency(__global volatile WORD *words,
                                                                                     __global uint *out, Parameters p) {
#if MEMORY == MEMORY_LOCAL
  __local volatile WORD memory[WORDS];
#else
  __global volatile WORD *memory = words;
#endif
  const uint lane = (uint)get_local_id(0);
  for (uint i = lane; i < WORDS; i += LOCAL_SIZE) memory[p.first + i] = START;
  const uint base = p.first + lane * p.spread;
#if OPERATION == OPERATION_AND_OR
  const WORD bit = (WORD)1 << (lane + WORD_BITS / 2) % WORD_BITS;
#endif
  const WORD one = (WORD)(1u + (lane & p.zero));
  uint at = base;
  WORD known = KNOWN;
  NUMBER sum = 0;
  uint count = 0;
  PERCYCLE_ALL_HERE();  // all lanes begin together
  const ulong device_begin = percycle_device_clock();
  const ulong unit_begin = percycle_unit_clock();
  if (lane < p.lanes) {
    for (uint i = 0; i < p.loops; ++i) {
      STEPS_4 STEPS_4 STEPS_4 STEPS_4
    }
    // The stores wait for the last operation, and the barrier for the last lane.
    out[RESULT_WORDS + 3 * lane] = (uint)sum;
    out[RESULT_WORDS + 3 * lane + 1] = (uint)((ulong)sum >> 32);
    out[RESULT_WORDS + 3 * lane + 2] = count;
  }
  PERCYCLE_ALL_HERE();
  const ulong unit_end = percycle_unit_clock();
  const ulong device_end = percycle_device_clock();
  // Atomically, because a load may find an old value in a cache.
  __global WORD *ends = (__global WORD *)(out + FINAL_WORDS);
  for (uint i = lane; i < WORDS; i += LOCAL_SIZE) ends[i] = ADD(&memory[p.first + i], (WORD)p.zero);
  if (lane == 0) {
    __global ulong *clocks = (__global ulong *)out;
    clocks[0] = unit_begin;
    clocks[1] = unit_end;
    clocks[2] = device_begin;
    clocks[3] = device_end;
  }
}
