// Straight-line code that is run again and again: additions of different constants to eight
// numbers, in blocks. A turn runs the first `blocks` of them. Twin of
// cl_kernels/instruction_cache.cl.

layout(std430, set = 0, binding = 0) readonly buffer Starts { float starts[]; };
layout(std430, set = 0, binding = 1) writeonly buffer Sums { float sums[]; };
layout(std430, set = 0, binding = 2) writeonly buffer Clocks { uvec2 clocks[]; };

void main() {
  const uint id = gl_GlobalInvocationID.x;
  // `precise`: two additions may not become one.
  precise float a = starts[8 * id], b = starts[8 * id + 1], c = starts[8 * id + 2], d = starts[8 * id + 3];
  precise float e = starts[8 * id + 4], f = starts[8 * id + 5], g = starts[8 * id + 6], h = starts[8 * id + 7];
  uvec2 device_begin = uvec2(0), unit_begin = uvec2(0);
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
  const uvec2 unit_end = percycle_unit_clock();
  const uvec2 device_end = percycle_device_clock();
  if (id == 0) {
    clocks[0] = unit_begin;
    clocks[1] = unit_end;
    clocks[2] = device_begin;
    clocks[3] = device_end;
  }
}
