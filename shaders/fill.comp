// Writes incompressible words that the host can compute: word i is lowbias32(i ^ salt), see
// src/core/data_words.hpp. Twin of cl_kernels/fill.cl.

#ifdef DATA_ADDRESS
layout(buffer_reference, std430, buffer_reference_align = 4) writeonly buffer Words { uint v[]; };
#else
layout(std430, set = 0, binding = 0) writeonly buffer Data { uint data[]; };
#endif

void main() {
#ifdef DATA_ADDRESS
  uint carry;
  const uint low = uaddCarry(p.data.x, p.first_low << 2, carry);
  Words words = Words(uvec2(low, p.data.y + (p.first_high << 2 | p.first_low >> 30) + carry));
#define WORD(i) words.v[i]
#else
#define WORD(i) data[p.first_low + (i)]
#endif
  uint i = gl_WorkGroupID.x * (LOCAL_SIZE * WORDS_PER_ITEM) + gl_LocalInvocationID.x;
  for (uint n = 0; n < WORDS_PER_ITEM && i < p.count; ++n, i += LOCAL_SIZE) WORD(i) = lowbias32((p.first_low + i) ^ p.salt);
}
