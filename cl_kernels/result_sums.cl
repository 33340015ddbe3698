// Checks the output of a program: a work-group adds up LOCAL_SIZE words of every array, each times
// its own odd factor, and replaces them by their complement. The host adds up the same
// (src/experiments/programs/parts/result_check.hpp). Twin of shaders/result_sums.comp.

__kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1))) void result_sums(__global uint *words, __global uint *sums,
                                                                                   Parameters p) {
  const uint local_id = (uint)get_local_id(0);
  uint sum = 0;
  for (uint array = 0; array < p.arrays; ++array) {
    const uint at = array * p.stride + (uint)get_global_id(0);
    const uint word = words[at];
    sum += (2 * array + 1) * word;
    words[at] = ~word;
  }
  __local uint partial[LOCAL_SIZE];
  partial[local_id] = (2 * local_id + 1) * sum;
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
    sums[get_group_id(0)] = whole;
  }
}
