// A loop around branches on a value of each lane (docs/experiments/instructions.md).
// src/expected/branches.cpp has TURN. The condition is a bit of a lane's word that changes with the
// turn, so that no compiler takes the branch out of the loop. Twin of cl_kernels/branches.cl.

layout(std430, set = 0, binding = 0) readonly buffer Starts { uint starts[]; };
layout(std430, set = 0, binding = 1) readonly buffer Words { uint words[]; };
layout(std430, set = 0, binding = 2) writeonly buffer Out { uvec2 result[]; };

#define TAKEN(level) ((word_##level >> (i & 31u)) & 1u)

void main() {
  const uint lane = gl_LocalInvocationID.x;
  const uint word_0 = words[3 * lane], word_1 = words[3 * lane + 1], word_2 = words[3 * lane + 2];
  uint x = starts[lane];
  if (x == p.never) return;
  const uvec2 device_begin = percycle_device_clock();
  const uvec2 unit_begin = percycle_unit_clock();
  for (uint i = 0u; i < p.loops; ++i) {
    TURN
  }
  if (x == p.never) return;
  const uvec2 unit_end = percycle_unit_clock();
  const uvec2 device_end = percycle_device_clock();

  result[4 + lane] = uvec2(x, 0u);
  if (lane == 0u) {
    result[0] = unit_begin;
    result[1] = unit_end;
    result[2] = device_begin;
    result[3] = device_end;
  }
}
