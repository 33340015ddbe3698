// Dependent arithmetic of each lane, whose end is added to a word of the lane: launches that run at
// the same time leave the sum of all. ORDERED: each launch first triples the word that the one
// before it left, without an atomic. Twin of shaders/queues.comp.

#define STEP x = x * p.multiply + p.add;
#define STEPS_8 STEP STEP STEP STEP STEP STEP STEP STEP

__kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1))) void queues(__global uint *sums, Parameters p) {
  const uint i = (uint)get_global_id(0);
  uint x = i + 1u;
  for (uint loop = 0; loop < p.loops; ++loop) {
    STEPS_8 STEPS_8 STEPS_8 STEPS_8
  }
#ifdef ORDERED
  sums[i] = sums[i] * 3u + x;
#else
  atomic_add(sums + i, x);
#endif
}
