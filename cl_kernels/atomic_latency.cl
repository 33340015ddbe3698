// Dependent atomic operations: every contending lane of one work-group does one after the other, all on one word of a line (spread 0) or each on
// its own (spread 1). What an operation returned (METHOD_CHAIN), or what a load of the same word behind it found (METHOD_PAIR: Jia et al.,
// Dissecting the NVidia Turing T4 GPU, section 4.2), goes into the address of the next: masked with a zero that the compiler does not know, so
// that no compiler can join the lanes' operations, start one early or leave one out. What is added is of each lane its own, for the same reason:
// NVIDIA's Vulkan driver lets one lane add for all where it knows that they add the same, and counts them first (446 cycles on an H200, not 320). METHOD_LOAD and METHOD_NONE are the controls: the same
// loop with the load alone, and with neither.
// KNOWN is what a lane knows of its word, MAY_BE whether a value seen now can be: `count` counts those that can. TAKE takes what was returned into
// account. An operation that was left out shows in `count`, in `sum` against the word's end, or in both: src/experiments/atomic_totals.hpp says how.
// Flat loops: lavapipe 22.3 gets nested ones with a data-dependent end wrong.
// Twin of shaders/atomic_latency.comp.
//% variant OPERATION=OPERATION_ADD METHOD=METHOD_CHAIN MEMORY=MEMORY_GLOBAL
//% variant OPERATION=OPERATION_ADD METHOD=METHOD_CHAIN MEMORY=MEMORY_LOCAL
//% variant OPERATION=OPERATION_ADD METHOD=METHOD_PAIR MEMORY=MEMORY_GLOBAL
//% variant OPERATION=OPERATION_ADD METHOD=METHOD_PAIR MEMORY=MEMORY_LOCAL
//% variant OPERATION=OPERATION_ADD METHOD=METHOD_LOAD MEMORY=MEMORY_GLOBAL
//% variant OPERATION=OPERATION_ADD METHOD=METHOD_LOAD MEMORY=MEMORY_LOCAL
//% variant OPERATION=OPERATION_ADD METHOD=METHOD_NONE MEMORY=MEMORY_GLOBAL
//% variant OPERATION=OPERATION_ADD METHOD=METHOD_NONE MEMORY=MEMORY_LOCAL
//% variant OPERATION=OPERATION_MIN METHOD=METHOD_CHAIN MEMORY=MEMORY_GLOBAL
//% variant OPERATION=OPERATION_MIN METHOD=METHOD_PAIR MEMORY=MEMORY_LOCAL
//% variant OPERATION=OPERATION_EXCHANGE METHOD=METHOD_CHAIN MEMORY=MEMORY_GLOBAL
//% variant OPERATION=OPERATION_EXCHANGE METHOD=METHOD_PAIR MEMORY=MEMORY_LOCAL
//% variant OPERATION=OPERATION_COMPARE_EXCHANGE METHOD=METHOD_CHAIN MEMORY=MEMORY_GLOBAL
//% variant OPERATION=OPERATION_COMPARE_EXCHANGE METHOD=METHOD_PAIR MEMORY=MEMORY_LOCAL
//% variant OPERATION=OPERATION_AND_OR METHOD=METHOD_CHAIN MEMORY=MEMORY_GLOBAL
//% variant OPERATION=OPERATION_AND_OR METHOD=METHOD_PAIR MEMORY=MEMORY_LOCAL

#define OPERATION_ADD 1
#define OPERATION_MIN 2
#define OPERATION_EXCHANGE 3
#define OPERATION_COMPARE_EXCHANGE 4
#define OPERATION_AND_OR 5

#define METHOD_CHAIN 1
#define METHOD_PAIR 2
#define METHOD_LOAD 3
#define METHOD_NONE 4

#define MEMORY_LOCAL 1
#define MEMORY_GLOBAL 2

#define WORDS 32         // of the line
#define FINAL_WORDS 8    // in out, behind the clocks: where the words' ends begin
#define RESULT_WORDS 40  // and where the lanes' {sum, count} begin

typedef struct {
  uint loops;   // of 16 operations
  uint lanes;   // that take part
  uint spread;  // words from lane to lane
  uint zero;    // 0
  uint start;   // of every word
  uint first;   // word of the line; 0 in local memory
} Parameters;

// FIRST_STEP and SECOND_STEP take turns; they differ for one operation only.
#if OPERATION == OPERATION_ADD
#define KNOWN p.start  // never less than this
#define MAY_BE(v) ((v) >= known)
#define FIRST_STEP(w) atomic_add(w, one)
#define TAKE(r) sum += (r); known = (r) + 1u;
#elif OPERATION == OPERATION_MIN
#define KNOWN p.start  // never more than this: who still finds it lowers it by one
#define MAY_BE(v) ((v) <= known)
#define FIRST_STEP(w) atomic_min(w, known - 1u)
#define TAKE(r) sum += (uint)((r) == known); known = min(r, known - 1u);
#elif OPERATION == OPERATION_EXCHANGE
#define KNOWN (1u + lane)  // what this lane puts there next, and nobody before
#define MAY_BE(v) ((v) != known)
#define FIRST_STEP(w) atomic_xchg(w, known)
#define TAKE(r) sum += (r); known += p.lanes;
#elif OPERATION == OPERATION_COMPARE_EXCHANGE
#define KNOWN p.start  // never less than this: who still finds it raises it by one
#define MAY_BE(v) ((v) >= known)
#define FIRST_STEP(w) atomic_cmpxchg(w, known, known + 1u)
#define TAKE(r) sum += (uint)((r) == known); known = (r) + (uint)((r) == known);
#else
#define KNOWN 0u  // this lane's bit, which no other lane changes
#define MAY_BE(v) (((v) & bit) == known)
#define FIRST_STEP(w) atomic_or(w, bit)
#define SECOND_STEP(w) atomic_and(w, ~bit)
#define TAKE(r) known ^= bit;
#endif
#ifndef SECOND_STEP
#define SECOND_STEP(w) FIRST_STEP(w)
#endif

#if METHOD == METHOD_CHAIN
#define STEP(ATOMIC)                          \
  {                                           \
    const uint found = ATOMIC(&memory[at]);   \
    at = base + (found & p.zero);             \
    count += (uint)MAY_BE(found);             \
    TAKE(found)                               \
  }
#elif METHOD == METHOD_PAIR
#define STEP(ATOMIC)                          \
  {                                           \
    const uint found = ATOMIC(&memory[at]);   \
    const uint loaded = memory[at];           \
    at = base + (loaded & p.zero);            \
    count += (uint)MAY_BE(found);             \
    TAKE(found)                               \
    count += (uint)MAY_BE(loaded);            \
  }
#elif METHOD == METHOD_LOAD
#define STEP(ATOMIC)                          \
  {                                           \
    const uint loaded = memory[at];           \
    at = base + (loaded & p.zero);            \
    sum += loaded;                            \
  }
#else
#define STEP(ATOMIC)                          \
  {                                           \
    at = p.start + (at & p.zero);             \
    sum += at;                                \
  }
#endif
#define STEPS_4 STEP(FIRST_STEP) STEP(SECOND_STEP) STEP(FIRST_STEP) STEP(SECOND_STEP)

__kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1))) void atomic_latency(__global volatile uint *words,
                                                                                     __global uint *out, Parameters p) {
#if MEMORY == MEMORY_LOCAL
  __local volatile uint memory[WORDS];
#else
  __global volatile uint *memory = words;
#endif
  const uint lane = (uint)get_local_id(0);
  for (uint i = lane; i < WORDS; i += LOCAL_SIZE) memory[p.first + i] = p.start;
  const uint base = p.first + lane * p.spread;
  const uint bit = 1u << (lane & 31u);
  const uint one = 1u + (lane & p.zero);
  uint at = base;
  uint known = KNOWN;
  uint sum = 0;
  uint count = 0;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);  // all lanes begin together
  const ulong device_begin = percycle_device_clock();
  const ulong unit_begin = percycle_unit_clock();
  if (lane < p.lanes) {
    for (uint i = 0; i < p.loops; ++i) {
      STEPS_4 STEPS_4 STEPS_4 STEPS_4
    }
    // The stores wait for the last operation, and the barrier for the last lane.
    out[RESULT_WORDS + 2 * lane] = sum;
    out[RESULT_WORDS + 2 * lane + 1] = count;
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  const ulong unit_end = percycle_unit_clock();
  const ulong device_end = percycle_device_clock();
  // Atomically, for a load may find what a cache still holds.
  for (uint i = lane; i < WORDS; i += LOCAL_SIZE) out[FINAL_WORDS + i] = atomic_or(&memory[p.first + i], 0u);
  if (lane == 0) {
    __global ulong *clocks = (__global ulong *)out;
    clocks[0] = unit_begin;
    clocks[1] = unit_end;
    clocks[2] = device_begin;
    clocks[3] = device_end;
  }
}
