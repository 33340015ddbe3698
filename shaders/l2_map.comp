// One invocation of each unit, unit after unit, follows the links in one sector of a line, line
// after line, by accesses that pass the unit's caches. Twin of cl_kernels/l2_map.cl, which explains
// the turns.

#define ACCESS_LOAD 1
#define ACCESS_ATOMIC 2

layout(std430, set = 0, binding = 0) coherent volatile buffer Chain { uint chain[]; };
layout(std430, set = 0, binding = 1) readonly buffer Starts { uint starts[]; };
layout(std430, set = 0, binding = 2) coherent volatile buffer State { uint state[]; };
layout(std430, set = 0, binding = 3) writeonly buffer Out { uint result[]; };

#if ACCESS == ACCESS_ATOMIC
#define STEP at = atomicOr(chain[at], 0u);
#else
#define STEP at = chain[at];  // volatile: past the caches of the unit
#endif
#define STEPS_8 STEP STEP STEP STEP STEP STEP STEP STEP

// No chain holds this link; the comparison makes the clock wait for the load.
#define IMPOSSIBLE 0xffffffffu

// Words of `state`, all 0 at first: the clocks, which sum up the units' times; the number of units
// that requested a turn; the unit whose turn it is; whether one gave up; the units that were seen.
#define UNIT_TICKS 2
#define DEVICE_TICKS 6
#define TICKETS 8
#define TURN 9
#define GAVE_UP 10
#define SEEN 16

void main() {
  const uint unit = percycle_unit_id();
  if (gl_LocalInvocationID.x != 0u || unit >= p.units) return;
  if (atomicAdd(state[SEEN + unit], 1u) != 0u) return;
  const uint ticket = atomicAdd(state[TICKETS], 1u);
  uint turn = atomicOr(state[TURN], 0u);
  for (uint i = 0; i < p.patience && turn != ticket; ++i) {
    // The farther the turn, the longer the pause: a look disturbs the unit that is timed.
    const uint pause = p.pause * (p.loops + 1u) * (ticket - turn);
    const uint since = percycle_unit_clock().x;
    for (uint j = 0; j < pause && percycle_unit_clock().x - since < pause; ++j) {
    }
    turn = atomicOr(state[TURN], 0u);
  }
  if (turn != ticket) {
    atomicOr(state[GAVE_UP], 1u);
    return;
  }
  uint at = 0u;
  for (uint line = 0; line < p.lines; ++line) {
    at = starts[line];
    STEPS_8
    if (at == IMPOSSIBLE) break;
  }
  const uint device_begin = percycle_device_clock().x;
  uint sum = 0u;
  for (uint line = 0; line < p.lines; ++line) {
    at = starts[line];
    if (at == IMPOSSIBLE) break;
    const uint begin = percycle_unit_clock().x;
    for (uint i = 0; i < p.loops; ++i) {
      STEPS_8
    }
    result[(p.units + unit) * p.lines + line] = at;  // waits for the last access
    const uint ticks = percycle_unit_clock().x - begin;
    result[unit * p.lines + line] = ticks;
    sum += ticks;
  }
  atomicAdd(state[DEVICE_TICKS], percycle_device_clock().x - device_begin);
  atomicAdd(state[UNIT_TICKS], sum);
  atomicAdd(state[TURN], 1u);
}
