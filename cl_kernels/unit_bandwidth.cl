// Loads served by a unit's first-level cache, texture path or local memory: its bytes per cycle. A
// row is LANES consecutive elements of WIDTH bytes (texels: CHANNELS). Twin of
// shaders/unit_bandwidth.comp.
//
// Every subgroup walks the same rows, lane after lane, UNROLL rows per loop turn. The compiler
// knows the offsets, so a load costs no arithmetic. The base moves once per turn by a number that
// the compiler does not know; it is 0 if one turn has all rows. PASSES turns make one pass of the
// loop, because with few rows the end of the loop would cost up to 6 % of the loads (an H200
// through Vulkan, 8 rows of 512 B). FORM_MASKED is the form of Chips and Cheese, "GPU L1 Cache
// Bandwidth": an index with a mask per load. In FORM_CHASE every lane follows its own links through
// local memory, so that bank conflicts appear as latency.
//
// Loaded values are added to four independent accumulators that continue from turn to turn, so that
// a skipped or repeated row changes the sum. If they were combined at the end of each turn, an H200
// through Vulkan would lose 3.9 % of its loads of 16 B, because the compiler then keeps fewer loads
// in flight.

#define PATH_GLOBAL 1
#define PATH_TEXTURE 2
#define PATH_LOCAL 3

#define FORM_PLAIN 1
#define FORM_MASKED 2
#define FORM_CHASE 3

#ifndef CHANNELS
#define CHANNELS (WIDTH / 4)
#endif
#if CHANNELS == 1
#define VECTOR uint
#define FOLD(v) (v)
#elif CHANNELS == 2
#define VECTOR uint2
#define FOLD(v) ((v).x + 3 * (v).y)
#else
#define VECTOR uint4
#define FOLD(v) ((v).x + 3 * (v).y + 5 * (v).z + 7 * (v).w)
#endif

// ROW(j): the lane's element of row j of the turn. TURN_BASE: the common part of all rows of a
// turn.
#if PATH == PATH_TEXTURE
#define DATA __read_only image1d_buffer_t data
#ifdef FLOAT_TEXELS
// Their bits are added as integers, so that sums are exact and no conversion is added.
#define TEXEL(i) as_uint4(read_imagef(data, (int)(i)))
#elif CHANNELS == 1
#define TEXEL(i) read_imageui(data, (int)(i)).x
#elif CHANNELS == 2
#define TEXEL(i) read_imageui(data, (int)(i)).xy
#else
#define TEXEL(i) read_imageui(data, (int)(i))
#endif
#define TURN_BASE
#if FORM == FORM_MASKED
#define ROW(j) TEXEL((first + at + (j) * LANES) & p.mask)
#else
#define ROW(j) TEXEL(first + at + (j) * LANES)
#endif
#elif PATH == PATH_GLOBAL
#define DATA __global const VECTOR *data
#define TURN_BASE
#if FORM == FORM_MASKED
#define ROW(j) data[(first + at + (j) * LANES) & p.mask]
#else
// The address itself moves: NVIDIA's compiler loads the base of an index, an argument, again and
// again.
#define MOVING_ROW
#define ROW(j) row[(j) * LANES]
#endif
#else
#define DATA __global const VECTOR *data
#define TURN_BASE __local const VECTOR *row = memory + (first + at);
#define ROW(j) row[(j) * LANES]
#endif

#define ROWS_4(j) \
  a += ROW(j);     \
  b += ROW(j + 1); \
  c += ROW(j + 2); \
  d += ROW(j + 3);
#define ROWS_8(j) ROWS_4(j) ROWS_4(j + 4)
#define ROWS_16(j) ROWS_8(j) ROWS_8(j + 8)
#if UNROLL == 4
#define ALL_ROWS ROWS_4(0)
#elif UNROLL == 8
#define ALL_ROWS ROWS_8(0)
#elif UNROLL == 16
#define ALL_ROWS ROWS_16(0)
#else
#define ALL_ROWS ROWS_16(0) ROWS_16(16)
#endif

#ifdef MOVING_ROW
#define MOVE row += at == p.wrap ? (int)(p.advance - p.wrap) : (int)p.advance;
#else
#define MOVE
#endif

#if FORM == FORM_CHASE
#define STEP at = memory[at];
#define STEPS_8 STEP STEP STEP STEP STEP STEP STEP STEP
#define TURN { STEPS_8 STEPS_8 STEPS_8 STEP STEP STEP STEP STEP STEP STEP }
#define RESULT at
#else
#define TURN                     \
  {                              \
    TURN_BASE                    \
    ALL_ROWS                     \
    at += p.advance;             \
    MOVE                         \
    at = at == p.wrap ? 0u : at; \
  }
#define RESULT FOLD(a ^ b ^ c ^ d)
#endif

#if PASSES == 1
#define TURNS TURN
#elif PASSES == 2
#define TURNS TURN TURN
#elif PASSES == 4
#define TURNS TURN TURN TURN TURN
#elif PASSES == 8
#define TURNS TURN TURN TURN TURN TURN TURN TURN TURN
#elif PASSES == 16
#define TURNS TURN TURN TURN TURN TURN TURN TURN TURN TURN TURN TURN TURN TURN TURN TURN TURN
#else
#error "PASSES is 1, 2, 4, 8 or 16"
#endif

__kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1))) void unit_bandwidth(DATA, __global uint *out,
                                                                                     __global ulong *stamps, Parameters p) {
  const uint local_id = (uint)get_local_id(0);
#if PATH == PATH_LOCAL
  __local VECTOR memory[ELEMENTS];
#if FORM == FORM_CHASE
  // Each link leads LANES words on: all lanes move in step, and their banks stay as far apart as at
  // first.
  for (uint i = local_id; i < ELEMENTS; i += LOCAL_SIZE) memory[i] = (i + LANES) % ELEMENTS;
#else
  for (uint i = local_id; i < ELEMENTS; i += LOCAL_SIZE) memory[i] = data[i];
#endif
#endif
  const uint first = local_id % LANES * p.stride;
#if FORM == FORM_CHASE
  uint at = first;
#else
  uint at = 0;
  VECTOR a = 0u, b = 0u, c = 0u, d = 0u;
#endif
#ifdef MOVING_ROW
  __global const VECTOR *row = data + first;
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = 0; i < p.warm_loops; ++i) TURN
  PERCYCLE_ALL_HERE();  // all subgroups begin together
  const ulong device_begin = percycle_device_clock();
  const ulong unit_begin = percycle_unit_clock();
  barrier(CLK_LOCAL_MEM_FENCE);  // none begins before the clocks are read
  for (uint i = 0; i < p.loops; ++i) {
    TURNS
  }
  // The store waits for the last load, and the barrier for the last subgroup.
  out[get_global_id(0)] = RESULT;
  PERCYCLE_STAMP_GROUP(stamps, local_id, unit_begin, device_begin);
}
