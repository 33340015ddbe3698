// Every invocation adds up `words` words, `loops` times, and begins one word further each time.
// Twin of toy.comp.

#ifdef DOWN
#define PLACE(i) (p.words - 1 - (i))
#else
#define PLACE(i) (i)
#endif

__kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1))) void toy(__global const uint *data, __global uint *sums, Parameters p) {
  uint sum = 0;
  for (uint loop = 0; loop < p.loops; ++loop) {
    for (uint i = 0; i < p.words; ++i) sum += data[PLACE((i + loop) & (p.words - 1))];
  }
  sums[get_global_id(0)] = sum;
}
