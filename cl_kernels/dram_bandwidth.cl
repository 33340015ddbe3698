// Streams through memory: a work-group reads or writes one chunk of each array, UNROLL vectors of
// WIDTH bytes per invocation. Twin of shaders/dram_bandwidth.comp.
//
// A dispatch has as many groups as a pass has chunks, times its passes. Groups begin in order, so
// that passes follow each other. OP_READ sums its words (`chunk_sums` computes the same from the
// hash) and adds each group's sum to its chunk's. OP_CHECK, which is not timed, sums written words
// and replaces them by their complement, so that a store that the next run skips is detected. All
// arithmetic is modulo 2^32 and linear: the sums of copied, scaled or added data follow from the
// sums of the sources.
//
// With STAMPS the first `stamped` groups of the dispatch, over all passes, and the last `stamped`
// groups write a GroupStamp: first the stamps of the first groups in their order, then the others,
// last group first. A group begins when its first subgroup begins, and ends when all its subgroups
// have ended.

#define OP_READ 1
#define OP_WRITE 2
#define OP_COPY 3
#define OP_SCALE 4
#define OP_TRIAD 5
#define OP_CHECK 6

#if WIDTH == 4
#define VECTOR uint
#define FOLD(v) (v)
#define SPREAD(h) (h)
#elif WIDTH == 8
#define VECTOR uint2
#define FOLD(v) ((v).x + 3 * (v).y)
#define SPREAD(h) ((h) * (uint2)(1, 3))
#else
#define VECTOR uint4
#define FOLD(v) ((v).x + 3 * (v).y + 5 * (v).z + 7 * (v).w)
#define SPREAD(h) ((h) * (uint4)(1, 3, 5, 7))
#endif

#define AT(j) first + (j) * LOCAL_SIZE
#if UNROLL == 1
#define EACH(DO) DO(0)
#elif UNROLL == 2
#define EACH(DO) DO(0) DO(1)
#elif UNROLL == 4
#define EACH(DO) DO(0) DO(1) DO(2) DO(3)
#else
#define EACH(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)
#endif

#define LOAD_A(j) v[j] = a[AT(j)];
#define LOAD_C(j) v[j] = c[AT(j)];
#define ADD(j) sum += v[j];
#define COMPLEMENT(j) c[AT(j)] = ~v[j];
#define STORE(j) c[AT(j)] = v[j];
#define SCALE(j) c[AT(j)] = v[j] * p.factor;
#define LOAD_B(j) w[j] = b[AT(j)];
#define TRIAD(j) c[AT(j)] = v[j] + w[j] * p.factor;
#define HASH(j) v[j] = SPREAD(lowbias32((uint)(AT(j)) ^ p.salt));

__kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1))) void dram_bandwidth(__global const VECTOR *a,
                                                                                     __global const VECTOR *b,
                                                                                     __global VECTOR *c, __global uint *sums,
#ifdef STAMPS
                                                                                     __global ulong *stamps,
#endif
                                                                                     Parameters p) {
  if (p.passes == 0) return;
  const uint group = (uint)get_group_id(0);
  uint chunk = group;
  while (chunk >= p.chunks) chunk -= p.chunks;
  const uint local_id = (uint)get_local_id(0);
#ifdef STAMPS
  const uint from_end = p.passes * p.chunks - 1 - group;
  const bool is_stamped = min(group, from_end) < p.stamped;
  __global ulong *stamp = stamps + 5 * (group < p.stamped ? group : p.stamped + from_end);
  if (is_stamped && local_id == 0) {
    stamp[2] = percycle_device_clock();
    stamp[0] = percycle_unit_clock();
  }
#endif
  const ulong first = (ulong)chunk * (LOCAL_SIZE * UNROLL) + local_id;
  VECTOR v[UNROLL];
#if OP == OP_READ || OP == OP_CHECK
#if OP == OP_READ
  EACH(LOAD_A)
#else
  EACH(LOAD_C)
  EACH(COMPLEMENT)
#endif
  VECTOR sum = 0u;
  EACH(ADD)
  // One atomic addition per group, in two short steps: one per invocation would be extra traffic.
  __local uint partial[LOCAL_SIZE];
  partial[local_id] = FOLD(sum);
  barrier(CLK_LOCAL_MEM_FENCE);
  uint part = 0;
  if (local_id < 16) {
    for (uint i = 0; i < LOCAL_SIZE / 16; ++i) part += partial[local_id + 16 * i];
    partial[local_id] = part;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (local_id == 0) {
    uint whole = 0;
    for (uint i = 0; i < 16; ++i) whole += partial[i];
    atomic_add(sums + chunk, whole);
  }
#elif OP == OP_WRITE
  EACH(HASH)
  EACH(STORE)
#elif OP == OP_COPY
  EACH(LOAD_A)
  EACH(STORE)
#elif OP == OP_SCALE
  EACH(LOAD_A)
  EACH(SCALE)
#else
  VECTOR w[UNROLL];
  EACH(LOAD_A)
  EACH(LOAD_B)
  EACH(TRIAD)
#endif
#ifdef STAMPS
  if (is_stamped) {
    PERCYCLE_ALL_HERE();
    if (local_id == 0) {
      stamp[1] = percycle_unit_clock();
      stamp[3] = percycle_device_clock();
      stamp[4] = percycle_unit_id();
    }
  }
#endif
}
