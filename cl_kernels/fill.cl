// Writes incompressible words that the host can compute: word i is lowbias32(i ^ salt), see
// src/core/data_words.hpp. Twin of shaders/fill.comp.

__kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1))) void fill(__global uint *data, Parameters p) {
  __global uint *words = data + ((ulong)p.first_high << 32 | p.first_low);
  uint i = (uint)get_group_id(0) * (LOCAL_SIZE * WORDS_PER_ITEM) + (uint)get_local_id(0);
  for (uint n = 0; n < WORDS_PER_ITEM && i < p.count; ++n, i += LOCAL_SIZE) words[i] = lowbias32((p.first_low + i) ^ p.salt);
}
