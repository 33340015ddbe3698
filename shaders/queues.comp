// Dependent arithmetic of each lane, whose end is added to a word of the lane: launches that run at
// the same time leave the sum of all. Twin of cl_kernels/queues.cl.

layout(std430, set = 0, binding = 0) buffer Sums { uint sums[]; };

#define STEP x = x * p.multiply + p.add;
#define STEPS_8 STEP STEP STEP STEP STEP STEP STEP STEP

void main() {
  const uint i = gl_GlobalInvocationID.x;
  uint x = i + 1u;
  for (uint loop = 0u; loop < p.loops; ++loop) {
    STEPS_8 STEPS_8 STEPS_8 STEPS_8
  }
  atomicAdd(sums[i], x);
}
