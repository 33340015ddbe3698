// The sum of each chunk of a buffer from kernel pair `fill`, computed from the hash, not read: 1,
// 3, 5 ... times each word, by its place in a vector of `channels` words; one invocation per chunk.
// Twin of cl_kernels/chunk_sums.cl.

layout(std430, set = 0, binding = 0) writeonly buffer Sums { uint sums[]; };

void main() {
  const uint chunk = gl_GlobalInvocationID.x;
  if (chunk >= p.chunks) return;
  const uint first = chunk * p.words;
  uint sum = 0u;
  for (uint i = 0u; i < p.words; ++i) sum += (2u * (i & (p.channels - 1u)) + 1u) * lowbias32((first + i) ^ p.salt);
  sums[chunk] = sum;
}
