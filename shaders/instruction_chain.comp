// A chain of dependent operations. src/expected/instruction_chain.cpp defines a step, OPERATION(x,
// y, c), and the values that a turn begins with. docs/experiments/instructions.md says why.
// Twin of cl_kernels/instruction_chain.cl.

layout(std430, set = 0, binding = 0) readonly buffer Starts { uint starts[]; };
layout(std430, set = 0, binding = 1) readonly buffer Operands { uint operands[]; };
layout(std430, set = 0, binding = 2) writeonly buffer Out { uvec2 result[]; };

#define PAIR y = OPERATION(x, y, even); x = OPERATION(y, x, odd);
#define PAIRS_2 PAIR PAIR
#define PAIRS_4 PAIRS_2 PAIRS_2
#define PAIRS_8 PAIRS_4 PAIRS_4
#define PAIRS_16 PAIRS_8 PAIRS_8

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
