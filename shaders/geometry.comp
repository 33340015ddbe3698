// A fine-grained chase (Mei and Chu, IEEE TPDS 28(1), 2017): one invocation follows a chain and
// times each load. The times stay in shared memory, so that storing them disturbs no cache. Twin of
// cl_kernels/geometry.cl.

#define PATH_GLOBAL 1    // 64-bit pointers
#define PATH_TEXTURE 2   // index of a texel
#define PATH_CONSTANT 3  // index of a 16-byte vector

#if PATH == PATH_GLOBAL && HAS_REFERENCE_LINKS
layout(buffer_reference) buffer Node;
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Node { Node next; };
#define LINK Node
#define NEXT(link) link.next
#elif PATH == PATH_GLOBAL
// SwiftShader's compiler crashes on a reference read from memory.
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Node { uvec2 next; };
#define LINK uvec2
#define NEXT(link) Node(link).next
#else
#define LINK uint
#endif

#if PATH == PATH_GLOBAL
#define FIRST_FREE 1
#define STEP at = NEXT(at);
#elif PATH == PATH_TEXTURE
#define FIRST_FREE 1
layout(set = 0, binding = 0) uniform utextureBuffer chain;
#define STEP at = texelFetch(chain, int(at)).x;
#else
#define FIRST_FREE 0
#define STEP at = constants[at].x;
#endif
layout(std430, set = 0, binding = FIRST_FREE) buffer State { uvec2 state[]; };
layout(std430, set = 0, binding = FIRST_FREE + 1) writeonly buffer Out { uvec2 result[]; };

// No chain holds this link; the comparison makes later code wait for the load.
#if PATH == PATH_GLOBAL
#define IS_IMPOSSIBLE(link) (uvec2(link) == uvec2(0xffffffffu))
#else
#define IS_IMPOSSIBLE(link) ((link) == 0xffffffffu)
#endif

shared uint ticks[MOST_STEPS + 1];

void main() {
  const uint lane = gl_LocalInvocationID.x;
#if PATH == PATH_CONSTANT
  LINK at = state[0].x;
#else
  if (lane >= p.lanes) return;
#if PATH == PATH_GLOBAL
  LINK at = LINK(state[lane]);
#else
  LINK at = state[lane].x;
#endif
#endif
  for (uint i = 0; i < p.warm_steps; ++i) {
    STEP
  }
  if (IS_IMPOSSIBLE(at)) return;
  const uvec2 device_begin = percycle_device_clock();
  const uvec2 unit_begin = percycle_unit_clock();
  const uint timed = p.loops * p.steps;
  for (uint i = 0; i < timed; ++i) {
    const uint begin = percycle_unit_clock().x;
    STEP
    if (IS_IMPOSSIBLE(at)) return;
    ticks[i] = percycle_unit_clock().x - begin;
  }
  const uvec2 unit_end = percycle_unit_clock();
  const uvec2 device_end = percycle_device_clock();

  result[0] = unit_begin;
  result[1] = unit_end;
  result[2] = device_begin;
  result[3] = device_end;
#if PATH == PATH_GLOBAL
  const uvec2 end = uvec2(at);
  state[lane] = end;
  uint borrow;
  const uint low = usubBorrow(end.x, p.chain.x, borrow);
  result[4] = uvec2(low, end.y - p.chain.y - borrow);
#else
  state[lane] = uvec2(at, 0);
  uint high, low;
  umulExtended(at, p.link_unit, high, low);
  result[4] = uvec2(low, high);
#endif
  for (uint i = 0; i < timed; i += 2) result[5 + i / 2] = uvec2(ticks[i], ticks[i + 1]);
}
