// CHAINS independent sums of products of matrices in each subgroup, on some subgroups of a
// work-group. `factors` has three left factors by rows and one right factor by columns; a row has
// ROW_WORDS words. docs/experiments/instructions.md says why. Twin of shaders/matrix_stream.comp.

#define FP16 1
#define BF16 2
#define TF32 3
#define FP64 4
#define FP8_E4M3 5
#define FP8_E5M2 6
#define SINT8 7
#define UINT8 8
#define FP32 9
#define SINT32 10
#define UINT32 11

#define CHAIN_0(M) M(0)
#define CHAIN_1(M) M(1)
#define CHAIN_2(M) M(2)
#define CHAIN_3(M) M(3)
#define CHAIN_4(M) M(4)
#define CHAIN_5(M) M(5)
#define CHAIN_6(M) M(6)
#define CHAIN_7(M) M(7)
#if CHAINS == 1
#define EACH(M) CHAIN_0(M)
#elif CHAINS == 2
#define EACH(M) CHAIN_0(M) CHAIN_1(M)
#elif CHAINS == 4
#define EACH(M) CHAIN_0(M) CHAIN_1(M) CHAIN_2(M) CHAIN_3(M)
#else
#define EACH(M) CHAIN_0(M) CHAIN_1(M) CHAIN_2(M) CHAIN_3(M) CHAIN_4(M) CHAIN_5(M) CHAIN_6(M) CHAIN_7(M)
#endif

#if FACTORS == FP64
#define ROW_WORDS (2 * DEPTH)
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define DOUBLE_OF(at, row, i) \
  as_double((uint2)((at)[ROW_WORDS * (row) + 2 * (i)], (at)[ROW_WORDS * (row) + 2 * (i) + 1]))
#else
#define ROW_WORDS 8
#endif
#if SUMS == SINT32 || SUMS == UINT32
#define NUMBER int  // sums wrap, signed or not
#elif SUMS == FP64
#define NUMBER double
#else
#define NUMBER float
#endif

#if UNIT_CLOCK != CLOCK_PTX
// cl_intel_subgroup_matrix_multiply_accumulate. A lane has of each row of the left factor one
// 16-bit slice (of 16 lanes) or a word (of 8), and a whole column of the right factor and the sum.
#define PASTE(a, b) a##b
#define VECTOR(type) PASTE(type, 8)
#if FACTORS == UINT8
#define WORD uint
#define HALF_WORD ushort
#else
#define WORD int
#define HALF_WORD short
#endif
#if COLUMNS == 8
#define SLICE WORD
#else
#define SLICE HALF_WORD
#endif
#if FACTORS == FP16
#define PRODUCT intel_sub_group_f16_f16_matrix_mad_k16
#elif FACTORS == BF16
#define PRODUCT intel_sub_group_bf16_bf16_matrix_mad_k16
#elif FACTORS == SINT8
#define PRODUCT intel_sub_group_i8_i8_matrix_mad_k32
#else
#define PRODUCT intel_sub_group_u8_u8_matrix_mad_k32
#endif
// Some versions of the compiler know the function but lack its declaration.
VECTOR(NUMBER) __attribute__((overloadable)) PRODUCT(VECTOR(SLICE), VECTOR(WORD), VECTOR(NUMBER));

#define SLICES (ROW_WORDS * 4 / sizeof(SLICE))  // of a row
#define SLICE_OF(at, row) ((__global const SLICE *)(at))[(row) * SLICES + lane]
#define LOAD_LEFT(name, at)                                                                                            \
  const VECTOR(SLICE) name = (VECTOR(SLICE))(SLICE_OF(at, 0), SLICE_OF(at, 1), SLICE_OF(at, 2), SLICE_OF(at, 3), \
                                             SLICE_OF(at, 4), SLICE_OF(at, 5), SLICE_OF(at, 6), SLICE_OF(at, 7));
#define LOAD_RIGHT(at) const VECTOR(WORD) right = vload8(lane, (__global const WORD *)(at));
#define BEGIN(k) VECTOR(NUMBER) s##k = (VECTOR(NUMBER))(k + 1);
#define MULTIPLY_ADD(k, f) s##k = PRODUCT(f, right, s##k);
#define BEGIN_TOTAL VECTOR(NUMBER) total = (VECTOR(NUMBER))(0);
#define END(k) total += s##k;
#define STORE(tile)                       \
  tile[lane] = total.s0;                  \
  tile[COLUMNS + lane] = total.s1;        \
  tile[2 * COLUMNS + lane] = total.s2;    \
  tile[3 * COLUMNS + lane] = total.s3;    \
  tile[4 * COLUMNS + lane] = total.s4;    \
  tile[5 * COLUMNS + lane] = total.s5;    \
  tile[6 * COLUMNS + lane] = total.s6;    \
  tile[7 * COLUMNS + lane] = total.s7;

#elif FACTORS == FP64 && ROWS == 8
// PTX ISA, "mma.m8n8k4", .f64: lane 4 * g + t has of the left factor column t in row g, of the
// right factor row t in column g, of the sum columns 2t, 2t + 1 in row g.
#define LOAD_LEFT(name, at) const double name = DOUBLE_OF(at, g, t);
#define LOAD_RIGHT(at) const double right = DOUBLE_OF(at, g, t);
#define BEGIN(k) double a##k = k + 1, b##k = k + 1;
#define MULTIPLY_ADD(k, f)                                                                       \
  __asm__ volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};" \
                   : "+d"(a##k), "+d"(b##k)                                                      \
                   : "d"(f), "d"(right));
#define BEGIN_TOTAL double a = 0, b = 0;
#define END(k) a += a##k; b += b##k;
#define STORE(tile)                      \
  tile[g * COLUMNS + 2 * t] = a;         \
  tile[g * COLUMNS + 2 * t + 1] = b;

#else
// PTX ISA, "mma.m16n8k8", "mma.m16n8k16", "mma.m16n8k32": lane 4 * g + t has of the left factor
// word t in rows g and g + 8, then word t + 4; of the right factor words t and t + 4 in column g;
// of the sum columns 2t, 2t + 1 in rows g and g + 8. .f64 is alike for each 4 doubles of a row.
#if FACTORS == FP16 && SUMS == FP32
#define INSTRUCTION "m16n8k16.row.col.f32.f16.f16.f32"
#elif FACTORS == FP16
#define INSTRUCTION "m16n8k16.row.col.f16.f16.f16.f16"
#elif FACTORS == BF16
#define INSTRUCTION "m16n8k16.row.col.f32.bf16.bf16.f32"
#elif FACTORS == TF32
#define INSTRUCTION "m16n8k8.row.col.f32.tf32.tf32.f32"
#elif FACTORS == FP8_E4M3
#define INSTRUCTION "m16n8k32.row.col.f32.e4m3.e4m3.f32"
#elif FACTORS == FP8_E5M2
#define INSTRUCTION "m16n8k32.row.col.f32.e5m2.e5m2.f32"
#elif FACTORS == FP64 && DEPTH == 4
#define INSTRUCTION "m16n8k4.row.col.f64.f64.f64.f64"
#elif FACTORS == FP64 && DEPTH == 8
#define INSTRUCTION "m16n8k8.row.col.f64.f64.f64.f64"
#elif FACTORS == FP64
#define INSTRUCTION "m16n8k16.row.col.f64.f64.f64.f64"
#elif FACTORS == SINT8
#define INSTRUCTION "m16n8k32.row.col.s32.s8.s8.s32"
#else
#define INSTRUCTION "m16n8k32.row.col.s32.u8.u8.s32"
#endif

#if FACTORS == FP64
#define TWO_OF(name, i, j, at, part)                      \
  const double name##i = DOUBLE_OF(at, g, 4 * part + t);     \
  const double name##j = DOUBLE_OF(at, g + 8, 4 * part + t);
#define ONE_OF(at, part) const double right##part = DOUBLE_OF(at, g, 4 * part + t);
#if DEPTH == 4
#define LOAD_LEFT(name, at) TWO_OF(name, 0, 1, at, 0)
#define LOAD_RIGHT(at) ONE_OF(at, 0)
#define OPERANDS "{%4,%5}, {%6}"
#define LEFT_AND_RIGHT(f) "d"(f##0), "d"(f##1), "d"(right0)
#elif DEPTH == 8
#define LOAD_LEFT(name, at) TWO_OF(name, 0, 1, at, 0) TWO_OF(name, 2, 3, at, 1)
#define LOAD_RIGHT(at) ONE_OF(at, 0) ONE_OF(at, 1)
#define OPERANDS "{%4,%5,%6,%7}, {%8,%9}"
#define LEFT_AND_RIGHT(f) "d"(f##0), "d"(f##1), "d"(f##2), "d"(f##3), "d"(right0), "d"(right1)
#else
#define LOAD_LEFT(name, at) \
  TWO_OF(name, 0, 1, at, 0) TWO_OF(name, 2, 3, at, 1) TWO_OF(name, 4, 5, at, 2) TWO_OF(name, 6, 7, at, 3)
#define LOAD_RIGHT(at) ONE_OF(at, 0) ONE_OF(at, 1) ONE_OF(at, 2) ONE_OF(at, 3)
#define OPERANDS "{%4,%5,%6,%7,%8,%9,%10,%11}, {%12,%13,%14,%15}"
#define LEFT_AND_RIGHT(f)                                                                       \
  "d"(f##0), "d"(f##1), "d"(f##2), "d"(f##3), "d"(f##4), "d"(f##5), "d"(f##6), "d"(f##7), \
      "d"(right0), "d"(right1), "d"(right2), "d"(right3)
#endif
#else
#define OPERANDS "{%4,%5,%6,%7}, {%8,%9}"
#define LOAD_LEFT(name, at)                                                      \
  const uint name##0 = (at)[left], name##1 = (at)[8 * ROW_WORDS + left];         \
  const uint name##2 = (at)[left + 4], name##3 = (at)[8 * ROW_WORDS + left + 4];
#define LOAD_RIGHT(at) const uint right0 = (at)[left], right1 = (at)[left + 4];
#define LEFT_AND_RIGHT(f) "r"(f##0), "r"(f##1), "r"(f##2), "r"(f##3), "r"(right0), "r"(right1)
#endif
#if SUMS == FP16
uint two_halves(float x) {
  uint z;
  __asm__("cvt.rn.f16x2.f32 %0, %1, %1;" : "=r"(z) : "f"(x));
  return z;
}
float2 from_halves(uint x) {
  float2 z;
  __asm__("{ .reg .b16 l, h; mov.b32 {l, h}, %2; cvt.f32.f16 %0, l; cvt.f32.f16 %1, h; }" : "=f"(z.x), "=f"(z.y) : "r"(x));
  return z;
}
#define BEGIN(k) uint ab##k = two_halves(k + 1), cd##k = ab##k;
#define MULTIPLY_ADD(k, f)                                                                        \
  __asm__ volatile("mma.sync.aligned." INSTRUCTION " {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%0,%1};" \
                   : "+r"(ab##k), "+r"(cd##k)                                                     \
                   : LEFT_AND_RIGHT(f));
#define END(k)                                      \
  {                                                 \
    const float2 ab = from_halves(ab##k);           \
    const float2 cd = from_halves(cd##k);           \
    a += ab.x; b += ab.y; c += cd.x; d += cd.y;     \
  }
#else
#if SUMS == FP32
#define REGISTER "+f"
#elif SUMS == FP64
#define REGISTER "+d"
#else
#define REGISTER "+r"
#endif
#define BEGIN(k) NUMBER a##k = k + 1, b##k = k + 1, c##k = k + 1, d##k = k + 1;
#define MULTIPLY_ADD(k, f)                                                                                    \
  __asm__ volatile("mma.sync.aligned." INSTRUCTION " {%0,%1,%2,%3}, " OPERANDS ", {%0,%1,%2,%3};" \
                   : REGISTER(a##k), REGISTER(b##k), REGISTER(c##k), REGISTER(d##k)                           \
                   : LEFT_AND_RIGHT(f));
#define END(k) a += a##k; b += b##k; c += c##k; d += d##k;
#endif
#define BEGIN_TOTAL NUMBER a = 0, b = 0, c = 0, d = 0;
#define STORE(tile)                            \
  tile[g * COLUMNS + 2 * t] = a;               \
  tile[g * COLUMNS + 2 * t + 1] = b;           \
  tile[(g + 8) * COLUMNS + 2 * t] = c;         \
  tile[(g + 8) * COLUMNS + 2 * t + 1] = d;
#endif

#define STEP_FIRST(k) MULTIPLY_ADD(k, first)
#define STEP_SECOND(k) MULTIPLY_ADD(k, second)
#if FACTORS == FP64  // both are equal, and one less has room in the registers
#define STEP_LAST(k) MULTIPLY_ADD(k, second)
#else
#define STEP_LAST(k) MULTIPLY_ADD(k, last)
#endif
#define PAIR EACH(STEP_FIRST) EACH(STEP_SECOND)
#define LAST_PAIR EACH(STEP_FIRST) EACH(STEP_LAST)
#define PAIRS_3 PAIR PAIR PAIR
#if PAIRS == 4
#define TURN PAIRS_3 LAST_PAIR
#elif PAIRS == 8
#define TURN PAIRS_3 PAIRS_3 PAIR LAST_PAIR
#elif PAIRS == 16
#define TURN PAIRS_3 PAIRS_3 PAIRS_3 PAIRS_3 PAIRS_3 LAST_PAIR
#else
#define PAIRS_15 PAIRS_3 PAIRS_3 PAIRS_3 PAIRS_3 PAIRS_3
#define TURN PAIRS_15 PAIRS_15 PAIR LAST_PAIR
#endif

__kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1))) void matrix_stream(__global const uint *factors, __global NUMBER *out,
                                                                                    __global ulong *stamps, Parameters p) {
  const uint local_id = (uint)get_local_id(0);
  const uint subgroup = local_id / p.lanes;
  const uint lane = local_id % p.lanes;
  const uint g = lane / 4, t = lane % 4;
  const uint left = g * ROW_WORDS + t;
  LOAD_LEFT(first, factors)
  LOAD_LEFT(second, factors + ROWS * ROW_WORDS)
  LOAD_LEFT(last, factors + 2 * ROWS * ROW_WORDS)
  LOAD_RIGHT(factors + 3 * ROWS * ROW_WORDS)
  EACH(BEGIN)
  PERCYCLE_ALL_HERE();  // all subgroups begin together
  const ulong device_begin = percycle_device_clock();
  const ulong unit_begin = percycle_unit_clock();
  barrier(CLK_LOCAL_MEM_FENCE);  // none begins before the clocks are read
  if (subgroup < p.subgroups) {
#pragma unroll 1
    for (uint i = 0; i < p.loops; ++i) {
      TURN
    }
  }
  BEGIN_TOTAL
  EACH(END)
  __global NUMBER *tile = out + (get_global_id(0) / p.lanes) * (ROWS * COLUMNS);
  STORE(tile)
  PERCYCLE_STAMP_GROUP(stamps, local_id, unit_begin, device_begin);  // the last subgroup has ended
}
