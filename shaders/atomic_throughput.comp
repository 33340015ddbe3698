// Independent atomic operations: every lane repeats one operation on one word; `sharers`
// consecutive lanes share a word. Twin of cl_kernels/atomic_throughput.cl, which explains forms and
// checks.

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

layout(std430, set = 0, binding = 0) writeonly buffer Out { uint result[]; };
layout(std430, set = 0, binding = 1) writeonly buffer Stamps { uvec2 stamps[]; };
layout(std430, set = 0, binding = 2) coherent volatile buffer Words { uint words[]; };
#if MEMORY == MEMORY_LOCAL
shared uint memory[LOCAL_SIZE];
#else
#define memory words
#endif

// FIRST and SECOND take turns; they differ for one operation only.
// A lane's k-th operation brings start - k: it counts 1 if that was a step, 2 if the word was no
// further off.
#if OPERATION == OPERATION_ADD
#define BEGIN 1u + (local_id & p.zero)
#define OPERAND(k) operand
#define ADVANCE
#define FIRST(k) atomicAdd(memory[at], operand)
#define TAKEN(r, k) (r)
#elif OPERATION == OPERATION_MIN
#define BEGIN p.start - 1u
#define OPERAND(k) (operand - k)
#define ADVANCE operand -= 8u;
#define FIRST(k) atomicMin(memory[at], OPERAND(k))
#define TAKEN(r, k) (uint((r) > OPERAND(k)) + 2u * uint((r) <= OPERAND(k) + 1u))
#elif OPERATION == OPERATION_EXCHANGE
#define BEGIN 1u + global_id  // numbers that no other lane brings
#define OPERAND(k) (operand + k * p.lanes)
#define ADVANCE operand += 8u * p.lanes;
// A lane's k-th operation raises start + k - 1 by one and counts in the same way.
#define FIRST(k) atomicExchange(memory[at], OPERAND(k))
#define TAKEN(r, k) (r)
#elif OPERATION == OPERATION_COMPARE_EXCHANGE
#define BEGIN p.start
#define OPERAND(k) (operand + k)
#define ADVANCE operand += 8u;
// Its own bit, set by an OR and cleared by an AND. It counts if it was as the lane left it.
#define FIRST(k) atomicCompSwap(memory[at], OPERAND(k), OPERAND(k) + 1u)
#define TAKEN(r, k) (uint((r) == OPERAND(k)) + 2u * uint((r) >= OPERAND(k)))
#else
#define BEGIN 1u << (local_id & 31u)
#define ADVANCE
#define FIRST(k) atomicOr(memory[at], operand)
#define SECOND(k) atomicAnd(memory[at], ~operand)
#define TAKEN(r, k) uint(((r) & operand) == (k % 2u) * operand)
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

void main() {
  const uint local_id = gl_LocalInvocationID.x;
  const uint global_id = gl_GlobalInvocationID.x;
#if FORM == FORM_START
  words[global_id] = p.start;
#else
#if MEMORY == MEMORY_LOCAL
  memory[local_id] = p.start;
  const uint at = local_id / p.sharers * p.spread;
#else
  const uint at = gl_WorkGroupID.x * p.group_spread + local_id / p.sharers * p.spread;
#endif
  uint operand = BEGIN;
  uint sum = 0u;
  percycle_all_here();  // all subgroups begin together
  const uvec2 device_begin = percycle_device_clock();
  const uvec2 unit_begin = percycle_unit_clock();
  barrier();  // none begins before the clocks are read
  for (uint i = 0; i < p.loops; ++i) {
    STEPS_8
    STEPS_8
  }
  // The store waits for the result of the last operation, and the barrier for the last subgroup.
  result[global_id] = sum;
  percycle_all_here();
  const uvec2 unit_end = percycle_unit_clock();
  const uvec2 device_end = percycle_device_clock();
#if MEMORY == MEMORY_LOCAL
  words[global_id] = atomicOr(memory[local_id], 0u);
#endif
  if (local_id == 0) {
    const uint stamp = 5u * gl_WorkGroupID.x;
    stamps[stamp] = unit_begin;
    stamps[stamp + 1u] = unit_end;
    stamps[stamp + 2u] = device_begin;
    stamps[stamp + 3u] = device_end;
    stamps[stamp + 4u] = uvec2(percycle_unit_id(), 0);
  }
#endif
}
