// Precedes every kernel; the twin of cl_kernels/prelude.h.

// The unit's own counter, low and high word.
uvec2 percycle_unit_clock() {
#if HAS_UNIT_CLOCK
  return clock2x32ARB();
#else
  return uvec2(0);
#endif
}

// The device-wide clock, low and high word.
uvec2 percycle_device_clock() {
#if HAS_DEVICE_CLOCK
  return clockRealtime2x32EXT();
#else
  return uvec2(0);
#endif
}

// Waits for all of a work-group before any of them reads a clock after it. Two barriers: NVIDIA's
// read of a clock directly after one does not wait for it (BAR.SYNC.DEFER_BLOCKING, CS2R) and so
// gives its own subgroup's arrival. After the second one all have left the first.
void percycle_all_here() {
  groupMemoryBarrier();
  barrier();
  barrier();
}

// Whether it holds for any invocation of the subgroup. The answer is uniform if the subgroup can
// vote, so that code after a branch on it stays uniform.
bool percycle_any(bool holds) {
#if HAS_SUBGROUP_VOTE
  return subgroupAny(holds);
#else
  return holds;
#endif
}

// Number of the unit that runs the invocation (NVIDIA: the SM); 0 if HAS_UNIT_ID is 0.
uint percycle_unit_id() {
#if HAS_UNIT_ID
  return gl_SMIDNV;
#else
  return 0u;
#endif
}

// Ends the timed part: waits for the work-group and reads both clocks. Invocation 0 writes
// the group's GroupStamp (src/core/sample.hpp).
#define PERCYCLE_STAMP_GROUP(stamps, local_id, unit_begin, device_begin) \
  percycle_all_here();                                                   \
  const uvec2 unit_end = percycle_unit_clock();                          \
  const uvec2 device_end = percycle_device_clock();                      \
  if (local_id == 0u) {                                                  \
    const uint stamp = 5u * gl_WorkGroupID.x;                            \
    stamps[stamp] = unit_begin;                                          \
    stamps[stamp + 1u] = unit_end;                                       \
    stamps[stamp + 2u] = device_begin;                                   \
    stamps[stamp + 3u] = device_end;                                     \
    stamps[stamp + 4u] = uvec2(percycle_unit_id(), 0u);                  \
  }

#if !HAS_INT64
// The address `bytes` after another.
uvec2 percycle_behind(uvec2 address, uint bytes) {
  uint carry;
  const uint low = uaddCarry(address.x, bytes, carry);
  return uvec2(low, address.y + carry);
}
#endif

// Word i of incompressible data is lowbias32(i ^ salt); the twin of src/core/data_words.hpp, which
// names the source.
uint lowbias32(uint x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ (x >> 16);
}
