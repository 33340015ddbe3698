// A chain of dependent steps (docs/experiments/instructions.md). src/expected/instruction_chain.cpp
// has OPERATION(x, y, c), HELPER(x, y, c) and TURN, which is a row of RUN_n of both.
// Twin of cl_kernels/instruction_chain.cl.

layout(std430, set = 0, binding = 0) readonly buffer Starts { uint starts[]; };
layout(std430, set = 0, binding = 1) readonly buffer Operands { uint operands[]; };
layout(std430, set = 0, binding = 2) writeonly buffer Out { uvec2 result[]; };

#define RUN_1(STEP) y = STEP(x, y, even); x = STEP(y, x, odd);
#define RUN_2(STEP) RUN_1(STEP) RUN_1(STEP)
#define RUN_4(STEP) RUN_2(STEP) RUN_2(STEP)
#define RUN_8(STEP) RUN_4(STEP) RUN_4(STEP)
#define RUN_16(STEP) RUN_8(STEP) RUN_8(STEP)
#define RUN_32(STEP) RUN_16(STEP) RUN_16(STEP)
#define RUN_64(STEP) RUN_32(STEP) RUN_32(STEP)
#define RUN_128(STEP) RUN_64(STEP) RUN_64(STEP)

void main() {
  const uint lane = gl_LocalInvocationID.x;
  const VALUE even = AS_VALUE(operands[4 * lane], operands[4 * lane + 1]);
  const VALUE odd = AS_VALUE(operands[4 * lane + 2], operands[4 * lane + 3]);
  uint h = starts[lane];
  precise VALUE x = FIRST_VALUE(h);
  if (h == p.never) return;
  const uvec2 device_begin = percycle_device_clock();
  const uvec2 unit_begin = percycle_unit_clock();
  for (uint i = 0u; i < p.loops; ++i) {
    x = FIRST_VALUE(h);
    precise VALUE y = OTHER_VALUE(h);
    TURN
    const uvec2 words = WORDS(x);
    h = (h ^ ((words.x ^ words.y) & p.mask)) * 1664525u + (1013904223u + i);
  }
  if (h == p.never) return;
  const uvec2 unit_end = percycle_unit_clock();
  const uvec2 device_end = percycle_device_clock();

  result[4 + 2 * lane] = uvec2(h, 0u);
  result[5 + 2 * lane] = WORDS(x);
  if (lane == 0u) {
    result[0] = unit_begin;
    result[1] = unit_end;
    result[2] = device_begin;
    result[3] = device_end;
  }
}
