// Work-groups that stay on their unit for a while, each of them noting its unit and its clocks.
// Every invocation keeps VALUES words alive, and the group LOCAL_WORDS words of local memory. Twin
// of shaders/residency.comp.

__kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1))) void residency(__global const uint *starts, __global uint *out,
                                                                                __global ulong *stamps, Parameters p) {
  const uint lane = (uint)get_local_id(0);
  const ulong device_begin = percycle_device_clock();
  const ulong unit_begin = percycle_unit_clock();
  DECLARE_VALUES
#ifdef LOCAL_WORDS
  __local uint memory[LOCAL_WORDS];
  memory[lane * (LOCAL_WORDS / LOCAL_SIZE)] = v0;
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = 0; i < p.loops; ++i) {
    STEP_VALUES
  }
  uint sum = SUM_OF_VALUES;
#ifdef LOCAL_WORDS
  sum += memory[(lane + 1) % LOCAL_SIZE * (LOCAL_WORDS / LOCAL_SIZE)];
#endif
  out[get_global_id(0)] = sum;
  PERCYCLE_STAMP_GROUP(stamps, lane, unit_begin, device_begin);
}
