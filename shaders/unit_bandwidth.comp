// Loads served by a unit's first-level cache, texture path or local memory: its bytes per cycle. A
// row is LANES consecutive elements of WIDTH bytes (texels: CHANNELS). Twin of
// cl_kernels/unit_bandwidth.cl, which explains loop and sums.

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
#define SWIZZLE x
#elif CHANNELS == 2
#define VECTOR uvec2
#define FOLD(v) ((v).x + 3u * (v).y)
#define SWIZZLE xy
#else
#define VECTOR uvec4
#define FOLD(v) ((v).x + 3u * (v).y + 5u * (v).z + 7u * (v).w)
#define SWIZZLE xyzw
#endif

#if PATH == PATH_GLOBAL
layout(buffer_reference, std430, buffer_reference_align = WIDTH) readonly buffer Rows { VECTOR v[]; };
#endif

// ROW(j): the lane's element of row j of the turn. TURN_BASE: the common part of all rows of a
// turn.
#if PATH == PATH_TEXTURE
#ifdef FLOAT_TEXELS
// Their bits are added as integers, so that sums are exact and no conversion is added.
layout(set = 0, binding = 0) uniform textureBuffer data;
#define TEXEL(i) floatBitsToUint(texelFetch(data, int(i)))
#else
layout(set = 0, binding = 0) uniform utextureBuffer data;
#define TEXEL(i) texelFetch(data, int(i)).SWIZZLE
#endif
#define TURN_BASE
#if FORM == FORM_MASKED
#define ROW(j) TEXEL((first + at + (j) * LANES) & p.mask)
#else
#define ROW(j) TEXEL(first + at + (j) * LANES)
#endif
#elif PATH == PATH_GLOBAL
#if FORM == FORM_MASKED
#define TURN_BASE
#define ROW(j) rows.v[(first + at + (j) * LANES) & p.mask]
#else
// A 64-bit address, so that the compiler may fold the rows' offsets into the loads: a 32-bit index
// could wrap around.
#define MOVING_ROW
#if HAS_INT64
#define TURN_BASE Rows row = Rows(address);
#else
#define TURN_BASE Rows row = Rows(percycle_behind(p.data, offset));
#endif
#define ROW(j) row.v[(j) * LANES]
#endif
#else
layout(std430, set = 0, binding = 0) readonly buffer Data { VECTOR data[]; };
shared VECTOR memory[ELEMENTS];
#define TURN_BASE const uint row = first + at;
#define ROW(j) memory[row + (j) * LANES]
#endif
layout(std430, set = 0, binding = 1) writeonly buffer Out { uint result[]; };
layout(std430, set = 0, binding = 2) writeonly buffer Stamps { uvec2 stamps[]; };

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

#if defined(MOVING_ROW) && !HAS_INT64
#define MOVE offset += (at == p.wrap ? p.advance - p.wrap : p.advance) * WIDTH;
#elif defined(MOVING_ROW)
#define MOVE address += uint64_t(int64_t(int(at == p.wrap ? p.advance - p.wrap : p.advance)) * WIDTH);
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

void main() {
  const uint local_id = gl_LocalInvocationID.x;
#if PATH == PATH_LOCAL
#if FORM == FORM_CHASE
  // Each link leads LANES words on: all lanes move in step, and their banks stay as far apart as at
  // first.
  for (uint i = local_id; i < ELEMENTS; i += LOCAL_SIZE) memory[i] = (i + LANES) % ELEMENTS;
#else
  for (uint i = local_id; i < ELEMENTS; i += LOCAL_SIZE) memory[i] = data[i];
#endif
#elif PATH == PATH_GLOBAL
#if FORM == FORM_MASKED
  Rows rows = Rows(p.data);
#endif
#endif
  const uint first = local_id % LANES * p.stride;
#if FORM == FORM_CHASE
  uint at = first;
#else
  uint at = 0u;
  VECTOR a = VECTOR(0), b = a, c = a, d = a;
#endif
#if defined(MOVING_ROW) && !HAS_INT64
  uint offset = first * WIDTH;
#elif defined(MOVING_ROW)
  uint64_t address = packUint2x32(p.data) + uint64_t(first * WIDTH);
#endif
  barrier();
  for (uint i = 0; i < p.warm_loops; ++i) TURN
  percycle_all_here();  // all subgroups begin together
  const uvec2 device_begin = percycle_device_clock();
  const uvec2 unit_begin = percycle_unit_clock();
  barrier();  // none begins before the clocks are read
  for (uint i = 0; i < p.loops; ++i) {
    TURNS
  }
  // The store waits for the last load, and the barrier for the last subgroup.
  result[gl_GlobalInvocationID.x] = RESULT;
  PERCYCLE_STAMP_GROUP(stamps, local_id, unit_begin, device_begin);
}
