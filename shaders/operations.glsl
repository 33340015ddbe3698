// Precedes kernels of arithmetic operations (KernelDesc::texts): the type of their values and the
// words of the host's expressions, src/expected/instruction_chain.cpp. Twin of
// cl_kernels/operations.h.

#define TYPE_INT32 1
#define TYPE_FP32 2
#define TYPE_INT64 3
#define TYPE_FP64 4
#define TYPE_FP16 5
#define TYPE_FP16X2 6
#define TYPE_INT8 7
#define TYPE_INT16 8
#define TYPE_INT16X2 9

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
#elif TYPE == TYPE_INT8
#define VALUE uint8_t
#define AS_VALUE(low, high) uint8_t(low)
#define WORDS(x) uvec2(uint(x), 0u)
#elif TYPE == TYPE_INT16
#define VALUE uint16_t
#define AS_VALUE(low, high) uint16_t(low)
#define WORDS(x) uvec2(uint(x), 0u)
#elif TYPE == TYPE_INT16X2
#define VALUE u16vec2
#define AS_VALUE(low, high) unpackUint2x16(low)
#define WORDS(x) uvec2(packUint2x16(x), 0u)
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
#define TO_HALF(x) packHalf2x16(vec2((x), 0.0))
#define FROM_HALF(bits) unpackHalf2x16(bits).x
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
#define BALLOT_OF_NEGATIVE(value) subgroupBallot(int(value) < 0).x
#define ANY_NEGATIVE(x) uint(subgroupAny(int(x) < 0))
#define REDUCE_ADD(x) subgroupAdd(x)
#define CLOCK() percycle_unit_clock().x

uint after_barrier(uint x) {
  barrier();
  return x;
}
#define AFTER_BARRIER(x) after_barrier(x)

#if HAS_DOT_PRODUCT
// SPV_KHR_integer_dot_product: OpSDotKHR, OpUDotKHR, OpSUDotKHR and the same with AccSat, of
// PackedVectorFormat4x8BitKHR; capabilities DotProductInput4x8BitPackedKHR and DotProductKHR.
#define DOT_INSTRUCTION(number) \
  spirv_instruction(extensions = ["SPV_KHR_integer_dot_product"], capabilities = [6018, 6019], id = number)
DOT_INSTRUCTION(4450) int signed_dot(uint x, uint y, spirv_literal uint format);
DOT_INSTRUCTION(4451) uint unsigned_dot(uint x, uint y, spirv_literal uint format);
DOT_INSTRUCTION(4452) int mixed_dot(uint x, uint y, spirv_literal uint format);
DOT_INSTRUCTION(4453) int signed_saturating_dot(uint x, uint y, int sum, spirv_literal uint format);
DOT_INSTRUCTION(4454) uint unsigned_saturating_dot(uint x, uint y, uint sum, spirv_literal uint format);
DOT_INSTRUCTION(4455) int mixed_saturating_dot(uint x, uint y, int sum, spirv_literal uint format);
#define DOT4(x, c, y) (unsigned_dot((x), (c), 0u) + (y))
#define DOT4_SIGNED(x, c, y) (uint(signed_dot((x), (c), 0u)) + (y))
#define DOT4_MIXED(x, c, y) (uint(mixed_dot((x), (c), 0u)) + (y))
#define DOT4_SATURATING(x, c, y) unsigned_saturating_dot((x), (c), (y), 0u)
#define DOT4_SIGNED_SATURATING(x, c, y) uint(signed_saturating_dot((x), (c), int(y), 0u))
#define DOT4_MIXED_SATURATING(x, c, y) uint(mixed_saturating_dot((x), (c), int(y), 0u))
#endif

uint high_product(uint x, uint y) {
  uint high, low;
  umulExtended(x, y, high, low);
  return high;
}
#define MULHI(x, y) high_product((x), (y))
