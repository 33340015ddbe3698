// A tiled product of two matrices. `factors` has the rows of the left one, then the columns of the
// right one, `row_vectors` vectors of 16 bytes each. A work-group computes EDGE x EDGE results, an
// invocation RESULTS x RESULTS of them, SIDE rows or columns apart. A step copies FETCHED vectors
// of each row and column to local memory, where numbers have the type of the multiply-adds.
// ROLE_FILL writes the factors of src/expected/gemm.hpp. Twin of shaders/gemm.comp.

#define ROLE_FILL 1
#define ROLE_TIMED 2

#define FORM_FP64 1
#define FORM_FP32 2
#define FORM_FP16 3
#define FORM_INT8 4
#define FORM_INT8_DOT 5

#if FORM == FORM_FP64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

#if ROLE == ROLE_FILL
// A whole number from -24 to 24.
int element(uint of_row, uint place, uint salt) {
  const uint of_place = lowbias32(place ^ ~salt);
  int sum = 0;
  for (uint i = 0; i < 32; i += 8)
    sum += ((int)((((of_row >> i) & 255) * 7) >> 8) - 3) * ((int)((((of_place >> i) & 255) * 5) >> 8) - 2);
  return sum;
}

#if FORM == FORM_FP64
#define ELEMENTS 2
#define AT(i) (double)element(of_row, place + (i), p.salt)
#define VECTOR as_uint4((double2)(AT(0), AT(1)))
#elif FORM == FORM_FP32
#define ELEMENTS 4
#define WORD(i) as_uint((float)element(of_row, place + (i), p.salt))
#elif FORM == FORM_FP16
#define ELEMENTS 8
#define AT(i) (float)element(of_row, place + (i), p.salt)
#define WORD(i) two_halves(AT(2 * (i)), AT(2 * (i) + 1))
uint two_halves(float low, float high) {
  uint word;
#if UNIT_CLOCK == CLOCK_PTX
  __asm__("{ .reg .b16 l, h; cvt.rn.f16.f32 l, %1; cvt.rn.f16.f32 h, %2; mov.b32 %0, {l, h}; }"
          : "=r"(word)
          : "f"(low), "f"(high));
#else
  vstore_half2((float2)(low, high), 0, (half *)&word);
#endif
  return word;
}
#else
#define ELEMENTS 16
#define AT(i) ((uint)element(of_row, place + (i), p.salt) & 255)
#define WORD(i) (AT(4 * (i)) | AT(4 * (i) + 1) << 8 | AT(4 * (i) + 2) << 16 | AT(4 * (i) + 3) << 24)
#endif
#ifndef VECTOR
#define VECTOR (uint4)(WORD(0), WORD(1), WORD(2), WORD(3))
#endif

__kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1))) void gemm(__global uint4 *factors, __global uint *product,
                                                                           Parameters p) {
  const uint row = (uint)get_group_id(0);
  const uint of_row = lowbias32(row ^ p.salt);
  for (uint i = (uint)get_local_id(0); i < p.row_vectors; i += LOCAL_SIZE) {
    const uint place = (row >= p.size ? p.size : 0) + i * ELEMENTS;
    factors[row * p.row_vectors + i] = VECTOR;
  }
}

#else

// PART: as many numbers as local memory holds in 16 bytes.
#if FORM == FORM_FP64
#define FETCHED 4
#define SUM double
#define PART double2
#define PART_OF(v, i) as_double2(v)
#elif FORM == FORM_FP32
#define FETCHED 4
#define SUM float
#define PART float4
#define PART_OF(v, i) as_float4(v)
#elif FORM == FORM_FP16
#define FETCHED 2
#define SUM float
#define PART float4
#if UNIT_CLOCK == CLOCK_PTX  // some compilers for NVIDIA have no functions of halves
float2 from_halves(uint word) {
  float2 both;
  __asm__("{ .reg .b16 l, h; mov.b32 {l, h}, %2; cvt.f32.f16 %0, l; cvt.f32.f16 %1, h; }"
          : "=f"(both.x), "=f"(both.y)
          : "r"(word));
  return both;
}
#define PART_OF(v, i) \
  ((i) == 0 ? (float4)(from_halves((v).x), from_halves((v).y)) : (float4)(from_halves((v).z), from_halves((v).w)))
#else
#define PART_OF(v, i) vload_half4((i), (const half *)&(v))
#endif
#elif FORM == FORM_INT8
#define FETCHED 1
#define SUM int
#define PART int4
#define PART_OF(v, i) convert_int4(vload4((i), (const char *)&(v)))
#else
#define FETCHED 4
#define SUM uint
#define PART uint4
#define PART_OF(v, i) (v)
#endif

#define EDGE (SIDE * RESULTS)
#define PARTS 4   // of a row in a step
#define STRIDE 5  // an odd number, so that rows lie in different banks
#define PARTS_OF_VECTOR (PARTS / FETCHED)
#define FETCHES (2 * EDGE * FETCHED / LOCAL_SIZE)  // of an invocation

#if RESULTS == 8
#define EACH_ROW(DO, j, c) DO(0, j, c) DO(1, j, c) DO(2, j, c) DO(3, j, c) DO(4, j, c) DO(5, j, c) DO(6, j, c) DO(7, j, c)
#define EACH(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)
#else
#define EACH_ROW(DO, j, c) DO(0, j, c) DO(1, j, c) DO(2, j, c) DO(3, j, c)
#define EACH(DO) DO(0) DO(1) DO(2) DO(3)
#endif

#if FORM == FORM_INT8_DOT
#define ADD(i, j, c) sum[(j) * RESULTS + (i)] = DOT4_SIGNED(left[i].c, right.c, sum[(j) * RESULTS + (i)]);
#elif FORM == FORM_INT8
#define ADD(i, j, c) sum[(j) * RESULTS + (i)] += left[i].c * right.c;
#else
#define ADD(i, j, c) sum[(j) * RESULTS + (i)] = fma(left[i].c, right.c, sum[(j) * RESULTS + (i)]);
#endif
#define LEFT(i) left[i] = tile[(y + (i) * SIDE) * STRIDE + part];
#if FORM == FORM_FP64
#define COLUMN(j)                                                          \
  {                                                                        \
    const PART right = tile[(EDGE + x + (j) * SIDE) * STRIDE + part];      \
    EACH_ROW(ADD, j, x) EACH_ROW(ADD, j, y)                                \
  }
#else
#define COLUMN(j)                                                                           \
  {                                                                                         \
    const PART right = tile[(EDGE + x + (j) * SIDE) * STRIDE + part];                       \
    EACH_ROW(ADD, j, x) EACH_ROW(ADD, j, y) EACH_ROW(ADD, j, z) EACH_ROW(ADD, j, w)         \
  }
#endif
#define CLEAR_ONE(i, j, c) sum[(j) * RESULTS + (i)] = (SUM)(c);
#define CLEAR(j) EACH_ROW(CLEAR_ONE, j, 0)
#define STORE_ONE(i, j, c) product[to + (i) * SIDE * p.size + (j) * SIDE] = sum[(j) * RESULTS + (i)];
#define STORE(j) EACH_ROW(STORE_ONE, j, x)

__kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1))) void gemm(__global const uint4 *factors, __global SUM *product,
                                                                           Parameters p) {
  __local PART tile[2 * EDGE * STRIDE];
  const uint local_id = (uint)get_local_id(0);
  // Invocations whose reads local memory serves together share rows and columns.
  const uint x = (local_id & 1) | (local_id >> 4 & 7) << 1;
  const uint y = (local_id >> 1 & 7) | (local_id >> 7) << 3;
  const uint first_row = ((uint)get_group_id(0) >> p.tile_bits) * EDGE;
  const uint first_column = ((uint)get_group_id(0) & ((1u << p.tile_bits) - 1)) * EDGE;
  uint from[FETCHES];
  uint4 next[FETCHES];
#pragma unroll
  for (uint i = 0; i < FETCHES; ++i) {
    const uint vector = local_id + i * LOCAL_SIZE;
    const uint row = vector / FETCHED;
    from[i] = (row < EDGE ? first_row + row : p.size + first_column + row - EDGE) * p.row_vectors + vector % FETCHED;
    next[i] = factors[from[i]];
  }
  PART left[RESULTS];
  SUM sum[RESULTS * RESULTS];
  EACH(CLEAR)
  for (uint step = 1; step <= p.steps; ++step) {
#pragma unroll
    for (uint i = 0; i < FETCHES; ++i) {
      const uint vector = local_id + i * LOCAL_SIZE;
      const uint to = vector / FETCHED * STRIDE + vector % FETCHED * PARTS_OF_VECTOR;
#pragma unroll
      for (uint j = 0; j < PARTS_OF_VECTOR; ++j) tile[to + j] = PART_OF(next[i], j);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    // The vectors of the next step are on their way meanwhile; the last step fetches its own again.
    const uint further = min(step, p.steps - 1) * FETCHED;
#pragma unroll
    for (uint i = 0; i < FETCHES; ++i) next[i] = factors[from[i] + further];
#pragma unroll
    for (uint part = 0; part < PARTS; ++part) {
      EACH(LEFT)
      EACH(COLUMN)
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  const uint to = (first_row + y) * p.size + first_column + x;
  EACH(STORE)
}
#endif
