// A chain of dependent operations. src/expected/instruction_chain.cpp defines a step, OPERATION(x,
// y, c), and the values that a turn begins with. docs/experiments/instructions.md says why.
// Twin of shaders/instruction_chain.comp.

#define PAIR y = OPERATION(x, y, even); x = OPERATION(y, x, odd);
#define PAIRS_2 PAIR PAIR
#define PAIRS_4 PAIRS_2 PAIRS_2
#define PAIRS_8 PAIRS_4 PAIRS_4
#define PAIRS_16 PAIRS_8 PAIRS_8

__kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1))) void instruction_chain(__global const uint *starts, __global const uint *operands,
                                                                                        __global ulong *out, Parameters p) {
  const uint lane = (uint)get_local_id(0);
  const VALUE even = AS_VALUE(operands[4 * lane], operands[4 * lane + 1]);
  const VALUE odd = AS_VALUE(operands[4 * lane + 2], operands[4 * lane + 3]);
  uint h = starts[lane];
  VALUE x = FIRST_VALUE(h);
  if (h == p.never) return;
  const ulong device_begin = percycle_device_clock();
  const ulong unit_begin = percycle_unit_clock();
#pragma unroll 1
  for (uint i = 0; i < p.loops; ++i) {
    x = FIRST_VALUE(h);
    VALUE y = OTHER_VALUE(h);
#if PAIRS & 1
    PAIR
#endif
#if PAIRS & 2
    PAIRS_2
#endif
#if PAIRS & 4
    PAIRS_4
#endif
#if PAIRS & 8
    PAIRS_8
#endif
#if PAIRS & 16
    PAIRS_16
#endif
#if PAIRS & 32
    PAIRS_16 PAIRS_16
#endif
    const uint2 words = WORDS(x);
    h = (h ^ ((words.x ^ words.y) & p.mask)) * 1664525u + (1013904223u + i);
  }
  if (h == p.never) return;
  const ulong unit_end = percycle_unit_clock();
  const ulong device_end = percycle_device_clock();

  const uint2 value = WORDS(x);
  out[4 + 2 * lane] = h;
  out[5 + 2 * lane] = as_ulong(value);
  if (lane == 0) {
    out[0] = unit_begin;
    out[1] = unit_end;
    out[2] = device_begin;
    out[3] = device_end;
  }
}
