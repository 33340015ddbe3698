// Checks the output of a program: a work-group adds up LOCAL_SIZE words of every array, each times
// its own odd factor, and replaces them by their complement. The host adds up the same
// (src/experiments/programs/parts/result_check.hpp). Twin of cl_kernels/result_sums.cl.

layout(std430, set = 0, binding = 0) buffer Words { uint words[]; };
layout(std430, set = 0, binding = 1) writeonly buffer Sums { uint sums[]; };

shared uint partial[LOCAL_SIZE];

void main() {
  const uint local_id = gl_LocalInvocationID.x;
  uint sum = 0u;
  for (uint array = 0u; array < p.arrays; ++array) {
    const uint at = array * p.stride + gl_GlobalInvocationID.x;
    const uint word = words[at];
    sum += (2u * array + 1u) * word;
    words[at] = ~word;
  }
  partial[local_id] = (2u * local_id + 1u) * sum;
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
    sums[gl_WorkGroupID.x] = whole;
  }
}
