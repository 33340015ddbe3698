// Straight-line code that is run again and again: additions of different constants to eight
// numbers, in blocks. A turn runs the first `blocks` of them. Twin of
// shaders/instruction_cache.comp.

__kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1))) void instruction_cache(__global const float *starts,
                                                                                        __global float *sums,
                                                                                        __global ulong *clocks, Parameters p) {
  const uint id = (uint)get_global_id(0);
  float a = starts[8 * id], b = starts[8 * id + 1], c = starts[8 * id + 2], d = starts[8 * id + 3];
  float e = starts[8 * id + 4], f = starts[8 * id + 5], g = starts[8 * id + 6], h = starts[8 * id + 7];
  ulong device_begin = 0, unit_begin = 0;
  // Turns before the clocks are read and after must run the same code, so there is one inner loop.
  for (uint part = 0; part < 2; ++part) {
    device_begin = percycle_device_clock();
    unit_begin = percycle_unit_clock();
    const uint turns = part == 0 ? p.warm_loops : p.loops;
    for (uint i = 0; i < turns; ++i) {
      ALL_BLOCKS
    }
  }
  sums[8 * id] = a;
  sums[8 * id + 1] = b;
  sums[8 * id + 2] = c;
  sums[8 * id + 3] = d;
  sums[8 * id + 4] = e;
  sums[8 * id + 5] = f;
  sums[8 * id + 6] = g;
  sums[8 * id + 7] = h;
  const ulong unit_end = percycle_unit_clock();
  const ulong device_end = percycle_device_clock();
  if (id == 0) {
    clocks[0] = unit_begin;
    clocks[1] = unit_end;
    clocks[2] = device_begin;
    clocks[3] = device_end;
  }
}
