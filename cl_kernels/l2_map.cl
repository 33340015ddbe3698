// One invocation of each unit, unit after unit, follows the links in one sector of a line, line
// after line, by accesses that pass the unit's caches. Twin of shaders/l2_map.comp.
//
// No API lets the host choose a work-group's unit, so the first group on each unit takes part, and
// the others end at once. A group takes a ticket when it starts, so it waits only for groups that
// are running. Each poll for its turn goes to the cache that is measured. Between two polls a group
// therefore reads its clock for a while, longer if more units are before it. The clocks of a
// dispatch are the sums of the units' timed parts. The links within a sector form a ring of seven
// words, so the eight accesses of a turn end at another word.

#define ACCESS_LOAD 1
#define ACCESS_ATOMIC 2

#if ACCESS == ACCESS_ATOMIC
#define STEP at = atomic_or(&chain[at], 0u);
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

__kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1))) void l2_map(__global volatile uint *chain,
                                                                             __global const uint *starts,
                                                                             __global volatile uint *state,
                                                                             __global uint *out, Parameters p) {
  const uint unit = percycle_unit_id();
  if (get_local_id(0) != 0 || unit >= p.units) return;
  if (atomic_add(&state[SEEN + unit], 1u) != 0) return;
  const uint ticket = atomic_add(&state[TICKETS], 1u);
  uint turn = atomic_or(&state[TURN], 0u);
  for (uint i = 0; i < p.patience && turn != ticket; ++i) {
    // The farther the turn, the longer the pause: a look disturbs the unit that is timed.
    const uint pause = p.pause * (p.loops + 1u) * (ticket - turn);
    const uint since = (uint)percycle_unit_clock();
    for (uint j = 0; j < pause && (uint)percycle_unit_clock() - since < pause; ++j) {
    }
    turn = atomic_or(&state[TURN], 0u);
  }
  if (turn != ticket) {
    atomic_or(&state[GAVE_UP], 1u);
    return;
  }
  uint at = 0;
  for (uint line = 0; line < p.lines; ++line) {
    at = starts[line];
    STEPS_8
    if (at == IMPOSSIBLE) break;
  }
  const uint device_begin = (uint)percycle_device_clock();
  uint sum = 0;
  for (uint line = 0; line < p.lines; ++line) {
    at = starts[line];
    if (at == IMPOSSIBLE) break;
    const uint begin = (uint)percycle_unit_clock();
    for (uint i = 0; i < p.loops; ++i) {
      STEPS_8
    }
    out[(p.units + unit) * p.lines + line] = at;  // waits for the last access
    const uint ticks = (uint)percycle_unit_clock() - begin;
    out[unit * p.lines + line] = ticks;
    sum += ticks;
  }
  atomic_add(&state[DEVICE_TICKS], (uint)percycle_device_clock() - device_begin);
  atomic_add(&state[UNIT_TICKS], sum);
  atomic_add(&state[TURN], 1u);
}
