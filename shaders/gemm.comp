// A tiled product of two matrices. `factors` has the rows of the left one, then the columns of the
// right one, `row_vectors` vectors of 16 bytes each. A work-group computes EDGE x EDGE results, an
// invocation RESULTS x RESULTS of them, SIDE rows or columns apart. A step copies FETCHED vectors
// of each row and column to local memory, where numbers have the type of the multiply-adds.
// ROLE_FILL writes the factors of src/expected/gemm.hpp. Twin of cl_kernels/gemm.cl.

#define ROLE_FILL 1
#define ROLE_TIMED 2

#define FORM_FP64 1
#define FORM_FP32 2
#define FORM_FP16 3
#define FORM_INT8 4
#define FORM_INT8_DOT 5

#if ROLE == ROLE_FILL
layout(std430, set = 0, binding = 0) writeonly buffer Factors { uvec4 factors[]; };

// A whole number from -24 to 24.
int element(uint of_row, uint place) {
  const uint of_place = lowbias32(place ^ ~p.salt);
  int sum = 0;
  for (uint i = 0u; i < 32u; i += 8u)
    sum += (int((((of_row >> i) & 255u) * 7u) >> 8) - 3) * (int((((of_place >> i) & 255u) * 5u) >> 8) - 2);
  return sum;
}

#if FORM == FORM_FP64
#define ELEMENTS 2u
#define AT(i) double(element(of_row, place + (i)))
#define VECTOR uvec4(unpackDouble2x32(AT(0u)), unpackDouble2x32(AT(1u)))
#elif FORM == FORM_FP32
#define ELEMENTS 4u
#define WORD(i) floatBitsToUint(float(element(of_row, place + (i))))
#elif FORM == FORM_FP16
#define ELEMENTS 8u
#define AT(i) float(element(of_row, place + (i)))
#define WORD(i) packHalf2x16(vec2(AT(2u * (i)), AT(2u * (i) + 1u)))
#else
#define ELEMENTS 16u
#define AT(i) (uint(element(of_row, place + (i))) & 255u)
#define WORD(i) (AT(4u * (i)) | AT(4u * (i) + 1u) << 8 | AT(4u * (i) + 2u) << 16 | AT(4u * (i) + 3u) << 24)
#endif
#ifndef VECTOR
#define VECTOR uvec4(WORD(0u), WORD(1u), WORD(2u), WORD(3u))
#endif

void main() {
  const uint row = gl_WorkGroupID.x;
  const uint of_row = lowbias32(row ^ p.salt);
  for (uint i = gl_LocalInvocationID.x; i < p.row_vectors; i += LOCAL_SIZE) {
    const uint place = (row >= p.size ? p.size : 0u) + i * ELEMENTS;
    factors[row * p.row_vectors + i] = VECTOR;
  }
}

#else

// PART: as many numbers as local memory holds in 16 bytes.
#if FORM == FORM_FP64
#define FETCHED 4u
#define SUM double
#define PART dvec2
#define PART_OF(v, i) dvec2(packDouble2x32((v).xy), packDouble2x32((v).zw))
#elif FORM == FORM_FP32
#define FETCHED 4u
#define SUM float
#define PART vec4
#define PART_OF(v, i) uintBitsToFloat(v)
#elif FORM == FORM_FP16
#define FETCHED 2u
#define SUM float
#define PART vec4
#define PART_OF(v, i) vec4(unpackHalf2x16((v)[2u * (i)]), unpackHalf2x16((v)[2u * (i) + 1u]))
#elif FORM == FORM_INT8
#define FETCHED 1u
#define SUM int
#define PART ivec4
#define PART_OF(v, i) (ivec4((v)[i] << 24, (v)[i] << 16, (v)[i] << 8, (v)[i]) >> 24)
#else
#define FETCHED 4u
#define SUM uint
#define PART uvec4
#define PART_OF(v, i) (v)
#endif

layout(std430, set = 0, binding = 0) readonly buffer Factors { uvec4 factors[]; };
layout(std430, set = 0, binding = 1) writeonly buffer Product { SUM product[]; };

#define EDGE (SIDE * RESULTS)
#define PARTS 4u   // of a row in a step
#define STRIDE 5u  // an odd number, so that rows lie in different banks
#define PARTS_OF_VECTOR (PARTS / FETCHED)
#define FETCHES (2u * EDGE * FETCHED / LOCAL_SIZE)  // of an invocation

shared PART tile[2u * EDGE * STRIDE];

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
#define CLEAR_ONE(i, j, c) sum[(j) * RESULTS + (i)] = SUM(c);
#define CLEAR(j) EACH_ROW(CLEAR_ONE, j, 0)
#define STORE_ONE(i, j, c) product[to + (i) * SIDE * p.size + (j) * SIDE] = sum[(j) * RESULTS + (i)];
#define STORE(j) EACH_ROW(STORE_ONE, j, x)

void main() {
  const uint local_id = gl_LocalInvocationID.x;
  // Invocations whose reads local memory serves together share rows and columns.
  const uint x = (local_id & 1u) | (local_id >> 4 & 7u) << 1;
  const uint y = (local_id >> 1 & 7u) | (local_id >> 7) << 3;
  const uint first_row = (gl_WorkGroupID.x >> p.tile_bits) * EDGE;
  const uint first_column = (gl_WorkGroupID.x & ((1u << p.tile_bits) - 1u)) * EDGE;
  uint from[FETCHES];
  uvec4 next[FETCHES];
  [[unroll]] for (uint i = 0u; i < FETCHES; ++i) {
    const uint vector = local_id + i * LOCAL_SIZE;
    const uint row = vector / FETCHED;
    from[i] = (row < EDGE ? first_row + row : p.size + first_column + row - EDGE) * p.row_vectors + vector % FETCHED;
    next[i] = factors[from[i]];
  }
  PART left[RESULTS];
  SUM sum[RESULTS * RESULTS];
  EACH(CLEAR)
  for (uint step = 1u; step <= p.steps; ++step) {
    [[unroll]] for (uint i = 0u; i < FETCHES; ++i) {
      const uint vector = local_id + i * LOCAL_SIZE;
      const uint to = vector / FETCHED * STRIDE + vector % FETCHED * PARTS_OF_VECTOR;
      [[unroll]] for (uint j = 0u; j < PARTS_OF_VECTOR; ++j) tile[to + j] = PART_OF(next[i], j);
    }
    barrier();
    // The vectors of the next step are on their way meanwhile; the last step fetches its own again.
    const uint further = min(step, p.steps - 1u) * FETCHED;
    [[unroll]] for (uint i = 0u; i < FETCHES; ++i) next[i] = factors[from[i] + further];
    [[unroll]] for (uint part = 0u; part < PARTS; ++part) {
      EACH(LEFT)
      EACH(COLUMN)
    }
    barrier();
  }
  const uint to = (first_row + y) * p.size + first_column + x;
  EACH(STORE)
}
#endif
