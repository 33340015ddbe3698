// In front of every kernel; the twin of cl_kernels/prelude.h.

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

// All of a work-group have come here before any of them reads a clock behind it. Two barriers: NVIDIA's read of a clock right behind one does not wait
// for it (BAR.SYNC.DEFER_BLOCKING, CS2R), and so tells when its own subgroup arrived, not the last; behind the second all have left the first.
void percycle_all_here() {
  groupMemoryBarrier();
  barrier();
  barrier();
}

// Whether it holds for any invocation of the subgroup: one answer for all, where a subgroup can give it, so that what stands behind a branch on it
// stays the subgroup's own if it was.
bool percycle_any(bool holds) {
#if HAS_SUBGROUP_VOTE
  return subgroupAny(holds);
#else
  return holds;
#endif
}

// Number of the unit that runs the invocation (NVIDIA: the SM); 0 where HAS_UNIT_ID is 0.
uint percycle_unit_id() {
#if HAS_UNIT_ID
  return gl_SMIDNV;
#else
  return 0u;
#endif
}

#if !HAS_INT64
// The address so many bytes behind another.
uvec2 percycle_behind(uvec2 address, uint bytes) {
  uint carry;
  const uint low = uaddCarry(address.x, bytes, carry);
  return uvec2(low, address.y + carry);
}
#endif

// Word i of incompressible data is lowbias32(i ^ salt); the twin of src/core/data_words.hpp, where its source stands.
uint lowbias32(uint x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ (x >> 16);
}
