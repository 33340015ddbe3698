// Uses every kind of binding once; the device contract suite holds both APIs to it.
// result[i] = plain[i] * MUL + addressed[i] + texels[i].x + plane[i].x + p.add + constants[i & 1].y
#ifdef BROKEN
#error this kernel is broken on purpose
#endif

layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Words { uint v[]; };

layout(std430, set = 0, binding = 0) readonly buffer Plain { uint plain[]; };
layout(set = 0, binding = 2) uniform utextureBuffer texels;
layout(std430, set = 0, binding = 3) writeonly buffer Out { uint result[]; };
layout(set = 0, binding = 4) uniform utexture2D plane;

void main() {
  const uint i = gl_GlobalInvocationID.x;
  if (i >= p.n) return;
  const ivec2 place = ivec2(i % PLANE_WIDTH, i / PLANE_WIDTH);
  result[i] = plain[i] * MUL + Words(p.addressed).v[i] + texelFetch(texels, int(i)).x + texelFetch(plane, place, 0).x + p.add +
              constants[i & 1u].y;
}
