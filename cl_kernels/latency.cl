// Load-to-use latency: every lane follows the same chain, 31 dependent loads per loop turn.
// CONTROL=1 keeps the loop and the form's address arithmetic without the loads. Twin of
// shaders/latency.comp.
//
// The number of loads per turn, 31, is prime, so that a skipped turn cannot end at the right place
// on a chain of few nodes. A parameter sets how many lanes walk: if AMD's and Intel's compilers
// knew that one lane walks, they would treat the address as uniform and use their scalar path. On
// the scalar and constant paths all lanes start at the same word, so the compiler can see that the
// address is uniform.

#define PATH_GLOBAL 1
#define PATH_GLOBAL_INDEX 2
#define PATH_SCALAR 3
#define PATH_TEXTURE 4
#define PATH_CONSTANT 5
#define PATH_LOCAL 6

// Whether all lanes have one address and the compiler knows it.
#define UNIFORM (PATH == PATH_SCALAR || PATH == PATH_CONSTANT)

#define FORM_POINTER 1      // 64-bit pointers: the loaded value is the address
#define FORM_OFFSET32 2     // a 64-bit base plus a 32-bit byte offset
#define FORM_INDEX 3        // an index into an array: the hardware or an instruction scales it
#define FORM_BYTE_OFFSET 4  // a byte offset into an array

// An address of local memory: its base is added once, during the copy of the chain.
#if FORM == FORM_POINTER
#define LINK ulong
#elif PATH == PATH_LOCAL && FORM == FORM_BYTE_OFFSET
#define LINK size_t
#else
#define LINK uint
#endif

// Binding 0, and STEP: one load.
#if PATH == PATH_TEXTURE
#define CHAIN __read_only image1d_buffer_t chain,
#define STEP at = read_imageui(chain, (int)at).x;
#elif PATH == PATH_CONSTANT
#define CHAIN
#if FORM == FORM_BYTE_OFFSET
#define STEP at = *(__constant const uint *)((__constant const uchar *)constants + at);
#else
#define STEP at = constants[at].x;
#endif
#elif PATH == PATH_LOCAL
#define CHAIN __global const uint *chain,
#if FORM == FORM_BYTE_OFFSET
// If the base is added at each step, NVIDIA's compiler keeps the addition apart from the load (27.9
// cycles instead of 23.0 on an H200).
#define STEP at = *(__local const size_t *)at;
#define LOCAL_BASE ((size_t)memory)
#else
#define STEP at = memory[at];
// For global memory clang uses the scalar path only before any possible write to it.
#endif
#else
#if PATH == PATH_SCALAR && defined(__AMDGCN__)
#define CHAIN __constant const uint *chain,
#else
#define CHAIN __global const uint *chain,
#endif
#if FORM == FORM_POINTER
#define STEP at = *(__global const ulong *)at;
#elif FORM == FORM_INDEX
#define STEP at = chain[at];
#elif PATH == PATH_SCALAR && defined(__AMDGCN__)
#define STEP at = *(__constant const uint *)((__constant const uchar *)chain + at);
#else
#define STEP at = *(__global const uint *)((__global const uchar *)chain + at);
#endif
#endif

// The work besides the loads: with a scaled index one dependent multiply-add per load, in other
// forms only the loop.
#ifdef CONTROL
#undef STEP
#undef LINK
#undef LOCAL_BASE
#define LINK uint
#define MULTIPLY_ADD at = at * p.multiply + p.add;
#if FORM == FORM_INDEX
#define STEP MULTIPLY_ADD
#define EACH_LOOP
#else
#define STEP
#define EACH_LOOP MULTIPLY_ADD
#endif
#else
#define EACH_LOOP
#endif

#define STEPS_8 STEP STEP STEP STEP STEP STEP STEP STEP
#define STEPS_31 STEPS_8 STEPS_8 STEPS_8 STEP STEP STEP STEP STEP STEP STEP

// No chain holds this link; the comparison makes later code wait for the last load.
#define IMPOSSIBLE ((LINK)-1)

__kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1))) void latency(CHAIN __global ulong *state, __global ulong *out,
                                                                              Parameters p) {
  const uint lane = (uint)get_local_id(0);
#if PATH == PATH_LOCAL && !defined(CONTROL)
  __local uint memory[LOCAL_WORDS] __attribute__((aligned(8)));
  for (uint n = lane; n < p.nodes; n += LOCAL_SIZE) {
#ifdef LOCAL_BASE
    *(__local size_t *)(memory + n * p.stride_words) = LOCAL_BASE + chain[n * p.stride_words];
#else
    memory[n * p.stride_words] = chain[n * p.stride_words];
#endif
  }
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
#ifdef DECLARED_WORDS
  // Only its size matters: on some units it shares its storage with the first cache.
  __local uint declared[DECLARED_WORDS];
  declared[lane * (DECLARED_WORDS / LOCAL_SIZE)] = lane;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (declared[(lane + 1) % LOCAL_SIZE * (DECLARED_WORDS / LOCAL_SIZE)] > LOCAL_SIZE) return;
#endif
#if !UNIFORM
  if (lane >= p.lanes) return;
#endif
#if UNIFORM
  LINK at = (LINK)state[0];
  barrier(CLK_GLOBAL_MEM_FENCE);  // before lane 0 writes it
#else
  LINK at = (LINK)state[lane];
#endif
#ifdef LOCAL_BASE
  at += LOCAL_BASE;
#endif
  for (uint i = 0; i < p.warm_loops; ++i) {
    STEPS_31
    EACH_LOOP
  }
  if (at == IMPOSSIBLE) return;
  const ulong device_begin = percycle_device_clock();
  const ulong unit_begin = percycle_unit_clock();
  for (uint i = 0; i < p.loops; ++i) {
    STEPS_31
    EACH_LOOP
  }
  if (at == IMPOSSIBLE) return;
  const ulong unit_end = percycle_unit_clock();
  const ulong device_end = percycle_device_clock();

#ifdef LOCAL_BASE
  at -= LOCAL_BASE;
#endif
  state[lane] = at;
#if defined(CONTROL)
  out[4 + lane] = at;
#elif FORM == FORM_POINTER
  out[4 + lane] = at - (ulong)chain;
#else
  out[4 + lane] = (ulong)at * p.link_unit;
#endif
  if (lane == 0) {
    out[0] = unit_begin;
    out[1] = unit_end;
    out[2] = device_begin;
    out[3] = device_end;
  }
}
