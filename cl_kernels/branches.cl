// A loop around branches on a value of each lane (docs/experiments/instructions.md).
// src/expected/branches.cpp has TURN. The condition is a bit of a lane's word that changes with the
// turn, so that no compiler takes the branch out of the loop. Twin of shaders/branches.comp.

#define TAKEN(level) ((word_##level >> (i & 31u)) & 1u)

__kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1))) void branches(__global const uint *starts, __global const uint *words,
                                                                               __global ulong *out, Parameters p) {
  const uint lane = (uint)get_local_id(0);
  const uint word_0 = words[3 * lane], word_1 = words[3 * lane + 1], word_2 = words[3 * lane + 2];
  uint x = starts[lane];
  if (x == p.never) return;
  const ulong device_begin = percycle_device_clock();
  const ulong unit_begin = percycle_unit_clock();
#pragma unroll 1
  for (uint i = 0; i < p.loops; ++i) {
    TURN
  }
  if (x == p.never) return;
  const ulong unit_end = percycle_unit_clock();
  const ulong device_end = percycle_device_clock();

  out[4 + lane] = x;
  if (lane == 0) {
    out[0] = unit_begin;
    out[1] = unit_end;
    out[2] = device_begin;
    out[3] = device_end;
  }
}
