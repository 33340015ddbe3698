// Streams through memory: a work-group reads or writes one chunk of each array, UNROLL vectors of
// WIDTH bytes per invocation. Twin of cl_kernels/dram_bandwidth.cl, which explains operations, sums
// and stamps.

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
#define VECTOR uvec2
#define FOLD(v) ((v).x + 3u * (v).y)
#define SPREAD(h) ((h) * uvec2(1, 3))
#else
#define VECTOR uvec4
#define FOLD(v) ((v).x + 3u * (v).y + 5u * (v).z + 7u * (v).w)
#define SPREAD(h) ((h) * uvec4(1, 3, 5, 7))
#endif

layout(buffer_reference, std430, buffer_reference_align = WIDTH) restrict readonly buffer Source { VECTOR v[]; };
layout(buffer_reference, std430, buffer_reference_align = WIDTH) restrict buffer Destination { VECTOR v[]; };
layout(std430, set = 0, binding = 3) buffer Sums { uint sums[]; };
#ifdef STAMPS
layout(std430, set = 0, binding = 4) writeonly buffer Stamps { uvec2 stamps[]; };
#endif

#if HAS_INT64
#define OFFSET uint64_t
#define BEHIND(address) packUint2x32(address) + offset
#else
#define OFFSET uint
#define BEHIND(address) percycle_behind(address, offset)
#endif
#define AT(j) (j) * LOCAL_SIZE
#if UNROLL == 1
#define EACH(DO) DO(0)
#elif UNROLL == 2
#define EACH(DO) DO(0) DO(1)
#elif UNROLL == 4
#define EACH(DO) DO(0) DO(1) DO(2) DO(3)
#else
#define EACH(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)
#endif

#define LOAD_A(j) v[j] = a.v[AT(j)];
#define LOAD_C(j) v[j] = c.v[AT(j)];
#define ADD(j) sum += v[j];
#define COMPLEMENT(j) c.v[AT(j)] = ~v[j];
#define STORE(j) c.v[AT(j)] = v[j];
#define SCALE(j) c.v[AT(j)] = v[j] * p.factor;
#define LOAD_B(j) w[j] = b.v[AT(j)];
#define TRIAD(j) c.v[AT(j)] = v[j] + w[j] * p.factor;
#define HASH(j) v[j] = SPREAD(lowbias32(uint(first) + AT(j) ^ p.salt));

#if OP == OP_READ || OP == OP_CHECK
shared uint partial[LOCAL_SIZE];
#endif

void main() {
  if (p.passes == 0u) return;
  const uint group = gl_WorkGroupID.x;
  uint chunk = group;
  while (chunk >= p.chunks) chunk -= p.chunks;
  const uint local_id = gl_LocalInvocationID.x;
#ifdef STAMPS
  const uint from_end = p.passes * p.chunks - 1u - group;
  const bool is_stamped = min(group, from_end) < p.stamped;
  const uint stamp = 5u * (group < p.stamped ? group : p.stamped + from_end);
  if (is_stamped && local_id == 0u) {
    stamps[stamp + 2u] = percycle_device_clock();
    stamps[stamp] = percycle_unit_clock();
  }
#endif
  const OFFSET first = OFFSET(chunk) * (LOCAL_SIZE * UNROLL) + local_id;
  const OFFSET offset = first * WIDTH;
  VECTOR v[UNROLL];
#if OP == OP_READ || OP == OP_CHECK
#if OP == OP_READ
  Source a = Source(BEHIND(p.a));
  EACH(LOAD_A)
#else
  Destination c = Destination(BEHIND(p.c));
  EACH(LOAD_C)
  EACH(COMPLEMENT)
#endif
  VECTOR sum = VECTOR(0);
  EACH(ADD)
  // One atomic addition per group, in two short steps: one per invocation would be extra traffic.
  partial[local_id] = FOLD(sum);
  barrier();
  uint part = 0u;
  if (local_id < 16u) {
    for (uint i = 0u; i < LOCAL_SIZE / 16; ++i) part += partial[local_id + 16u * i];
    partial[local_id] = part;
  }
  barrier();
  if (local_id == 0u) {
    uint whole = 0u;
    for (uint i = 0u; i < 16u; ++i) whole += partial[i];
    atomicAdd(sums[chunk], whole);
  }
#else
  Destination c = Destination(BEHIND(p.c));
#if OP == OP_WRITE
  EACH(HASH)
  EACH(STORE)
#else
  Source a = Source(BEHIND(p.a));
  EACH(LOAD_A)
#if OP == OP_COPY
  EACH(STORE)
#elif OP == OP_SCALE
  EACH(SCALE)
#else
  Source b = Source(BEHIND(p.b));
  VECTOR w[UNROLL];
  EACH(LOAD_B)
  EACH(TRIAD)
#endif
#endif
#endif
#ifdef STAMPS
  if (is_stamped) {
    percycle_all_here();
    if (local_id == 0u) {
      stamps[stamp + 1u] = percycle_unit_clock();
      stamps[stamp + 3u] = percycle_device_clock();
      stamps[stamp + 4u] = uvec2(percycle_unit_id(), 0);
    }
  }
#endif
}
