// CHAINS independent sums of products of matrices in each subgroup, on some subgroups of a
// work-group. `factors` has two left factors by rows and one right factor by columns, two numbers
// in a word. docs/experiments/instructions.md says why. Twin of shaders/matrix_stream.comp.

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

// PTX ISA, "mma.m16n8k16", .f16: lane 4 * g + t has of the left factor columns 2t, 2t + 1 in rows
// g and g + 8, then the same 8 columns later; of the right factor rows 2t, 2t + 1, 2t + 8, 2t + 9
// in column g; of the sum columns 2t, 2t + 1 in rows g and g + 8.
#define BEGIN(k) float a##k = k + 1, b##k = k + 1, c##k = k + 1, d##k = k + 1;
#define MULTIPLY_ADD(k, f)                                                                                    \
  __asm__ volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};" \
                   : "+f"(a##k), "+f"(b##k), "+f"(c##k), "+f"(d##k)                                           \
                   : "r"(f##0), "r"(f##1), "r"(f##2), "r"(f##3), "r"(right0), "r"(right1));
#define STEP_FIRST(k) MULTIPLY_ADD(k, first)
#define STEP_SECOND(k) MULTIPLY_ADD(k, second)
#define END(k) a += a##k; b += b##k; c += c##k; d += d##k;

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

__kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1))) void matrix_stream(__global const uint *factors, __global float *out,
                                                                                    __global ulong *stamps, Parameters p) {
  const uint local_id = (uint)get_local_id(0);
  const uint subgroup = local_id / p.lanes;
  const uint lane = local_id % p.lanes;
  const uint g = lane / 4, t = lane % 4;
  const uint words = DEPTH / 2;
  const uint left = g * words + t, later = 8 * words + left;
  const uint first0 = factors[left], first1 = factors[later], first2 = factors[left + 4], first3 = factors[later + 4];
  __global const uint *next = factors + ROWS * words;
  const uint second0 = next[left], second1 = next[later], second2 = next[left + 4], second3 = next[later + 4];
  const uint right0 = factors[2 * ROWS * words + left], right1 = factors[2 * ROWS * words + left + 4];
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
  float a = 0, b = 0, c = 0, d = 0;
  EACH(END)
  __global float *tile = out + (get_global_id(0) / p.lanes) * (ROWS * COLUMNS) + g * COLUMNS + 2 * t;
  tile[0] = a;
  tile[1] = b;
  tile[8 * COLUMNS] = c;
  tile[8 * COLUMNS + 1] = d;
  PERCYCLE_ALL_HERE();  // the last subgroup has ended
  const ulong unit_end = percycle_unit_clock();
  const ulong device_end = percycle_device_clock();
  if (local_id == 0) {
    __global ulong *stamp = stamps + 5 * get_group_id(0);
    stamp[0] = unit_begin;
    stamp[1] = unit_end;
    stamp[2] = device_begin;
    stamp[3] = device_end;
    stamp[4] = percycle_unit_id();
  }
}
