// Every invocation adds up `words` words, `loops` times, and begins one word further each time.
// Twin of toy.cl.

#ifdef DOWN
#define PLACE(i) (p.words - 1u - (i))
#else
#define PLACE(i) (i)
#endif

layout(std430, set = 0, binding = 0) readonly buffer Data { uint data[]; };
layout(std430, set = 0, binding = 1) writeonly buffer Sums { uint sums[]; };

void main() {
  uint sum = 0u;
  for (uint loop = 0u; loop < p.loops; ++loop) {
    for (uint i = 0u; i < p.words; ++i) sum += data[PLACE((i + loop) & (p.words - 1u))];
  }
  sums[gl_GlobalInvocationID.x] = sum;
}
