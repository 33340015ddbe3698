// CHAINS independent chains of operations in each lane, on some subgroups of a work-group.
// src/expected/instruction_stream.cpp defines a step, OPERATION(x, y, c), and the first values.
// Twin of cl_kernels/instruction_stream.cl, which explains the chains.

layout(std430, set = 0, binding = 0) readonly buffer Starts { uint starts[]; };
layout(std430, set = 0, binding = 1) readonly buffer Operands { uint operands[]; };
layout(std430, set = 0, binding = 2) writeonly buffer Out { uvec2 result[]; };
layout(std430, set = 0, binding = 3) writeonly buffer Stamps { uvec2 stamps[]; };

#define CHAIN_0(M) M(0, x0, y0, h0, u0, v0)
#define CHAIN_1(M) M(1, x1, y1, h1, u1, v1)
#define CHAIN_2(M) M(2, x2, y2, h2, u2, v2)
#define CHAIN_3(M) M(3, x3, y3, h3, u3, v3)
#define CHAIN_4(M) M(4, x4, y4, h4, u4, v4)
#define CHAIN_5(M) M(5, x5, y5, h5, u5, v5)
#define CHAIN_6(M) M(6, x6, y6, h6, u6, v6)
#define CHAIN_7(M) M(7, x7, y7, h7, u7, v7)
#if CHAINS == 1
#define EACH(M) CHAIN_0(M)
#elif CHAINS == 2
#define EACH(M) CHAIN_0(M) CHAIN_1(M)
#elif CHAINS == 4
#define EACH(M) CHAIN_0(M) CHAIN_1(M) CHAIN_2(M) CHAIN_3(M)
#else
#define EACH(M) CHAIN_0(M) CHAIN_1(M) CHAIN_2(M) CHAIN_3(M) CHAIN_4(M) CHAIN_5(M) CHAIN_6(M) CHAIN_7(M)
#endif

// BESIDE_OPERATION: a second operation takes turns with the first one, on other chains.
#ifdef BESIDE_OPERATION
#if BESIDE_TYPE == TYPE_FP32
#define BESIDE_VALUE float
#define BESIDE_AS_VALUE(word) uintBitsToFloat(word)
#define BESIDE_WORD(u) floatBitsToUint(u)
#else
#define BESIDE_VALUE uint
#define BESIDE_AS_VALUE(word) (word)
#define BESIDE_WORD(u) (u)
#endif
#if BESIDE_EXACT
#define BESIDE_END(k, u) word += (2u * (CHAINS + k) + 1u) * BESIDE_WORD(u);
#else
#define BESIDE_END(k, u) number += u;
#endif
#define BESIDE(does) does
#else
#define BESIDE(does)
#endif

// First values are from memory, so that no compiler knows which chains are alike; uniform ones are
// from a parameter.
#ifdef UNIFORM
#define START(k) (p.mask + k)
#define RUNS true
#else
#define START(k) starts[CHAINS * local_id + k]
#define RUNS (subgroup < p.subgroups || subgroup == p.first || subgroup == p.second)
#endif
#define BEGIN(k, x, y, h, u, v)           \
  uint h = START(k); \
  precise VALUE x = FIRST_VALUE(h), y = OTHER_VALUE(h); \
  BESIDE(const uint g##k = starts[CHAINS * local_id + k]; precise BESIDE_VALUE u = BESIDE_FIRST_VALUE(g##k); \
         precise BESIDE_VALUE v = BESIDE_OTHER_VALUE(g##k);)
#define AGAIN(k, x, y, h, u, v) x = FIRST_VALUE(h); y = OTHER_VALUE(h);
#define STEP_EVEN(k, x, y, h, u, v) y = OPERATION(x, y, even); BESIDE(v = BESIDE_OPERATION(u, v, beside_even);)
#define STEP_ODD(k, x, y, h, u, v) x = OPERATION(y, x, odd); BESIDE(u = BESIDE_OPERATION(v, u, beside_odd);)
#define NEXT(k, x, y, h, u, v) h = (h ^ (FOLDED(x) & p.mask)) * 1664525u + (1013904223u + i);

#define FOLDED(value) (WORDS(value).x ^ WORDS(value).y)
#if LASTING
#define WORD(x, h) FOLDED(x)
#else
#define WORD(x, h) h
#endif
#if EXACT
#define NUMBER(x)
#else
#define NUMBER(x) number += float(x);
#endif
#define END(k, x, y, h, u, v) word += (2u * k + 1u) * WORD(x, h); NUMBER(x) BESIDE(BESIDE_END(k, u))

// WIDTH: a step is one operation on a vector of so many chains (all 8 are in vectors).
#ifdef WIDTH
#define PASTE(a, b) a##b
#define VECTOR_TYPE(vec, width) PASTE(vec, width)
#if TYPE == TYPE_INT32
#define VECTOR VECTOR_TYPE(uvec, WIDTH)
#elif TYPE == TYPE_FP32
#define VECTOR VECTOR_TYPE(vec, WIDTH)
#else
#define VECTOR VECTOR_TYPE(dvec, WIDTH)
#endif
#if WIDTH == 2
#define EACH_VECTOR(M) M(0, 0, 1, 0, 1) M(1, 2, 3, 2, 3) M(2, 4, 5, 4, 5) M(3, 6, 7, 6, 7)
#define JOINED(v, i, j, l, m) VECTOR(v##i, v##j)
#define SPLIT_REST(v, k, l, m)
#else
#define EACH_VECTOR(M) M(0, 0, 1, 2, 3) M(1, 4, 5, 6, 7)
#define JOINED(v, i, j, l, m) VECTOR(v##i, v##j, v##l, v##m)
#define SPLIT_REST(v, k, l, m) v##l = v##v##k.z; v##m = v##v##k.w;
#endif
#define JOIN(k, i, j, l, m) precise VECTOR xx##k = JOINED(x, i, j, l, m), yy##k = JOINED(y, i, j, l, m);
#define SPLIT(k, i, j, l, m) x##i = xx##k.x; x##j = xx##k.y; SPLIT_REST(x, k, l, m)
#define VECTOR_EVEN(k, i, j, l, m) yy##k = OPERATION(xx##k, yy##k, all_even);
#define VECTOR_ODD(k, i, j, l, m) xx##k = OPERATION(yy##k, xx##k, all_odd);
#define PAIR EACH_VECTOR(VECTOR_EVEN) EACH_VECTOR(VECTOR_ODD)
#else
#define PAIR EACH(STEP_EVEN) EACH(STEP_ODD)
#endif
#define PAIRS_2 PAIR PAIR
#define PAIRS_4 PAIRS_2 PAIRS_2
#define PAIRS_8 PAIRS_4 PAIRS_4
#define PAIRS_16 PAIRS_8 PAIRS_8
#define PAIRS_32 PAIRS_16 PAIRS_16
#define PAIRS_64 PAIRS_32 PAIRS_32

void main() {
  const uint local_id = gl_LocalInvocationID.x;
  const uint subgroup = local_id / p.lanes;
  const uint own = 8u * local_id;
#ifdef UNIFORM
  const VALUE even = AS_VALUE(EVEN_OPERAND, 0u);
  const VALUE odd = AS_VALUE(ODD_OPERAND, 0u);
#else
  const VALUE even = AS_VALUE(operands[own], operands[own + 1u]);
  const VALUE odd = AS_VALUE(operands[own + 2u], operands[own + 3u]);
#endif
  BESIDE(const BESIDE_VALUE beside_even = BESIDE_AS_VALUE(operands[own + 4u]);)
  BESIDE(const BESIDE_VALUE beside_odd = BESIDE_AS_VALUE(operands[own + 6u]);)
  EACH(BEGIN)
#ifdef WIDTH
  const VECTOR all_even = VECTOR(even);
  const VECTOR all_odd = VECTOR(odd);
  EACH_VECTOR(JOIN)
#endif
  percycle_all_here();  // all subgroups begin together
  const uvec2 device_begin = percycle_device_clock();
  const uvec2 unit_begin = percycle_unit_clock();
  barrier();  // none begins before the clocks are read
  if (RUNS) {
    for (uint i = 0u; i < p.loops; ++i) {
#if !LASTING
      EACH(AGAIN)
#endif
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
      PAIRS_32
#endif
#if PAIRS & 64
      PAIRS_64
#endif
#if PAIRS & 128
      PAIRS_64 PAIRS_64
#endif
#if PAIRS & 256
      PAIRS_64 PAIRS_64 PAIRS_64 PAIRS_64
#endif
#if !LASTING
      EACH(NEXT)
#endif
    }
  }
#ifdef WIDTH
  EACH_VECTOR(SPLIT)
#endif
  uint word = 0u;
  float number = 0.0;
  EACH(END)
  // The store waits for the last step, and the barrier for the last subgroup.
  result[gl_GlobalInvocationID.x] = uvec2(word, floatBitsToUint(number));
  PERCYCLE_STAMP_GROUP(stamps, local_id, unit_begin, device_begin);
}
