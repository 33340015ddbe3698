// Builds a pointer chain in device memory (ROLE_BUILD) and walks all of it in chain order with one work-group (ROLE_TOUCH).
// The chain is the cycle (0 1 2 ... nodes-1) of positions seen through a seeded bijection of [0, nodes): place(position) is the node at a
// position, so the host knows every end index without a walk. See src/experiments/chain.hpp for the bijection.
//% variant ROLE=ROLE_BUILD LINK_BITS=32
//% variant ROLE=ROLE_BUILD LINK_BITS=32 CHAIN_ADDRESS=1
//% variant ROLE=ROLE_BUILD LINK_BITS=64 CHAIN_ADDRESS=1
//% variant ROLE=ROLE_TOUCH
//% variant ROLE=ROLE_TOUCH CHAIN_ADDRESS=1
//% variant ROLE=ROLE_TOUCH CHAIN_TEXEL=1

#define ROLE_BUILD 1
#define ROLE_TOUCH 2

layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint v[]; };

layout(push_constant) uniform Parameters {
#ifdef CHAIN_ADDRESS
  uvec2 memory;
#endif
  uint first;         // position (touch) or node (build) this dispatch starts at
  uint count;         // of them
  uint nodes;         // in the chain
  uint mask;          // 2^k - 1, k the bits of nodes - 1
  uint shift;         // of the xor-shift, at least half of k so that it is its own inverse
  uint multiply[4];   // odd
  uint add[4];
  uint inverse[4];    // of multiply, modulo 2^32
  uint stride_words;  // between nodes
  uint link_step;     // a 32-bit link is node * link_step
  uint lanes;         // entries of state to start at position 0
  uint fill_seed;
} p;

uint mix_place(uint x) {
  x = (x * p.multiply[0] + p.add[0]) & p.mask;
  x ^= x >> p.shift;
  x = (x * p.multiply[1] + p.add[1]) & p.mask;
  x ^= x >> p.shift;
  x = (x * p.multiply[2] + p.add[2]) & p.mask;
  x ^= x >> p.shift;
  x = (x * p.multiply[3] + p.add[3]) & p.mask;
  return x;
}

uint unmix_place(uint x) {
  x = ((x - p.add[3]) * p.inverse[3]) & p.mask;
  x ^= x >> p.shift;
  x = ((x - p.add[2]) * p.inverse[2]) & p.mask;
  x ^= x >> p.shift;
  x = ((x - p.add[1]) * p.inverse[1]) & p.mask;
  x ^= x >> p.shift;
  x = ((x - p.add[0]) * p.inverse[0]) & p.mask;
  return x;
}

#ifdef CHAIN_ADDRESS
// The address of a node: 64-bit arithmetic in 32-bit halves, so that it needs no 64-bit integers.
uvec2 node_address(uint node) {
  uint high, low, carry;
  umulExtended(node, p.stride_words * 4u, high, low);
  low = uaddCarry(low, p.memory.x, carry);
  return uvec2(low, high + p.memory.y + carry);
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
  uint position = unmix_place(node);
  while (position >= p.nodes) position = unmix_place(position);
  uint next = mix_place(position + 1u == p.nodes ? 0u : position + 1u);
  while (next >= p.nodes) next = mix_place(next);

#ifdef CHAIN_ADDRESS
  Words words = Words(node_address(node));
#define WORD(w) words.v[w]
#else
  const uint first_word = node * p.stride_words;
#define WORD(w) memory[first_word + (w)]
#endif
#if LINK_BITS == 64
  const uvec2 link = node_address(next);
  const uvec2 self = node_address(node);
  WORD(0) = link.x;
  WORD(1) = link.y;
#else
  const uvec2 self = uvec2(node * p.link_step, 0);
  WORD(0) = next * p.link_step;
#endif
  for (uint w = LINK_BITS / 32; w < p.stride_words; ++w) WORD(w) = filler(node * p.stride_words + w + p.fill_seed);
  if (position == 0u) {
    for (uint lane = 0; lane < p.lanes; ++lane) state[lane] = self;
  }
}

#else

#if defined(CHAIN_TEXEL)
layout(set = 0, binding = 0) uniform utextureBuffer memory;
#define READ(node) texelFetch(memory, int((node) * p.stride_words)).x
#elif defined(CHAIN_ADDRESS)
#define READ(node) Words(node_address(node)).v[0]
#else
layout(std430, set = 0, binding = 0) readonly buffer Memory { uint memory[]; };
#define READ(node) memory[(node) * p.stride_words]
#endif
layout(std430, set = 0, binding = 1) writeonly buffer Sink { uint sink[]; };

void main() {
  uint position = p.first + gl_LocalInvocationID.x;
  const uint end = p.first + p.count;
  uint x = position;
  uint sum = 0;
  // One flat loop: a nested one with a data-dependent break is what lavapipe 22.3 gets wrong.
  while (position < end) {
    x = mix_place(x);
    if (x < p.nodes) {
      sum += READ(x);
      position += LOCAL_SIZE;
      x = position;
    }
  }
  sink[gl_LocalInvocationID.x] = sum;
}

#endif
