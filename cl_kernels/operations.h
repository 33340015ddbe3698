// Precedes kernels of arithmetic operations (KernelDesc::texts): the type of their values and the
// words of the host's expressions, src/expected/instruction_chain.cpp. Twin of
// shaders/operations.glsl.

#pragma OPENCL FP_CONTRACT OFF

#define TYPE_INT32 1
#define TYPE_FP32 2
#define TYPE_INT64 3
#define TYPE_FP64 4
#define TYPE_FP16X2 5

#if TYPE == TYPE_INT32
#define VALUE uint
#define AS_VALUE(low, high) (low)
#define WORDS(x) ((uint2)((x), 0u))
#elif TYPE == TYPE_FP32
#define VALUE float
#define AS_VALUE(low, high) as_float(low)
#define WORDS(x) ((uint2)(as_uint(x), 0u))
#elif TYPE == TYPE_INT64
#define VALUE ulong
#define AS_VALUE(low, high) as_ulong((uint2)((low), (high)))
#define WORDS(x) as_uint2(x)
#elif TYPE == TYPE_FP16X2 && UNIT_CLOCK == CLOCK_PTX
// NVIDIA's OpenCL C has no 16-bit numbers.
#define VALUE uint
#define AS_VALUE(low, high) (low)
#define WORDS(x) ((uint2)((x), 0u))
#elif TYPE == TYPE_FP16X2
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define VALUE half2
#define AS_VALUE(low, high) as_half2(low)
#define WORDS(x) ((uint2)(as_uint(x), 0u))
#else
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define VALUE double
#define AS_VALUE(low, high) as_double((uint2)((low), (high)))
#define WORDS(x) as_uint2(x)
#endif

// The words of the host's expressions.
#define AS_FLOAT(x) as_float(x)
#define AS_UINT(x) as_uint(x)
#define TO_INT(x) as_int(x)
#define TO_UINT(x) as_uint(x)
#define TO_FLOAT(x) convert_float(x)
#define INT_OF(x) convert_int(x)
#define FMIN(x, y) fmin((x), (y))
#define FMAX(x, y) fmax((x), (y))
#define MULHI(x, y) mul_hi((x), (y))
#define CLZ(x) clz(x)
#define BFE(x) (((x) >> 5) & 0xfffffu)
#define FAST_RCP(x) native_recip(x)
#define FAST_SQRT(x) native_sqrt(x)
#define FAST_RSQRT(x) native_rsqrt(x)
#define FAST_SIN(x) native_sin(x)
#define FAST_COS(x) native_cos(x)
#define FAST_LOG2(x) native_log2(x)
#define FAST_EXP2(x) native_exp2(x)
#define POPCOUNT(x) popcount(x)

// OpenCL C 1.2 has no function for it.
#if UNIT_CLOCK == CLOCK_PTX
uint reversed_bits(uint x) {
  uint reversed;
  __asm__("brev.b32 %0, %1;" : "=r"(reversed) : "r"(x));
  return reversed;
}
#define BREV(x) reversed_bits(x)
#else
#define BREV(x) __builtin_bitreverse32(x)  // clang's
#endif

#if TYPE == TYPE_FP16X2 && UNIT_CLOCK == CLOCK_PTX
uint packed_fma(uint x, uint y, uint z) {
  uint result;
  __asm__("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(result) : "r"(x), "r"(y), "r"(z));
  return result;
}
#define PACKED_FMA(x, y, z) packed_fma((x), (y), (z))
#else
#define PACKED_FMA(x, y, z) fma((x), (y), (z))
#endif
