// Dependent 32-bit integer operations: an addition and an AND in turn. If their latency is known,
// their number and duration give the core clock (src/measure/alu_chain.hpp). docs/internals.md has
// more. Twin of shaders/alu_chain.comp.

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
