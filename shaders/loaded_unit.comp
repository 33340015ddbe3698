// Latency under load within a unit: one lane of the only work-group follows a chain in local memory
// or in the first cache, as in `latency`, while the group's other subgroups read the same level.
// Twin of cl_kernels/loaded_unit.cl, which explains the waits, tiles and sums.

#define PATH_GLOBAL 1
#define PATH_LOCAL 2

#if PATH == PATH_LOCAL
layout(std430, set = 0, binding = 0) readonly buffer Chain { uint chain[]; };
layout(std430, set = 0, binding = 1) readonly buffer Data { uvec4 data[]; };
shared uint links[LINK_WORDS];
shared uvec4 rows[VECTOR_COUNT];
#define LINK uint
#define LINK_OF(state) (state).x
#define STATE_OF(link) uvec2(link, 0u)
#define STEP at = links[at];
#define IS_IMPOSSIBLE(link) ((link) == 0xffffffffu)
#else
#if HAS_REFERENCE_LINKS
// As in `latency`: a reference made at every step would cost moves.
layout(buffer_reference) buffer Node;
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Node { Node next; };
#define LINK Node
#define STEP at = at.next;
#else
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Node { uvec2 next; };
#define LINK uvec2
#define STEP at = Node(at).next;
#endif
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Rows { uvec4 v[]; };
#define LINK_OF(state) LINK(state)
#define STATE_OF(link) uvec2(link)
// No chain holds this link; the comparison makes later code wait for the last load.
#define IS_IMPOSSIBLE(link) (uvec2(link) == uvec2(0xffffffffu))
#endif
#define STEPS_8 STEP STEP STEP STEP STEP STEP STEP STEP
#define STEPS_31 STEPS_8 STEPS_8 STEPS_8 STEP STEP STEP STEP STEP STEP STEP

// Dependent arithmetic that passes the time of a pause or between two looks.
#define ADD_1 idle = idle * p.multiply + p.add;
#define ADD_4 ADD_1 ADD_1 ADD_1 ADD_1
#define ADD_32 ADD_4 ADD_4 ADD_4 ADD_4 ADD_4 ADD_4 ADD_4 ADD_4

layout(std430, set = 0, binding = 2) buffer Links { uvec2 link[]; };
layout(std430, set = 0, binding = 3) coherent volatile buffer Out { uvec2 result[]; };
layout(std430, set = 0, binding = 4) coherent volatile buffer Marks { uint marks[]; };
layout(std430, set = 0, binding = 5) writeonly buffer Sums { uint sums[]; };

// Words of `result` behind the clocks.
#define END 4
#define MISSED 5   // whether a row of loaders did not begin in time
#define GAVE_UP 6  // whether a loader ended before the walk
#define MOVED 7    // turns of all rows during the walk

// `marks`, SPAN words apart: the state of the walk, which loaders poll, and the turns of each row.
#define ENDED 1u
#define ROWS ((LOCAL_SIZE - WALKERS) / LANES)
#define STATE marks[0]
#define TURNS(row) marks[((row) + 1u) * SPAN]

#if PATH == PATH_LOCAL
#define FROM const uint from = tile * (UNROLL * ROW_LANES) + first;
#define READ(j) v ^= rows[from + (j) * ROW_LANES];
#else
#if HAS_INT64
#define BEHIND(address, offset) packUint2x32(address) + uint64_t(offset)
#else
#define BEHIND(address, offset) percycle_behind(address, offset)
#endif
#define FROM Rows from = Rows(BEHIND(p.data, (tile * (UNROLL * ROW_LANES) + first) * 16u));
#define READ(j) v ^= from.v[(j) * ROW_LANES];
#endif
#define EACH(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)
#define TILE                                      \
  {                                               \
    FROM                                          \
    uvec4 v = uvec4(0);                           \
    EACH(READ)                                    \
    sum = sum * 5u + v;                           \
    tile = tile + 1u == p.tiles ? 0u : tile + 1u; \
  }

void walk(uint lane) {
  uint row = 0u;
  uint idle = 0u;
  for (uint i = 0u; i < p.patience && row < ROWS; ++i) {
    if (TURNS(row) != 0u) {
      ++row;
    } else {
      ADD_32
    }
  }
  const bool starts = row == ROWS;
  LINK at = LINK_OF(link[lane]);
  uvec2 unit_begin = uvec2(0), unit_end = uvec2(0), device_begin = uvec2(0), device_end = uvec2(0);
  uint moved = 0u;
  if (starts) {
    for (uint i = 0u; i < p.warm_loops; ++i) {
      STEPS_31
    }
    if (IS_IMPOSSIBLE(at)) link[lane] = STATE_OF(at);
    for (uint i = 0u; i < ROWS; ++i) moved -= TURNS(i);
    device_begin = percycle_device_clock();
    unit_begin = percycle_unit_clock();
    for (uint i = 0u; i < p.loops; ++i) {
      STEPS_31
    }
    if (IS_IMPOSSIBLE(at)) link[lane] = STATE_OF(at);
    unit_end = percycle_unit_clock();
    device_end = percycle_device_clock();
    for (uint i = 0u; i < ROWS; ++i) moved += TURNS(i);
  }
  STATE = ENDED;
  const uvec2 end = STATE_OF(at);
  link[lane] = end;
  result[0] = unit_begin;
  result[1] = unit_end;
  result[2] = device_begin;
  result[3] = device_end;
#if PATH == PATH_LOCAL
  result[END] = uvec2(end.x * 4u, 0u);
#else
  uint borrow;
  const uint low = usubBorrow(end.x, p.chain.x, borrow);
  result[END] = uvec2(low, end.y - p.chain.y - borrow);
#endif
  result[MISSED] = uvec2(starts ? 0u : 1u + idle % 2u, 0u);
  result[MOVED] = uvec2(moved, 0u);
}

void load(uint loader) {
  const uint first = loader % ROW_LANES;
  uvec4 sum = uvec4(0);
  uint idle = 0u;
  uint tile = 0u;
  uint state = 0u;
  uint turn = 0u;
  for (; turn < p.most_turns && state != ENDED; ++turn) {
    state = STATE;
    TILE
    TILE
    if (loader % LANES == 0u) TURNS(loader / LANES) = turn + 1u;
    for (uint i = 0u; i < p.pause; ++i) {
      ADD_4
    }
  }
  if (state != ENDED) result[GAVE_UP] = uvec2(1u, 0u);
  sums[2u * loader] = sum.x + 3u * sum.y + 5u * sum.z + 7u * sum.w + idle;
  sums[2u * loader + 1u] = turn;
}

void main() {
  const uint lane = gl_LocalInvocationID.x;
#if PATH == PATH_LOCAL
  for (uint n = lane; n < p.nodes; n += LOCAL_SIZE) links[n * p.stride_words] = chain[n * p.stride_words];
  for (uint i = lane; i < VECTOR_COUNT; i += LOCAL_SIZE) rows[i] = data[i];
#endif
  barrier();
  if (lane < WALKERS) {
    if (lane < p.lanes) walk(lane);
  } else {
    load(lane - WALKERS);
  }
}
