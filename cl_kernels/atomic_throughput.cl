// Independent atomic operations: every lane repeats one operation on one word; `sharers`
// consecutive lanes share a word. Twin of shaders/atomic_throughput.comp.
//
// The words of a group are `spread` apart, the words of neighbouring groups `group_spread`.
// FORM_RETURN adds up the returned values, eight at a time, and no operation needs another's
// result. FORM_NO_RETURN ignores them, so that the compiler can use an instruction without a
// result. FORM_START sets the words.
//
// No compiler can merge the lanes' operations: the address depends on the lane's number and on a
// divisor that the compiler does not know, and the addend may differ per lane. If no value is
// returned, NVIDIA's Vulkan driver checks at run time which lanes share a word. The words are
// volatile, so that operations of one lane are not merged either. OPERAND(k) is the operand of the
// k-th operation in a turn of eight, TAKEN the summed part of its result. Operands never depend on
// results.

#define OPERATION_ADD 1
#define OPERATION_MIN 2
#define OPERATION_EXCHANGE 3
#define OPERATION_COMPARE_EXCHANGE 4
#define OPERATION_AND_OR 5

#define FORM_RETURN 1
#define FORM_NO_RETURN 2
#define FORM_START 3

#define MEMORY_LOCAL 1
#define MEMORY_GLOBAL 2

// FIRST and SECOND take turns; they differ for one operation only.
// A lane's k-th operation brings start - k: it counts 1 if that was a step, 2 if the word was no
// further off.
#if OPERATION == OPERATION_ADD
#define BEGIN 1u + (local_id & p.zero)
#define OPERAND(k) operand
#define ADVANCE
#define FIRST(k) atomic_add(&memory[at], operand)
#define TAKEN(r, k) (r)
#elif OPERATION == OPERATION_MIN
#define BEGIN p.start - 1u
#define OPERAND(k) (operand - k)
#define ADVANCE operand -= 8u;
#define FIRST(k) atomic_min(&memory[at], OPERAND(k))
#define TAKEN(r, k) ((uint)((r) > OPERAND(k)) + 2u * (uint)((r) <= OPERAND(k) + 1u))
#elif OPERATION == OPERATION_EXCHANGE
#define BEGIN 1u + global_id  // numbers that no other lane brings
#define OPERAND(k) (operand + k * p.lanes)
#define ADVANCE operand += 8u * p.lanes;
// A lane's k-th operation raises start + k - 1 by one and counts in the same way.
#define FIRST(k) atomic_xchg(&memory[at], OPERAND(k))
#define TAKEN(r, k) (r)
#elif OPERATION == OPERATION_COMPARE_EXCHANGE
#define BEGIN p.start
#define OPERAND(k) (operand + k)
#define ADVANCE operand += 8u;
// Its own bit, set by an OR and cleared by an AND. It counts if it was as the lane left it.
#define FIRST(k) atomic_cmpxchg(&memory[at], OPERAND(k), OPERAND(k) + 1u)
#define TAKEN(r, k) ((uint)((r) == OPERAND(k)) + 2u * (uint)((r) >= OPERAND(k)))
#else
#define BEGIN 1u << (local_id & 31u)
#define ADVANCE
#define FIRST(k) atomic_or(&memory[at], operand)
#define SECOND(k) atomic_and(&memory[at], ~operand)
#define TAKEN(r, k) (uint)(((r) & operand) == (k % 2u) * operand)
#endif
#ifndef SECOND
#define SECOND(k) FIRST(k)
#endif

#if FORM == FORM_RETURN
#define STEPS_8                                                                                    \
  {                                                                                                \
    const uint a = FIRST(0u), b = SECOND(1u), c = FIRST(2u), d = SECOND(3u);                       \
    const uint e = FIRST(4u), f = SECOND(5u), g = FIRST(6u), h = SECOND(7u);                       \
    sum += TAKEN(a, 0u) + TAKEN(b, 1u) + TAKEN(c, 2u) + TAKEN(d, 3u);                              \
    sum += TAKEN(e, 4u) + TAKEN(f, 5u) + TAKEN(g, 6u) + TAKEN(h, 7u);                              \
    ADVANCE                                                                                        \
  }
#else
#define STEPS_8                                        \
  {                                                    \
    FIRST(0u); SECOND(1u); FIRST(2u); SECOND(3u);      \
    FIRST(4u); SECOND(5u); FIRST(6u); SECOND(7u);      \
    ADVANCE                                            \
  }
#endif

__kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1))) void atomic_throughput(__global uint *out, __global ulong *stamps,
                                                                                        __global volatile uint *words,
                                                                                        Parameters p) {
  const uint local_id = (uint)get_local_id(0);
  const uint global_id = (uint)get_global_id(0);
#if FORM == FORM_START
  words[global_id] = p.start;
#else
#if MEMORY == MEMORY_LOCAL
  __local volatile uint memory[LOCAL_SIZE];
  memory[local_id] = p.start;
  const uint at = local_id / p.sharers * p.spread;
#else
  __global volatile uint *memory = words;
  const uint at = (uint)get_group_id(0) * p.group_spread + local_id / p.sharers * p.spread;
#endif
  uint operand = BEGIN;
  uint sum = 0;
  PERCYCLE_ALL_HERE();  // all subgroups begin together
  const ulong device_begin = percycle_device_clock();
  const ulong unit_begin = percycle_unit_clock();
  barrier(CLK_LOCAL_MEM_FENCE);  // none begins before the clocks are read
  for (uint i = 0; i < p.loops; ++i) {
    STEPS_8
    STEPS_8
  }
  // The store waits for the result of the last operation, and the barrier for the last subgroup.
  out[global_id] = sum;
  PERCYCLE_ALL_HERE();
  const ulong unit_end = percycle_unit_clock();
  const ulong device_end = percycle_device_clock();
#if MEMORY == MEMORY_LOCAL
  words[global_id] = atomic_or(&memory[local_id], 0u);
#endif
  if (local_id == 0) {
    __global ulong *stamp = stamps + 5 * get_group_id(0);
    stamp[0] = unit_begin;
    stamp[1] = unit_end;
    stamp[2] = device_begin;
    stamp[3] = device_end;
    stamp[4] = percycle_unit_id();
  }
#endif
}
