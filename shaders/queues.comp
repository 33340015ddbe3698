// Dependent arithmetic of each lane, whose end is added to a word of the lane: launches that run at
// the same time leave the sum of all. ORDERED: each launch first triples the word that the one
// before it left, without an atomic. Twin of cl_kernels/queues.cl.

layout(std430, set = 0, binding = 0) buffer Sums { uint sums[]; };

#define STEP x = x * p.multiply + p.add;
#define STEPS_8 STEP STEP STEP STEP STEP STEP STEP STEP

void main() {
  const uint i = gl_GlobalInvocationID.x;
  uint x = i + 1u;
  for (uint loop = 0u; loop < p.loops; ++loop) {
    STEPS_8 STEPS_8 STEPS_8 STEPS_8
  }
#ifdef ORDERED
  sums[i] = sums[i] * 3u + x;
#else
  atomicAdd(sums[i], x);
#endif
}
