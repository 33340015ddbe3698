// Work-groups that stay on their unit for a while, each of them noting its unit and its clocks.
// Every invocation keeps VALUES words alive, and the group LOCAL_WORDS words of local memory. Twin
// of cl_kernels/residency.cl.

layout(std430, set = 0, binding = 0) readonly buffer Starts { uint starts[]; };
layout(std430, set = 0, binding = 1) writeonly buffer Out { uint result[]; };
layout(std430, set = 0, binding = 2) writeonly buffer Stamps { uvec2 stamps[]; };

#ifdef LOCAL_WORDS
shared uint memory[LOCAL_WORDS];
#endif

void main() {
  const uint lane = gl_LocalInvocationID.x;
  const uvec2 device_begin = percycle_device_clock();
  const uvec2 unit_begin = percycle_unit_clock();
  DECLARE_VALUES
#ifdef LOCAL_WORDS
  memory[lane * (LOCAL_WORDS / LOCAL_SIZE)] = v0;
#endif
  groupMemoryBarrier();
  barrier();
  for (uint i = 0; i < p.loops; ++i) {
    STEP_VALUES
  }
  uint sum = SUM_OF_VALUES;
#ifdef LOCAL_WORDS
  sum += memory[(lane + 1) % LOCAL_SIZE * (LOCAL_WORDS / LOCAL_SIZE)];
#endif
  result[gl_GlobalInvocationID.x] = sum;
  PERCYCLE_STAMP_GROUP(stamps, lane, unit_begin, device_begin);
}
