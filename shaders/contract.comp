// Exercises every kind of binding once: what the device contract suite holds both APIs to.
// result[i] = plain[i] * MUL + addressed[i] + texels[i].x + parameters.add + constants[i & 1].y
//% variant MUL=3u
#ifdef BROKEN
#error this kernel is broken on purpose
#endif

layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Words { uint v[]; };

layout(std430, set = 0, binding = 0) readonly buffer Plain { uint plain[]; };
layout(set = 0, binding = 2) uniform utextureBuffer texels;
layout(std430, set = 0, binding = 3) writeonly buffer Out { uint result[]; };
layout(push_constant) uniform Parameters {
  uvec2 addressed;
  uint n;
  uint add;
} parameters;

void main() {
  const uint i = gl_GlobalInvocationID.x;
  if (i >= parameters.n) return;
  result[i] = plain[i] * MUL + Words(parameters.addressed).v[i] + texelFetch(texels, int(i)).x + parameters.add + constants[i & 1u].y;
}
