// Builds a pointer chain in device memory (ROLE_BUILD) or walks all of it in chain order with one
// work-group (ROLE_TOUCH). src/core/chain.hpp has the same arithmetic and the layout.

#define ROLE_BUILD 1
#define ROLE_TOUCH 2

uint mix(uint x, uint mask, uint shift, const Parameters *p) {
  x = (x * p->multiply[0] + p->add[0]) & mask;
  x ^= x >> shift;
  x = (x * p->multiply[1] + p->add[1]) & mask;
  x ^= x >> shift;
  x = (x * p->multiply[2] + p->add[2]) & mask;
  x ^= x >> shift;
  x = (x * p->multiply[3] + p->add[3]) & mask;
  return x;
}

uint unmix(uint x, uint mask, uint shift, const Parameters *p) {
  x = ((x - p->add[3]) * p->inverse[3]) & mask;
  x ^= x >> shift;
  x = ((x - p->add[2]) * p->inverse[2]) & mask;
  x ^= x >> shift;
  x = ((x - p->add[1]) * p->inverse[1]) & mask;
  x ^= x >> shift;
  x = ((x - p->add[0]) * p->inverse[0]) & mask;
  return x;
}

// The node of a group at a position within it.
uint within_group(uint position, const Parameters *p) { return mix(position, p->inner_mask, p->inner_shift, p); }

// The position of a node, in words. The remainder comes from the quotient: for both operators side
// by side clang emits an instruction (freeze) that Oclgrind 21.10 does not support.
ulong word_of(uint node, const Parameters *p) {
  const uint row = node / p->columns;
  return (ulong)(node - row * p->columns) * p->stride_words + (ulong)row * p->row_words;
}

#ifdef LINK_TEXELS
// The texel of a node in an image: its column, and its row in the upper half.
uint texel_of(uint node, const Parameters *p) {
  const uint row = node / p->columns;
  return (node - row * p->columns) * LINK_TEXELS | row * LINK_TEXELS << 16;
}
#endif

#if ROLE == ROLE_BUILD

// Incompressible filler (MurmurHash3's 32-bit finaliser, Appleby 2011).
uint filler(uint x) {
  x ^= x >> 16;
  x *= 0x85ebca6bu;
  x ^= x >> 13;
  x *= 0xc2b2ae35u;
  return x ^ (x >> 16);
}

__kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1))) void chain(__global uint *memory, __global ulong *state,
                                                                            Parameters p) {
  const uint id = (uint)get_global_id(0);
  if (id >= p.count) return;
  const uint node = p.first + id;
  const uint own = node / p.group;
  uint group = unmix(own, p.mask, p.shift, &p);
  while (group >= p.groups) group = unmix(group, p.mask, p.shift, &p);
  const uint position = group * p.group + unmix(node - own * p.group, p.inner_mask, p.inner_shift, &p);
  const uint after = position + 1u == p.groups * p.group ? 0u : position + 1u;
  const uint after_group = after / p.group;
  uint next = mix(after_group, p.mask, p.shift, &p);
  while (next >= p.groups) next = mix(next, p.mask, p.shift, &p);
  next = next * p.group + within_group(after - after_group * p.group, &p);

  __global uint *words = memory + word_of(node, &p);
#if LINK_BITS == 64
  const ulong link = (ulong)(memory + word_of(next, &p));
  const ulong self = (ulong)words;
  *(__global ulong *)words = link;
#elif defined(LINK_TEXELS)
  const ulong self = texel_of(node, &p);
  words[0] = texel_of(next, &p);
#else
  const ulong self = word_of(node, &p) * 4u / p.link_unit;
  words[0] = (uint)(word_of(next, &p) * 4u / p.link_unit);
#endif
  for (uint w = LINK_BITS / 32; w < p.fill_words; ++w) words[w] = filler((uint)word_of(node, &p) + w + p.fill_seed);
#ifdef LINK_TEXELS
  for (uint i = p.fill_words; i < LINK_TEXELS * p.fill_words; ++i) {
    const uint w = i / p.fill_words * (p.row_words / LINK_TEXELS) + i % p.fill_words;
    words[w] = filler((uint)word_of(node, &p) + w + p.fill_seed);
  }
#endif
  if (position == 0u) {
    for (uint lane = 0; lane < p.lanes; ++lane) state[lane] = self;
  }
}

#else

#if defined(LINK_TEXELS)
#define MEMORY __read_only image2d_t memory
#define READ(node) read_imageui(memory, (int2)(texel_of(node, &p) & 0xffffu, texel_of(node, &p) >> 16)).x
#elif defined(CHAIN_TEXEL)
#define MEMORY __read_only image1d_buffer_t memory
#define READ(node) read_imageui(memory, (int)word_of(node, &p)).x
#else
#define MEMORY __global const uint *memory
#define READ(node) memory[word_of(node, &p)]
#endif

__kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1))) void chain(MEMORY, __global uint *sink, Parameters p) {
  uint position = p.first + (uint)get_local_id(0);
  const uint end = p.first + p.count;
  uint x = position / p.group;
  uint sum = 0;
  // One flat loop: lavapipe 22.3 executes nested ones with a data-dependent break wrongly.
  while (position < end) {
    x = mix(x, p.mask, p.shift, &p);
    if (x < p.groups) {
      const uint quotient = position / p.group;
      sum += READ(x * p.group + within_group(position - quotient * p.group, &p));
      position += LOCAL_SIZE;
      x = position / p.group;
    }
  }
  sink[get_local_id(0)] = sum;
}

#endif
