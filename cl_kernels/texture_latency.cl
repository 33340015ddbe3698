// Latency of a texel in an image of two dimensions: every lane follows the same chain, 31 dependent
// loads per loop turn. A texel holds the column and the row of the next one in its first channels,
// so that no arithmetic lies between two loads. Kernel pair `chain` writes the links. Twin of
// shaders/texture_latency.comp.

#define STEP at = as_int2(read_imageui(chain, at).xy);
#define STEPS_8 STEP STEP STEP STEP STEP STEP STEP STEP
#define STEPS_31 STEPS_8 STEPS_8 STEPS_8 STEP STEP STEP STEP STEP STEP STEP

__kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1))) void texture_latency(__read_only image2d_t chain,
                                                                                      __global ulong *state,
                                                                                      __global ulong *out, Parameters p) {
  const uint lane = (uint)get_local_id(0);
  if (lane >= p.lanes) return;
  const uint begin = (uint)state[lane];
  int2 at = (int2)(begin & 0xffffu, begin >> 16);
  for (uint i = 0; i < p.warm_loops; ++i) {
    STEPS_31
  }
  // No texel has such a column; the comparison makes later code wait for the last load.
  if (at.x < 0) return;
  const ulong device_begin = percycle_device_clock();
  const ulong unit_begin = percycle_unit_clock();
  for (uint i = 0; i < p.loops; ++i) {
    STEPS_31
  }
  if (at.x < 0) return;
  const ulong unit_end = percycle_unit_clock();
  const ulong device_end = percycle_device_clock();

  state[lane] = (uint)at.x | (uint)at.y << 16;
  out[4 + lane] = (uint)at.y * p.width + (uint)at.x;
  if (lane == 0) {
    out[0] = unit_begin;
    out[1] = unit_end;
    out[2] = device_begin;
    out[3] = device_end;
  }
}
