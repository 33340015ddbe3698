// A chain of dependent operations. src/expected/instruction_chain.cpp defines a step, OPERATION(x,
// y, c), and the values that a turn begins with. docs/experiments/instructions.md says why.
// Twin of shaders/instruction_chain.comp.

#pragma OPENCL FP_CONTRACT OFF

#define TYPE_INT32 1
#define TYPE_FP32 2
#define TYPE_INT64 3
#define TYPE_FP64 4

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
