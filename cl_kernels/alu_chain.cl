// Dependent 32-bit integer operations: an addition and an AND in turn. If their latency is known,
// their number and duration give the core clock (src/measure/alu_chain.hpp). Twin of
// shaders/alu_chain.comp.
//
// Each operation is one machine operation: IADD3 and LOP3 on NVIDIA, v_add and v_and of four bytes
// on AMD. No compiler can merge them, because it does not know the mask. The lanes have different
// values, so AMD's scalar unit cannot compute them for all lanes. The code of PAIRS pairs per loop
// turn fits NVIDIA's first instruction cache.

#define PAIR x = (x + p.add) & p.mask;
#define PAIRS_8 PAIR PAIR PAIR PAIR PAIR PAIR PAIR PAIR
#define PAIRS_64 PAIRS_8 PAIRS_8 PAIRS_8 PAIRS_8 PAIRS_8 PAIRS_8 PAIRS_8 PAIRS_8
#define PAIRS_128 PAIRS_64 PAIRS_64

__kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1))) void alu_chain(__global uint *ends, Parameters p) {
  const uint lane = (uint)get_local_id(0);
  uint x = p.start + lane;
  for (uint i = 0; i < p.loops; ++i) {
    PAIRS_128
#if PAIRS == 256
    PAIRS_128
#endif
  }
  ends[lane] = x;
}
