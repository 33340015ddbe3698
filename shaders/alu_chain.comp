// Dependent 32-bit integer operations, an addition and an AND in turn: each waits for the one before it, so that their number and the
// time they take tell the core clock where their latency is known (src/measure/alu_chain.hpp). One machine operation each: IADD3 and LOP3 on
// NVIDIA, v_add and v_and of four bytes on AMD. No compiler may join them, for it does not know the mask; lanes differ, so that AMD's
// scalar unit cannot do it for all. PAIRS to a loop turn; less than NVIDIA's first instruction cache holds.
// Twin of cl_kernels/alu_chain.cl.

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
