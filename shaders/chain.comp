// Builds a pointer chain in device memory (ROLE_BUILD) or walks all of it in chain order with one
// work-group (ROLE_TOUCH). src/core/chain.hpp has the same arithmetic and the layout.

#define ROLE_BUILD 1
#define ROLE_TOUCH 2

layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint v[]; };

uint mix_place(uint x, uint mask, uint shift) {
  x = (x * p.multiply[0] + p.add[0]) & mask;
  x ^= x >> shift;
  x = (x * p.multiply[1] + p.add[1]) & mask;
  x ^= x >> shift;
  x = (x * p.multiply[2] + p.add[2]) & mask;
  x ^= x >> shift;
  x = (x * p.multiply[3] + p.add[3]) & mask;
  return x;
}

uint unmix_place(uint x, uint mask, uint shift) {
  x = ((x - p.add[3]) * p.inverse[3]) & mask;
  x ^= x >> shift;
  x = ((x - p.add[2]) * p.inverse[2]) & mask;
  x ^= x >> shift;
  x = ((x - p.add[1]) * p.inverse[1]) & mask;
  x ^= x >> shift;
  x = ((x - p.add[0]) * p.inverse[0]) & mask;
  return x;
}

// The node of a group at a position within it.
uint within_group(uint position) { return mix_place(position, p.inner_mask, p.inner_shift); }

// The position of a node, in words, as the halves of a 64-bit number: needs no 64-bit integers.
uvec2 word_of(uint node) {
  uint column_high, column_low, row_high, row_low, carry;
  umulExtended(node % p.columns, p.stride_words, column_high, column_low);
  umulExtended(node / p.columns, p.row_words, row_high, row_low);
  const uint low = uaddCarry(column_low, row_low, carry);
  return uvec2(low, column_high + row_high + carry);
}

// The 32-bit link to a node: its byte offset divided by link_unit (1, 4 or 16).
uint link_of(uint node) {
  const uvec2 word = word_of(node);
  if (p.link_unit == 1u) return word.x << 2;
  if (p.link_unit == 4u) return word.x;
  return word.x >> 2 | word.y << 30;
}

#ifdef LINK_TEXELS
// The texel of a node in an image: its column, and its row in the upper half.
uint texel_of(uint node) { return node % p.columns * LINK_TEXELS | node / p.columns * LINK_TEXELS << 16; }
#endif

#ifdef CHAIN_ADDRESS
uvec2 node_address(uint node) {
  const uvec2 word = word_of(node);
  uint carry;
  const uint low = uaddCarry(word.x << 2, p.memory.x, carry);
  return uvec2(low, (word.y << 2 | word.x >> 30) + p.memory.y + carry);
}
#endif

#if ROLE == ROLE_BUILD

#ifndef CHAIN_ADDRESS
layout(std430, set = 0, binding = 0) buffer Memory { uint memory[]; };
#endif
layout(std430, set = 0, binding = 1) buffer State { uvec2 state[]; };

// Incompressible filler (MurmurHash3's 32-bit finaliser, Appleby 2011).
uint filler(uint x) {
  x ^= x >> 16;
  x *= 0x85ebca6bu;
  x ^= x >> 13;
  x *= 0xc2b2ae35u;
  return x ^ (x >> 16);
}

void main() {
  const uint id = gl_GlobalInvocationID.x;
  if (id >= p.count) return;
  const uint node = p.first + id;
  uint group = unmix_place(node / p.group, p.mask, p.shift);
  while (group >= p.groups) group = unmix_place(group, p.mask, p.shift);
  const uint position = group * p.group + unmix_place(node % p.group, p.inner_mask, p.inner_shift);
  const uint after = position + 1u == p.groups * p.group ? 0u : position + 1u;
  uint next = mix_place(after / p.group, p.mask, p.shift);
  while (next >= p.groups) next = mix_place(next, p.mask, p.shift);
  next = next * p.group + within_group(after % p.group);

  const uint first_word = word_of(node).x;
#ifdef CHAIN_ADDRESS
  Words words = Words(node_address(node));
#define WORD(w) words.v[w]
#else
#define WORD(w) memory[first_word + (w)]
#endif
#if LINK_BITS == 64
  const uvec2 link = node_address(next);
  const uvec2 self = node_address(node);
  WORD(0) = link.x;
  WORD(1) = link.y;
#elif defined(LINK_TEXELS)
  const uvec2 self = uvec2(texel_of(node), 0);
  WORD(0) = texel_of(next);
#else
  const uvec2 self = uvec2(link_of(node), 0);
  WORD(0) = link_of(next);
#endif
  for (uint w = LINK_BITS / 32; w < p.fill_words; ++w) WORD(w) = filler(first_word + w + p.fill_seed);
#ifdef LINK_TEXELS
  for (uint i = p.fill_words; i < LINK_TEXELS * p.fill_words; ++i) {
    const uint w = i / p.fill_words * (p.row_words / LINK_TEXELS) + i % p.fill_words;
    WORD(w) = filler(first_word + w + p.fill_seed);
  }
#endif
  if (position == 0u) {
    for (uint lane = 0; lane < p.lanes; ++lane) state[lane] = self;
  }
}

#else

#if defined(LINK_TEXELS)
layout(set = 0, binding = 0) uniform utexture2D memory;
#define READ(node) texelFetch(memory, ivec2(texel_of(node) & 0xffffu, texel_of(node) >> 16), 0).x
#elif defined(CHAIN_TEXEL)
layout(set = 0, binding = 0) uniform utextureBuffer memory;
#define READ(node) texelFetch(memory, int(word_of(node).x)).x
#elif defined(CHAIN_ADDRESS)
#define READ(node) Words(node_address(node)).v[0]
#else
layout(std430, set = 0, binding = 0) readonly buffer Memory { uint memory[]; };
#define READ(node) memory[word_of(node).x]
#endif
layout(std430, set = 0, binding = 1) writeonly buffer Sink { uint sink[]; };

void main() {
  uint position = p.first + gl_LocalInvocationID.x;
  const uint end = p.first + p.count;
  uint x = position / p.group;
  uint sum = 0;
  // One flat loop: lavapipe 22.3 executes nested ones with a data-dependent break wrongly.
  while (position < end) {
    x = mix_place(x, p.mask, p.shift);
    if (x < p.groups) {
      sum += READ(x * p.group + within_group(position % p.group));
      position += LOCAL_SIZE;
      x = position / p.group;
    }
  }
  sink[gl_LocalInvocationID.x] = sum;
}

#endif
