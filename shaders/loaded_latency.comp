// Latency under load: one lane of work-group 0 follows a chain, as in `latency`, while each other
// work-group reads, writes or copies its own slice of `data`. Twin of cl_kernels/loaded_latency.cl,
// which explains the waits, tiles and sums.

#define OP_READ 1
#define OP_WRITE 2
#define OP_COPY 3

#if HAS_REFERENCE_LINKS
// As in `latency`: a reference made at every step would cost moves.
layout(buffer_reference) buffer Node;
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Node { Node next; };
#define LINK Node
#define NEXT(link) link.next
#else
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Node { uvec2 next; };
#define LINK uvec2
#define NEXT(link) Node(link).next
#endif
#define STEP at = NEXT(at);
#define STEPS_8 STEP STEP STEP STEP STEP STEP STEP STEP
#define STEPS_31 STEPS_8 STEPS_8 STEPS_8 STEP STEP STEP STEP STEP STEP STEP
// No chain holds this link; the comparison makes later code wait for the last load.
#define IS_IMPOSSIBLE(link) (uvec2(link) == uvec2(0xffffffffu))

// Dependent arithmetic that passes the time of a pause or between two looks.
#define ADD_1 idle = idle * p.multiply + p.add;
#define ADD_8 ADD_1 ADD_1 ADD_1 ADD_1 ADD_1 ADD_1 ADD_1 ADD_1
#define ADD_32 ADD_8 ADD_8 ADD_8 ADD_8
#define ADD_256 ADD_32 ADD_32 ADD_32 ADD_32 ADD_32 ADD_32 ADD_32 ADD_32

layout(buffer_reference, std430, buffer_reference_align = 16) volatile coherent readonly buffer Source { uvec4 v[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) restrict writeonly buffer Destination { uvec4 v[]; };
layout(std430, set = 0, binding = 2) buffer Links { uvec2 link[]; };
layout(std430, set = 0, binding = 3) coherent volatile buffer Out { uvec2 result[]; };
layout(std430, set = 0, binding = 4) coherent volatile buffer Marks { uint marks[]; };
layout(std430, set = 0, binding = 5) writeonly buffer Sums { uint sums[]; };

// Words of `result` behind the clocks.
#define END 4
#define MISSED 5   // rows of movers that did not begin in time
#define GAVE_UP 6  // whether a mover gave up
#define MOVED 7    // turns of all rows during the walk

// `marks`, each part with SPAN words per mover: the state of the walk, which movers poll; the turns
// of each row; the notes of work-group 0.
#define ABSENT 0u
#define PRESENT 1u
#define ENDED 2u
#define ROWS (LOCAL_SIZE / LANES)
#define FLAG(mover) marks[(mover) * SPAN]
#define TURNS(row) marks[(p.movers + (row) / ROWS) * SPAN + (row) % ROWS]
#define NOTE(row) marks[(2u * p.movers + (row) / ROWS) * SPAN + (row) % ROWS]

#if HAS_INT64
#define OFFSET uint64_t
#define BEHIND(address, offset) packUint2x32(address) + (offset)
#else
#define OFFSET uint
#define BEHIND(address, offset) percycle_behind(address, offset)
#endif
#define TILE (LOCAL_SIZE * UNROLL)
#define LOAD(j) from.v[(j) * LOCAL_SIZE]
#define PLACE(j) to.v[(j) * LOCAL_SIZE]
#define READ(j) v ^= LOAD(j);
#define WRITE(j) PLACE(j) = uvec4(1, 3, 5, 7) * (seed + (turn * UNROLL + (j)) * p.multiply);
#define COPY(j) PLACE(j) = LOAD(j);
#define EACH(DO) DO(0) DO(1) DO(2) DO(3)

shared uint missed;

void all_here() {
  memoryBarrierBuffer();
  barrier();
}

void walk(uint lane) {
  const uint rows = p.movers * ROWS;
  for (uint mover = lane; mover < p.movers; mover += LOCAL_SIZE) FLAG(mover) = PRESENT;
  if (lane == 0u) missed = 0u;
  uint row = lane;
  uint idle = 0u;
  for (uint i = 0u; i < p.patience && row < rows; ++i) {
    if (TURNS(row) != 0u) {
      row += LOCAL_SIZE;
    } else {
      ADD_256
    }
  }
  barrier();
  if (row < rows) missed = 1u + idle % 2u;
  barrier();
  const bool starts = missed == 0u;
  const uvec2 begin = link[lane < p.lanes ? lane : 0u];
  LINK at = LINK(begin);
  uvec2 unit_begin = uvec2(0), unit_end = uvec2(0), device_begin = uvec2(0), device_end = uvec2(0);
  const bool walks = starts && lane < p.lanes;
  if (walks) {
    for (uint i = 0u; i < p.warm_loops; ++i) {
      STEPS_31
    }
    if (IS_IMPOSSIBLE(at)) link[lane] = uvec2(at);
  }
  all_here();
  for (uint i = lane; i < rows; i += LOCAL_SIZE) NOTE(i) = TURNS(i);
  if (walks) {
    device_begin = percycle_device_clock();
    unit_begin = percycle_unit_clock();
    for (uint i = 0u; i < p.loops * p.turns; ++i) {
      STEPS_31
    }
    if (IS_IMPOSSIBLE(at)) link[lane] = uvec2(at);
    unit_end = percycle_unit_clock();
    device_end = percycle_device_clock();
  }
  all_here();
  for (uint i = lane; i < rows; i += LOCAL_SIZE) NOTE(i) = TURNS(i) - NOTE(i);
  for (uint mover = lane; mover < p.movers; mover += LOCAL_SIZE) FLAG(mover) = ENDED;
  all_here();
  if (lane < p.lanes) {
    uint moved = 0u;
    for (uint i = 0u; i < rows; ++i) moved += NOTE(i);
    const uvec2 end = uvec2(at);
    if (walks) link[lane] = end;
    result[0] = unit_begin;
    result[1] = unit_end;
    result[2] = device_begin;
    result[3] = device_end;
    uint borrow;
    const uint low = usubBorrow(end.x, p.chain.x, borrow);
    result[END] = uvec2(low, end.y - p.chain.y - borrow);
    result[MISSED] = uvec2(missed, 0u);
    result[MOVED] = uvec2(moved, 0u);
  }
}

void move(uint mover, uint lane) {
  const uint own_row = mover * ROWS + lane / LANES;
  const OFFSET first = (OFFSET(mover) * p.tiles * TILE + lane) * 16u;
  const OFFSET copies = OFFSET(p.place) * p.movers * p.tiles * (TILE * 16u);
  const uint seed = lowbias32((mover * LOCAL_SIZE + lane) ^ p.salt);
  uvec4 sum = uvec4(0);
  uint idle = 0u;
  uint tile = 0u;
  uint state = FLAG(mover);
  for (uint i = 0u; i < p.patience && state == ABSENT; ++i) {
    ADD_256
    state = FLAG(mover);
  }
  if (state == ABSENT) result[GAVE_UP] = uvec2(1u + idle % 2u, 0u);
  if (state == ABSENT) return;
  idle = 0u;
  uint turn = 0u;
  for (; turn < p.most_turns && state != ENDED; ++turn) {
    state = FLAG(mover);
    const OFFSET offset = first + OFFSET(tile) * (TILE * 16u);
#if OP != OP_WRITE
    Source from = Source(BEHIND(p.data, offset));
#endif
#if OP != OP_READ
    Destination to = Destination(BEHIND(p.data, offset + copies));
#endif
#if OP == OP_READ
    uvec4 v = uvec4(0);
    EACH(READ)
    sum = sum * 5u + v;
#elif OP == OP_WRITE
    EACH(WRITE)
#else
    EACH(COPY)
#endif
    tile = tile + 1u == p.tiles ? 0u : tile + 1u;
    if (lane % LANES == 0u) TURNS(own_row) = turn + 1u;
    for (uint i = 0u; i < p.pause; ++i) {
      ADD_32
    }
  }
  if (state != ENDED) result[GAVE_UP] = uvec2(1u, 0u);
  const uint own = 2u * (mover * LOCAL_SIZE + lane);
  sums[own] = sum.x + 3u * sum.y + 5u * sum.z + 7u * sum.w + idle;
  sums[own + 1u] = turn;
}

void main() {
  const uint lane = gl_LocalInvocationID.x;
  if (gl_WorkGroupID.x == 0u) {
    walk(lane);
  } else {
    move(gl_WorkGroupID.x - 1u, lane);
  }
}
