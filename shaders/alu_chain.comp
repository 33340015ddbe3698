// Dependent 32-bit integer operations: an addition and an AND in turn. If their latency is known,
// their number and duration give the core clock (src/measure/alu_chain.hpp). Twin of
// cl_kernels/alu_chain.cl, which has more.

layout(std430, set = 0, binding = 0) writeonly buffer Ends { uint ends[]; };

#define PAIR x = (x + p.add) & p.mask;
#define PAIRS_8 PAIR PAIR PAIR PAIR PAIR PAIR PAIR PAIR
#define PAIRS_64 PAIRS_8 PAIRS_8 PAIRS_8 PAIRS_8 PAIRS_8 PAIRS_8 PAIRS_8 PAIRS_8
#define PAIRS_128 PAIRS_64 PAIRS_64

void main() {
  const uint lane = gl_LocalInvocationID.x;
  uint x = p.start + lane;
  for (uint i = 0u; i < p.loops; ++i) {
    PAIRS_128
#if PAIRS == 256
    PAIRS_128
#endif
  }
  ends[lane] = x;
}
