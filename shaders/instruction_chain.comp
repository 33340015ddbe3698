// A chain of dependent operations. src/expected/instruction_chain.cpp defines a step, OPERATION(x,
// y, c), and the values that a turn begins with. docs/experiments/instructions.md says why.
// Twin of cl_kernels/instruction_chain.cl.

layout(std430, set = 0, binding = 0) readonly buffer Starts { uint starts[]; };
layout(std430, set = 0, binding = 1) readonly buffer Operands { uint operands[]; };
layout(std430, set = 0, binding = 2) writeonly buffer Out { uvec2 result[]; };

#define TYPE_INT32 1
#define TYPE_FP32 2
#define TYPE_INT64 3
#define TYPE_FP64 4
#define TYPE_FP16 5
#define TYPE_FP16X2 6

#if TYPE == TYPE_INT32
#define VALUE uint
#define AS_VALUE(low, high) (low)
#define WORDS(x) uvec2((x), 0u)
#elif TYPE == TYPE_FP32
#define VALUE float
#define AS_VALUE(low, high) uintBitsToFloat(low)
#define WORDS(x) uvec2(floatBitsToUint(x), 0u)
#elif TYPE == TYPE_INT64
#define VALUE uint64_t
#define AS_VALUE(low, high) packUint2x32(uvec2((low), (high)))
#define WORDS(x) unpackUint2x32(x)
#elif TYPE == TYPE_FP16
#define VALUE float16_t
#define AS_VALUE(low, high) unpackFloat2x16(low).x
#define WORDS(x) uvec2(packFloat2x16(f16vec2((x), 0.0hf)), 0u)
#elif TYPE == TYPE_FP16X2
#define VALUE f16vec2
#define AS_VALUE(low, high) unpackFloat2x16(low)
#define WORDS(x) uvec2(packFloat2x16(x), 0u)
#else
#define VALUE double
#define AS_VALUE(low, high) packDouble2x32(uvec2((low), (high)))
#define WORDS(x) unpackDouble2x32(x)
#endif

// The words of the host's expressions.
#define AS_FLOAT(x) uintBitsToFloat(x)
#define AS_UINT(x) floatBitsToUint(x)
#define TO_INT(x) int(x)
#define TO_UINT(x) uint(x)
#define TO_FLOAT(x) float(x)
#define TO_DOUBLE(x) double(x)
#define TO_HALF(x) float16_t(x)
#define FROM_HALF(x) float(x)
#define INT_OF(x) int(x)
#define FMIN(x, y) min((x), (y))
#define FMAX(x, y) max((x), (y))
#define CLZ(x) uint(31 - findMSB(x))
#define BFE(x) bitfieldExtract((x), 5, 20)
#define BREV(x) bitfieldReverse(x)
#define POPCOUNT(x) uint(bitCount(x))
#define FAST_RCP(x) (1.0 / (x))
#define FAST_SQRT(x) sqrt(x)
#define FAST_RSQRT(x) inversesqrt(x)
#define FAST_SIN(x) sin(x)
#define FAST_COS(x) cos(x)
#define FAST_LOG2(x) log2(x)
#define FAST_EXP2(x) exp2(x)

#define HADD(x, y) ((x) + (y))
#define HMUL(x, y) ((x) * (y))
#define HFMA(x, y, c) fma((x), (y), (c))
#define HMIN(x, y) min((x), (y))
#define HMAX(x, y) max((x), (y))
#define SHUFFLE(x, lane) subgroupShuffle((x), (lane))
#define BROADCAST(x) subgroupBroadcast((x), 0u)
#define BALLOT(holds) subgroupBallot(holds).x
#define VOTE(holds) uint(subgroupAny(holds))
#define REDUCE_ADD(x) subgroupAdd(x)
#define CLOCK() percycle_unit_clock().x

uint after_barrier(uint x) {
  barrier();
  return x;
}
#define AFTER_BARRIER(x) after_barrier(x)

#if HAS_DOT_PRODUCT
// SPV_KHR_integer_dot_product: OpUDotKHR of PackedVectorFormat4x8BitKHR; capabilities
// DotProductInput4x8BitPackedKHR and DotProductKHR.
spirv_instruction(extensions = ["SPV_KHR_integer_dot_product"], capabilities = [6018, 6019], id = 4451)
uint unsigned_dot(uint x, uint y, spirv_literal uint format);
#define DOT4(x, c, y) (unsigned_dot((x), (c), 0u) + (y))
#endif

uint high_product(uint x, uint y) {
  uint high, low;
  umulExtended(x, y, high, low);
  return high;
}
#define MULHI(x, y) high_product((x), (y))

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
