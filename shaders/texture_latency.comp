// Latency of a texel in an image of two dimensions: every lane follows the same chain, 31 dependent
// loads per loop turn. A texel holds the column and the row of the next one in its first channels,
// so that no arithmetic lies between two loads. Kernel pair `chain` writes the links. Twin of
// cl_kernels/texture_latency.cl.

layout(set = 0, binding = 0) uniform utexture2D chain;
layout(std430, set = 0, binding = 1) buffer State { uvec2 state[]; };
layout(std430, set = 0, binding = 2) writeonly buffer Out { uvec2 result[]; };

#define STEP at = ivec2(texelFetch(chain, at, 0).xy);
#define STEPS_8 STEP STEP STEP STEP STEP STEP STEP STEP
#define STEPS_31 STEPS_8 STEPS_8 STEPS_8 STEP STEP STEP STEP STEP STEP STEP

void main() {
  const uint lane = gl_LocalInvocationID.x;
  if (lane >= p.lanes) return;
  const uint begin = state[lane].x;
  ivec2 at = ivec2(begin & 0xffffu, begin >> 16);
  for (uint i = 0; i < p.warm_loops; ++i) {
    STEPS_31
  }
  // No texel has such a column; the comparison makes later code wait for the last load.
  if (at.x < 0) return;
  const uvec2 device_begin = percycle_device_clock();
  const uvec2 unit_begin = percycle_unit_clock();
  for (uint i = 0; i < p.loops; ++i) {
    STEPS_31
  }
  if (at.x < 0) return;
  const uvec2 unit_end = percycle_unit_clock();
  const uvec2 device_end = percycle_device_clock();

  state[lane] = uvec2(uint(at.x) | uint(at.y) << 16, 0);
  result[4 + lane] = uvec2(uint(at.y) * p.width + uint(at.x), 0);
  if (lane == 0) {
    result[0] = unit_begin;
    result[1] = unit_end;
    result[2] = device_begin;
    result[3] = device_end;
  }
}
