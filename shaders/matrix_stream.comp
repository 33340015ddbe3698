// CHAINS independent sums of products of matrices in each subgroup, on some subgroups of a
// work-group. `factors` has two left factors by rows and one right factor by columns, two numbers
// in a word. docs/experiments/instructions.md says why. Twin of cl_kernels/matrix_stream.cl.

layout(std430, set = 0, binding = 0) readonly buffer Factors { uint factors[]; };
layout(std430, set = 0, binding = 1) writeonly buffer Out { float result[]; };
layout(std430, set = 0, binding = 2) writeonly buffer Stamps { uvec2 stamps[]; };

// Specialisation constants tell a left from a right factor (khr_matrices.hpp).
layout(constant_id = ROWS_CONSTANT) const uint rows = ROWS;
layout(constant_id = COLUMNS_CONSTANT) const uint columns = COLUMNS;
layout(constant_id = DEPTH_CONSTANT) const uint depth = DEPTH;
#define LEFT fcoopmatNV<16, gl_ScopeSubgroup, rows, depth>
#define RIGHT fcoopmatNV<16, gl_ScopeSubgroup, depth, columns>
#define SUM fcoopmatNV<32, gl_ScopeSubgroup, rows, columns>

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

#define BEGIN(k) SUM sum##k = SUM(float(k + 1));
#define STEP_FIRST(k) sum##k = coopMatMulAddNV(first, right, sum##k);
#define STEP_SECOND(k) sum##k = coopMatMulAddNV(second, right, sum##k);
#define END(k) sum += sum##k;

#define PAIR EACH(STEP_FIRST) EACH(STEP_SECOND)
#if PAIRS == 4
#define TURN PAIR PAIR PAIR PAIR
#elif PAIRS == 8
#define TURN PAIR PAIR PAIR PAIR PAIR PAIR PAIR PAIR
#elif PAIRS == 16
#define PAIRS_4 PAIR PAIR PAIR PAIR
#define TURN PAIRS_4 PAIRS_4 PAIRS_4 PAIRS_4
#else
#define PAIRS_8 PAIR PAIR PAIR PAIR PAIR PAIR PAIR PAIR
#define TURN PAIRS_8 PAIRS_8 PAIRS_8 PAIRS_8
#endif

void main() {
  const uint local_id = gl_LocalInvocationID.x;
  const uint words = DEPTH / 2;
  LEFT first, second;
  RIGHT right;
  coopMatLoadNV(first, factors, 0u, words, false);
  coopMatLoadNV(second, factors, ROWS * words, words, false);
  coopMatLoadNV(right, factors, 2u * ROWS * words, words, true);
  EACH(BEGIN)
  percycle_all_here();  // all subgroups begin together
  const uvec2 device_begin = percycle_device_clock();
  const uvec2 unit_begin = percycle_unit_clock();
  barrier();  // none begins before the clocks are read
  if (gl_SubgroupID < p.subgroups) {
    for (uint i = 0u; i < p.loops; ++i) {
      TURN
    }
  }
  SUM sum = SUM(0.0);
  EACH(END)
  const uint tile = gl_WorkGroupID.x * (LOCAL_SIZE / p.lanes) + gl_SubgroupID;
  coopMatStoreNV(sum, result, tile * (ROWS * COLUMNS), COLUMNS, false);
  percycle_all_here();  // the last subgroup has ended
  const uvec2 unit_end = percycle_unit_clock();
  const uvec2 device_end = percycle_device_clock();
  if (local_id == 0u) {
    const uint stamp = 5u * gl_WorkGroupID.x;
    stamps[stamp] = unit_begin;
    stamps[stamp + 1u] = unit_end;
    stamps[stamp + 2u] = device_begin;
    stamps[stamp + 3u] = device_end;
    stamps[stamp + 4u] = uvec2(percycle_unit_id(), 0u);
  }
}
