// A chain of dependent steps (docs/experiments/instructions.md). src/expected/instruction_chain.cpp
// has OPERATION(x, y, c), HELPER(x, y, c) and TURN, which is a row of RUN_n of both.
// Twin of shaders/instruction_chain.comp.

#define RUN_1(STEP) y = STEP(x, y, even); x = STEP(y, x, odd);
#define RUN_2(STEP) RUN_1(STEP) RUN_1(STEP)
#define RUN_4(STEP) RUN_2(STEP) RUN_2(STEP)
#define RUN_8(STEP) RUN_4(STEP) RUN_4(STEP)
#define RUN_16(STEP) RUN_8(STEP) RUN_8(STEP)
#define RUN_32(STEP) RUN_16(STEP) RUN_16(STEP)
#define RUN_64(STEP) RUN_32(STEP) RUN_32(STEP)
#define RUN_128(STEP) RUN_64(STEP) RUN_64(STEP)

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
    TURN
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
