// Load-to-use latency: every lane follows the same chain, 31 dependent loads per loop turn, or 32
// through CONSTANT_BUFFERS uniform buffers. CONTROL=1 keeps the loop and the form's address
// arithmetic without the loads. Twin of cl_kernels/latency.cl, which has more.
//
// Constants beyond one uniform buffer lie in several. Load n of a turn reads buffer n modulo their
// number, and its link counts from the start of the next buffer. An index that chooses the buffer
// would cost address arithmetic and a load of the buffer's descriptor in every step of the chain. A
// turn has 32 loads there, so that it ends with the last buffer.

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
#define FORM_BYTE_OFFSET 4  // OpenCL only: GLSL has no byte-addressed arrays

#if FORM == FORM_POINTER && HAS_REFERENCE_LINKS
// The link is a reference itself: making one from a uvec2 at every step costs six cycles of moves
// (NVIDIA 580).
layout(buffer_reference) buffer Node;
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Node { Node next; };
#define LINK Node
#define NEXT(link) link.next
#elif FORM == FORM_POINTER
// SwiftShader's compiler crashes on a reference read from memory.
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Node { uvec2 next; };
#define LINK uvec2
#define NEXT(link) Node(link).next
#elif FORM == FORM_OFFSET32
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Node { uint next; };
#define LINK uint
#else
#define LINK uint
#endif

// Binding 0, and STEP: one load.
#if PATH == PATH_TEXTURE
#define FIRST_FREE 1
layout(set = 0, binding = 0) uniform utextureBuffer chain;
#define STEP at = texelFetch(chain, int(at)).x;
#elif PATH == PATH_CONSTANT
#define FIRST_FREE 0
#ifdef CONSTANT_BUFFERS
// A load of each buffer in turn, so that the buffer is known to the compiler. A turn of 32 loads
// ends with the last buffer.
#define STEP_IN(n) at = constants[(n) % CONSTANT_BUFFERS].words[at].x;
#else
#define STEP at = constants[at].x;
#endif
#elif PATH == PATH_LOCAL
#define FIRST_FREE 1
layout(std430, set = 0, binding = 0) readonly buffer Chain { uint chain[]; };
#ifndef CONTROL
shared uint memory[LOCAL_WORDS];
#endif
#define STEP at = memory[at];
#elif PATH == PATH_GLOBAL
#define FIRST_FREE 1
#if FORM == FORM_POINTER
#define STEP at = NEXT(at);
#else
#define STEP at = Node(base + uint64_t(at)).next;
#endif
#else
#define FIRST_FREE 1
layout(std430, set = 0, binding = 0) readonly buffer Chain { uint chain[]; };
#define STEP at = chain[at];
#endif
layout(std430, set = 0, binding = FIRST_FREE) buffer State { uvec2 state[]; };
layout(std430, set = 0, binding = FIRST_FREE + 1) writeonly buffer Out { uvec2 result[]; };
#ifdef DECLARED_WORDS
shared uint declared[DECLARED_WORDS];
#endif

// The work besides the loads: with a scaled index one dependent multiply-add per load, in other
// forms only the loop.
#ifdef CONTROL
#undef STEP
#undef STEP_IN
#undef LINK
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

#ifdef CONSTANT_BUFFERS
#ifdef CONTROL
#define STEP_IN(n) STEP  // the control declares one buffer
#endif
#define STEPS_8_IN(n)                                                                                       \
  STEP_IN(n) STEP_IN(n + 1) STEP_IN(n + 2) STEP_IN(n + 3) STEP_IN(n + 4) STEP_IN(n + 5) STEP_IN(n + 6) STEP_IN(n + 7)
#define TURN STEPS_8_IN(0) STEPS_8_IN(8) STEPS_8_IN(16) STEPS_8_IN(24)
#else
#define STEPS_8 STEP STEP STEP STEP STEP STEP STEP STEP
#define TURN STEPS_8 STEPS_8 STEPS_8 STEP STEP STEP STEP STEP STEP STEP
#endif

// No chain holds this link; the comparison makes later code wait for the last load.
#if FORM == FORM_POINTER && !defined(CONTROL)
#define IS_IMPOSSIBLE(link) (uvec2(link) == uvec2(0xffffffffu))
#else
#define IS_IMPOSSIBLE(link) ((link) == 0xffffffffu)
#endif

void main() {
  const uint lane = gl_LocalInvocationID.x;
#if PATH == PATH_LOCAL && !defined(CONTROL)
  for (uint n = lane; n < p.nodes; n += LOCAL_SIZE) memory[n * p.stride_words] = chain[n * p.stride_words];
  barrier();
#endif
#ifdef DECLARED_WORDS
  // Only its size matters: on some units it shares its storage with the first cache.
  declared[lane * (DECLARED_WORDS / LOCAL_SIZE)] = lane;
  barrier();
  if (declared[(lane + 1) % LOCAL_SIZE * (DECLARED_WORDS / LOCAL_SIZE)] > LOCAL_SIZE) return;
#endif
#if !UNIFORM
  if (lane >= p.lanes) return;
#endif
#if PATH == PATH_GLOBAL && FORM == FORM_OFFSET32 && !defined(CONTROL)
  const uint64_t base = packUint2x32(p.chain);
#endif
#if UNIFORM
  const uvec2 begin = state[0];
  barrier();  // before lane 0 writes it
#else
  const uvec2 begin = state[lane];
#endif
#if FORM == FORM_POINTER && !defined(CONTROL)
  LINK at = LINK(begin);
#else
  LINK at = begin.x;
#endif
  for (uint i = 0; i < p.warm_loops; ++i) {
    TURN
    EACH_LOOP
  }
  if (IS_IMPOSSIBLE(at)) return;
  const uvec2 device_begin = percycle_device_clock();
  const uvec2 unit_begin = percycle_unit_clock();
  for (uint i = 0; i < p.loops; ++i) {
    TURN
    EACH_LOOP
  }
  if (IS_IMPOSSIBLE(at)) return;
  const uvec2 unit_end = percycle_unit_clock();
  const uvec2 device_end = percycle_device_clock();

#if defined(CONTROL)
  state[lane] = uvec2(at, 0);
  result[4 + lane] = uvec2(at, 0);
#elif FORM == FORM_POINTER
  const uvec2 end = uvec2(at);
  state[lane] = end;
  uint borrow;
  const uint low = usubBorrow(end.x, p.chain.x, borrow);
  result[4 + lane] = uvec2(low, end.y - p.chain.y - borrow);
#else
  state[lane] = uvec2(at, 0);
  uint high, low;
  umulExtended(at, p.link_unit, high, low);
  result[4 + lane] = uvec2(low, high);
#endif
  if (lane == 0) {
    result[0] = unit_begin;
    result[1] = unit_end;
    result[2] = device_begin;
    result[3] = device_end;
  }
}
