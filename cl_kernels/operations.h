// Precedes kernels of arithmetic operations (KernelDesc::texts): the type of their values and the
// words of the host's expressions, src/expected/instruction_chain.cpp. Twin of
// shaders/operations.glsl.

#pragma OPENCL FP_CONTRACT OFF

#define TYPE_INT32 1
#define TYPE_FP32 2
#define TYPE_INT64 3
#define TYPE_FP64 4
#define TYPE_FP16 5
#define TYPE_FP16X2 6
#define TYPE_INT8 7
#define TYPE_INT16 8
#define TYPE_INT16X2 9
#define TYPE_BF16 10
#define TYPE_BF16X2 11

#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#endif

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
#elif TYPE == TYPE_INT8
#define VALUE uchar
#define AS_VALUE(low, high) ((uchar)(low))
#define WORDS(x) ((uint2)((uint)(x), 0u))
#elif TYPE == TYPE_INT16 || TYPE == TYPE_BF16
#define VALUE ushort
#define AS_VALUE(low, high) ((ushort)(low))
#define WORDS(x) ((uint2)((uint)(x), 0u))
#elif TYPE == TYPE_INT16X2
#define VALUE ushort2
#define AS_VALUE(low, high) as_ushort2(low)
#define WORDS(x) ((uint2)(as_uint(x), 0u))
#elif TYPE == TYPE_BF16X2
#define VALUE uint
#define AS_VALUE(low, high) (low)
#define WORDS(x) ((uint2)((x), 0u))
#elif TYPE == TYPE_FP16 && UNIT_CLOCK == CLOCK_PTX
#define VALUE ushort
#define AS_VALUE(low, high) ((ushort)(low))
#define WORDS(x) ((uint2)((uint)(x), 0u))
#elif TYPE == TYPE_FP16X2 && UNIT_CLOCK == CLOCK_PTX
#define VALUE uint
#define AS_VALUE(low, high) (low)
#define WORDS(x) ((uint2)((x), 0u))
#elif TYPE == TYPE_FP16
#define VALUE half
#define AS_VALUE(low, high) as_half((ushort)(low))
#define WORDS(x) ((uint2)((uint)as_ushort(x), 0u))
#elif TYPE == TYPE_FP16X2
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
#define TO_DOUBLE(x) convert_double(x)
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
#define CLOCK() ((uint)percycle_unit_clock())

uint after_barrier(uint x) {
  barrier(CLK_LOCAL_MEM_FENCE);
  return x;
}
#define AFTER_BARRIER(x) after_barrier(x)

#if UNIT_CLOCK == CLOCK_PTX
// NVIDIA's OpenCL C lacks these functions; the PTX ISA has the instructions.
#define PTX_OF_TWO(type, constraint, function, code)                                     \
  type function(type x, type y) {                                                        \
    type z;                                                                              \
    __asm__(code " %0, %1, %2;" : "=" constraint(z) : constraint(x), constraint(y));     \
    return z;                                                                            \
  }
#define PTX_OF_THREE(type, constraint, function, code)                                                    \
  type function(type x, type y, type c) {                                                                 \
    type z;                                                                                               \
    __asm__(code " %0, %1, %2, %3;" : "=" constraint(z) : constraint(x), constraint(y), constraint(c));   \
    return z;                                                                                             \
  }
#if TYPE == TYPE_FP16
PTX_OF_TWO(ushort, "h", half_add, "add.rn.f16")
PTX_OF_TWO(ushort, "h", half_mul, "mul.rn.f16")
PTX_OF_THREE(ushort, "h", half_fma, "fma.rn.f16")
#elif TYPE == TYPE_FP16X2
PTX_OF_TWO(uint, "r", half_add, "add.rn.f16x2")
PTX_OF_TWO(uint, "r", half_mul, "mul.rn.f16x2")
PTX_OF_THREE(uint, "r", half_fma, "fma.rn.f16x2")
#elif TYPE == TYPE_BF16
PTX_OF_THREE(ushort, "h", bfloat_fma, "fma.rn.bf16")
#elif TYPE == TYPE_BF16X2
PTX_OF_THREE(uint, "r", bfloat_fma, "fma.rn.bf16x2")
#endif
#define BFMA(x, y, c) bfloat_fma((x), (y), (c))
#define HADD(x, y) half_add((x), (y))
#define HMUL(x, y) half_mul((x), (y))
#define HFMA(x, y, c) half_fma((x), (y), (c))
#ifdef USES_HALF_MINIMUM
PTX_OF_TWO(ushort, "h", half_min, "min.f16")
PTX_OF_TWO(ushort, "h", half_max, "max.f16")
#define HMIN(x, y) half_min((x), (y))
#define HMAX(x, y) half_max((x), (y))
#endif
uint to_half(float x) {
  ushort z;
  __asm__("cvt.rn.f16.f32 %0, %1;" : "=h"(z) : "f"(x));
  return z;
}
float from_half(uint x) {
  float z;
  __asm__("cvt.f32.f16 %0, %1;" : "=f"(z) : "h"((ushort)x));
  return z;
}
#define TO_HALF(x) to_half(x)
#define FROM_HALF(bits) from_half(bits)
#ifdef USES_DOT_PRODUCT
PTX_OF_THREE(uint, "r", dot4, "dp4a.u32.u32")
PTX_OF_THREE(uint, "r", dot4_signed, "dp4a.s32.s32")
PTX_OF_THREE(uint, "r", dot4_mixed, "dp4a.s32.u32")
#define DOT4(x, c, y) dot4((x), (c), (y))
#define DOT4_SIGNED(x, c, y) dot4_signed((x), (c), (y))
#define DOT4_MIXED(x, c, y) dot4_mixed((x), (c), (y))
#endif
uint shuffle_from(uint x, uint lane) {
  uint z;
  __asm__ volatile("shfl.sync.idx.b32 %0, %1, %2, 31, -1;" : "=r"(z) : "r"(x), "r"(lane));
  return z;
}
uint ballot_of_negative(uint x) {
  uint z;
  __asm__ volatile("{ .reg .pred p; setp.lt.s32 p, %1, 0; vote.sync.ballot.b32 %0, p, -1; }" : "=r"(z) : "r"(x));
  return z;
}
uint any_negative(uint x) {
  uint z;
  __asm__ volatile(
      "{ .reg .pred p, q; setp.lt.s32 p, %1, 0; vote.sync.any.pred q, p, -1; selp.u32 %0, 1, 0, q; }"
      : "=r"(z)
      : "r"(x));
  return z;
}
#ifdef USES_REDUCTION
uint sum_of(uint x) {
  uint z;
  __asm__ volatile("redux.sync.add.u32 %0, %1, -1;" : "=r"(z) : "r"(x));
  return z;
}
#define REDUCE_ADD(x) sum_of(x)
#endif
#define SHUFFLE(x, lane) shuffle_from((x), (lane))
#define BROADCAST(x) shuffle_from((x), 0u)
#define BALLOT_OF_NEGATIVE(x) ballot_of_negative(x)
#define ANY_NEGATIVE(x) any_negative(x)
#else
#define HADD(x, y) ((x) + (y))
#define HMUL(x, y) ((x) * (y))
#define HFMA(x, y, c) fma((x), (y), (c))
#define HMIN(x, y) fmin((x), (y))
#define HMAX(x, y) fmax((x), (y))
#define TO_HALF(x) ((uint)as_ushort(convert_half(x)))
#define FROM_HALF(bits) convert_float(as_half((ushort)(bits)))
#define DOT4(x, c, y) (dot_4x8packed_uu_uint((x), (c)) + (y))
#define DOT4_SIGNED(x, c, y) (as_uint(dot_4x8packed_ss_int((x), (c))) + (y))
#define DOT4_MIXED(x, c, y) (as_uint(dot_4x8packed_su_int((x), (c))) + (y))
#define DOT4_SATURATING(x, c, y) dot_acc_sat_4x8packed_uu_uint((x), (c), (y))
#define DOT4_SIGNED_SATURATING(x, c, y) as_uint(dot_acc_sat_4x8packed_ss_int((x), (c), as_int(y)))
#define DOT4_MIXED_SATURATING(x, c, y) as_uint(dot_acc_sat_4x8packed_su_int((x), (c), as_int(y)))
#define SHUFFLE(x, lane) sub_group_shuffle((x), (lane))
#define BROADCAST(x) sub_group_broadcast((x), 0u)
#define BALLOT_OF_NEGATIVE(value) sub_group_ballot(as_int(value) < 0).x
#define ANY_NEGATIVE(x) ((uint)(sub_group_any(as_int(x) < 0) != 0))
#define REDUCE_ADD(x) sub_group_reduce_add(x)
#ifdef cl_khr_subgroups
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#endif
#ifdef cl_khr_subgroup_ballot
#pragma OPENCL EXTENSION cl_khr_subgroup_ballot : enable
#endif
#ifdef cl_khr_subgroup_shuffle
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle : enable
#endif
#ifdef cl_khr_integer_dot_product
#pragma OPENCL EXTENSION cl_khr_integer_dot_product : enable
#endif
#endif

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
