// Dependent atomic operations: every contending lane of one work-group does one after the other, all on one word of a line (spread 0) or each on
// its own (spread 1). What an operation returned (METHOD_CHAIN), or what a load of the same word behind it found (METHOD_PAIR: Jia et al.,
// Dissecting the NVidia Turing T4 GPU, section 4.2), goes into the address of the next: masked with a zero that the compiler does not know, so
// that no compiler can join the lanes' operations, start one early or leave one out. What is added is of each lane its own, for the same reason:
// NVIDIA's Vulkan driver lets one lane add for all where it knows that they add the same, and counts them first (446 cycles on an H200, not 320). METHOD_LOAD and METHOD_NONE are the controls: the same
// loop with the load alone, and with neither.
// KNOWN is what a lane knows of its word, MAY_BE whether a value seen now can be: `count` counts those that can. TAKE takes what was returned into
// account. An operation that was left out shows in `count`, in `sum` against the word's end, or in both: src/experiments/atomic_totals.hpp says how.
// Flat loops: lavapipe 22.3 gets nested ones with a data-dependent end wrong.
// Twin of cl_kernels/atomic_latency.cl.
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

layout(push_constant) uniform Parameters {
  uint loops;   // of 16 operations
  uint lanes;   // that take part
  uint spread;  // words from lane to lane
  uint zero;    // 0
  uint start;   // of every word
  uint first;   // word of the line; 0 in local memory
} p;

layout(std430, set = 0, binding = 0) coherent volatile buffer Words { uint words[]; };
layout(std430, set = 0, binding = 1) writeonly buffer Out { uint result[]; };
#if MEMORY == MEMORY_LOCAL
shared uint memory[WORDS];
#else
#define memory words
#endif

// FIRST_STEP and SECOND_STEP take turns; they differ for one operation only.
#if OPERATION == OPERATION_ADD
#define KNOWN p.start  // never less than this
#define MAY_BE(v) ((v) >= known)
#define FIRST_STEP(w) atomicAdd(w, one)
#define TAKE(r) sum += (r); known = (r) + 1u;
#elif OPERATION == OPERATION_MIN
#define KNOWN p.start  // never more than this: who still finds it lowers it by one
#define MAY_BE(v) ((v) <= known)
#define FIRST_STEP(w) atomicMin(w, known - 1u)
#define TAKE(r) sum += uint((r) == known); known = min(r, known - 1u);
#elif OPERATION == OPERATION_EXCHANGE
#define KNOWN (1u + lane)  // what this lane puts there next, and nobody before
#define MAY_BE(v) ((v) != known)
#define FIRST_STEP(w) atomicExchange(w, known)
#define TAKE(r) sum += (r); known += p.lanes;
#elif OPERATION == OPERATION_COMPARE_EXCHANGE
#define KNOWN p.start  // never less than this: who still finds it raises it by one
#define MAY_BE(v) ((v) >= known)
#define FIRST_STEP(w) atomicCompSwap(w, known, known + 1u)
#define TAKE(r) sum += uint((r) == known); known = (r) + uint((r) == known);
#else
#define KNOWN 0u  // this lane's bit, which no other lane changes
#define MAY_BE(v) (((v) & bit) == known)
#define FIRST_STEP(w) atomicOr(w, bit)
#define SECOND_STEP(w) atomicAnd(w, ~bit)
#define TAKE(r) known ^= bit;
#endif
#ifndef SECOND_STEP
#define SECOND_STEP(w) FIRST_STEP(w)
#endif

#if METHOD == METHOD_CHAIN
#define STEP(ATOMIC)                          \
  {                                           \
    const uint found = ATOMIC(memory[at]);    \
    at = base + (found & p.zero);             \
    count += uint(MAY_BE(found));             \
    TAKE(found)                               \
  }
#elif METHOD == METHOD_PAIR
#define STEP(ATOMIC)                          \
  {                                           \
    const uint found = ATOMIC(memory[at]);    \
    const uint loaded = memory[at];           \
    at = base + (loaded & p.zero);            \
    count += uint(MAY_BE(found));             \
    TAKE(found)                               \
    count += uint(MAY_BE(loaded));            \
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

void put_clock(uint clock, uvec2 count) {
  result[2 * clock] = count.x;
  result[2 * clock + 1] = count.y;
}

void main() {
  const uint lane = gl_LocalInvocationID.x;
  for (uint i = lane; i < WORDS; i += LOCAL_SIZE) memory[p.first + i] = p.start;
  const uint base = p.first + lane * p.spread;
  const uint bit = 1u << (lane & 31u);
  const uint one = 1u + (lane & p.zero);
  uint at = base;
  uint known = KNOWN;
  uint sum = 0u;
  uint count = 0u;
  groupMemoryBarrier();
  barrier();  // all lanes begin together
  const uvec2 device_begin = percycle_device_clock();
  const uvec2 unit_begin = percycle_unit_clock();
  if (lane < p.lanes) {
    for (uint i = 0; i < p.loops; ++i) {
      STEPS_4 STEPS_4 STEPS_4 STEPS_4
    }
    // The stores wait for the last operation, and the barrier for the last lane.
    result[RESULT_WORDS + 2 * lane] = sum;
    result[RESULT_WORDS + 2 * lane + 1] = count;
  }
  groupMemoryBarrier();
  barrier();
  const uvec2 unit_end = percycle_unit_clock();
  const uvec2 device_end = percycle_device_clock();
  // Atomically, for a load may find what a cache still holds.
  for (uint i = lane; i < WORDS; i += LOCAL_SIZE) result[FINAL_WORDS + i] = atomicOr(memory[p.first + i], 0u);
  if (lane == 0) {
    put_clock(0, unit_begin);
    put_clock(1, unit_end);
    put_clock(2, device_begin);
    put_clock(3, device_end);
  }
}
