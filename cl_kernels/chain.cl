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

typedef struct {
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
} Parameters;

uint mix(uint x, const Parameters *p) {
  x = (x * p->multiply[0] + p->add[0]) & p->mask;
  x ^= x >> p->shift;
  x = (x * p->multiply[1] + p->add[1]) & p->mask;
  x ^= x >> p->shift;
  x = (x * p->multiply[2] + p->add[2]) & p->mask;
  x ^= x >> p->shift;
  x = (x * p->multiply[3] + p->add[3]) & p->mask;
  return x;
}

uint unmix(uint x, const Parameters *p) {
  x = ((x - p->add[3]) * p->inverse[3]) & p->mask;
  x ^= x >> p->shift;
  x = ((x - p->add[2]) * p->inverse[2]) & p->mask;
  x ^= x >> p->shift;
  x = ((x - p->add[1]) * p->inverse[1]) & p->mask;
  x ^= x >> p->shift;
  x = ((x - p->add[0]) * p->inverse[0]) & p->mask;
  return x;
}

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
  uint position = unmix(node, &p);
  while (position >= p.nodes) position = unmix(position, &p);
  uint next = mix(position + 1u == p.nodes ? 0u : position + 1u, &p);
  while (next >= p.nodes) next = mix(next, &p);

  __global uint *words = memory + (ulong)node * p.stride_words;
#if LINK_BITS == 64
  const ulong link = (ulong)memory + (ulong)next * p.stride_words * 4u;
  const ulong self = (ulong)words;
  *(__global ulong *)words = link;
#else
  const ulong self = node * p.link_step;
  words[0] = next * p.link_step;
#endif
  for (uint w = LINK_BITS / 32; w < p.stride_words; ++w) words[w] = filler(node * p.stride_words + w + p.fill_seed);
  if (position == 0u) {
    for (uint lane = 0; lane < p.lanes; ++lane) state[lane] = self;
  }
}

#else

#if defined(CHAIN_TEXEL)
#define MEMORY __read_only image1d_buffer_t memory
#define READ(word) read_imageui(memory, (int)(word)).x
#else
#define MEMORY __global const uint *memory
#define READ(word) memory[word]
#endif

__kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1))) void chain(MEMORY, __global uint *sink, Parameters p) {
  uint position = p.first + (uint)get_local_id(0);
  const uint end = p.first + p.count;
  uint x = position;
  uint sum = 0;
  // One flat loop: a nested one with a data-dependent break is what lavapipe 22.3 gets wrong.
  while (position < end) {
    x = mix(x, &p);
    if (x < p.nodes) {
      sum += READ((ulong)x * p.stride_words);
      position += LOCAL_SIZE;
      x = position;
    }
  }
  sink[get_local_id(0)] = sum;
}

#endif
