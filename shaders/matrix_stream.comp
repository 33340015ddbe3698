// CHAINS independent sums of products of matrices in each subgroup, on some subgroups of a
// work-group, or in a work-group. `factors` has three left factors by rows and one right factor by
// columns. docs/experiments/instructions.md says why. Twin of cl_kernels/matrix_stream.cl.

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

#ifdef BY_WORK_GROUP
#define SCOPE gl_ScopeWorkgroup
#else
#define SCOPE gl_ScopeSubgroup
#endif

#if SUMS == SINT32
#define NUMBER int
#define SUM_OF(rows, columns) icoopmatNV<32, SCOPE, rows, columns>
#elif SUMS == UINT32
#define NUMBER uint
#define SUM_OF(rows, columns) ucoopmatNV<32, SCOPE, rows, columns>
#else
#define NUMBER float
#define SUM_OF(rows, columns) fcoopmatNV<32, SCOPE, rows, columns>
#endif

#if FACTORS == SINT8
#define FACTOR_OF(rows, columns) icoopmatNV<8, SCOPE, rows, columns>
#elif FACTORS == UINT8
#define FACTOR_OF(rows, columns) ucoopmatNV<8, SCOPE, rows, columns>
#else  // khr_matrices.hpp puts bf16 and fp8 in place of fp16
#define FACTOR_OF(rows, columns) fcoopmatNV<16, SCOPE, rows, columns>
#endif
#if FACTORS == FP16 || FACTORS == BF16
#define ROW_WORDS (DEPTH / 2)
#else
#define ROW_WORDS (DEPTH / 4)
#endif

layout(std430, set = 0, binding = 0) readonly buffer Factors { uint factors[]; };
layout(std430, set = 0, binding = 1) writeonly buffer Out { NUMBER result[]; };
layout(std430, set = 0, binding = 2) writeonly buffer Stamps { uvec2 stamps[]; };

// Specialisation constants tell a left from a right factor (khr_matrices.hpp).
layout(constant_id = ROWS_CONSTANT) const uint rows = ROWS;
layout(constant_id = COLUMNS_CONSTANT) const uint columns = COLUMNS;
layout(constant_id = DEPTH_CONSTANT) const uint depth = DEPTH;
#define LEFT FACTOR_OF(rows, depth)
#define RIGHT FACTOR_OF(depth, columns)
#define TOTAL SUM_OF(rows, columns)
#if SUMS == FP16
#define SUM fcoopmatNV<16, SCOPE, rows, columns>
#else
#define SUM TOTAL
#endif

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

#if SUMS == FP16
#define BEGIN(k) SUM sum##k = SUM(float16_t(k + 1));
#else
#define BEGIN(k) SUM sum##k = SUM(NUMBER(k + 1));
#endif
#define STEP_FIRST(k) sum##k = coopMatMulAddNV(first, right, sum##k);
#define STEP_SECOND(k) sum##k = coopMatMulAddNV(second, right, sum##k);
#define STEP_LAST(k) sum##k = coopMatMulAddNV(last, right, sum##k);
#if SUMS == FP16
#define END(k) total += TOTAL(sum##k);
#else
#define END(k) total += sum##k;
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

void main() {
  const uint local_id = gl_LocalInvocationID.x;
  LEFT first, second, last;
  RIGHT right;
  coopMatLoadNV(first, factors, 0u, ROW_WORDS, false);
  coopMatLoadNV(second, factors, ROWS * ROW_WORDS, ROW_WORDS, false);
  coopMatLoadNV(last, factors, 2u * ROWS * ROW_WORDS, ROW_WORDS, false);
  coopMatLoadNV(right, factors, 3u * ROWS * ROW_WORDS, ROW_WORDS, true);
  EACH(BEGIN)
  percycle_all_here();  // all subgroups begin together
  const uvec2 device_begin = percycle_device_clock();
  const uvec2 unit_begin = percycle_unit_clock();
  barrier();  // none begins before the clocks are read
#ifndef BY_WORK_GROUP
  if (gl_SubgroupID < p.subgroups)
#endif
  {
    for (uint i = 0u; i < p.loops; ++i) {
      TURN
    }
  }
  TOTAL total = TOTAL(NUMBER(0));
  EACH(END)
#ifdef BY_WORK_GROUP
  const uint tile = gl_WorkGroupID.x;
#else
  const uint tile = gl_WorkGroupID.x * (LOCAL_SIZE / p.lanes) + gl_SubgroupID;
#endif
  coopMatStoreNV(total, result, tile * (ROWS * COLUMNS), COLUMNS, false);
  PERCYCLE_STAMP_GROUP(stamps, local_id, unit_begin, device_begin);  // the last subgroup has ended
}
