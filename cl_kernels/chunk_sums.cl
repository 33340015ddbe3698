// The sum of each chunk of a buffer from kernel pair `fill`, computed from the hash, not read: 1,
// 3, 5 ... times each word, by its place in a vector of `channels` words; one invocation per chunk.
// Twin of shaders/chunk_sums.comp.

__kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1))) void chunk_sums(__global uint *sums, Parameters p) {
  const uint chunk = (uint)get_global_id(0);
  if (chunk >= p.chunks) return;
  const uint first = chunk * p.words;
  uint sum = 0;
  for (uint i = 0; i < p.words; ++i) sum += (2 * (i & (p.channels - 1)) + 1) * lowbias32((first + i) ^ p.salt);
  sums[chunk] = sum;
}
