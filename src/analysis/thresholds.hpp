#pragma once

namespace percycle {

// The thresholds by which the readers of this folder decide, one struct to each reader. Only tests and tools/sensitivity change them,
// while nothing else reads; tools/sensitivity takes a struct for an array of doubles.

/// How a curve's samples become places with errors (curve_points.cpp). Sizes are compared by their ratio.
struct CurveThresholds {
  double same_place = 1.01;           ///< samples nearer than this measure the same
  double same_place_of_many = 1.025;  ///< the same in a curve of many places: still tells an edge within 5 %
  double many_places = 400;           ///< a search over places costs the square of their number
  double least_error = 0.001;         ///< of the value: no clock and no driver hold better
  double size_jitter = 0.015;         ///< pages, hashes and neighbours' data make a cache seem this much smaller or larger
  double scatter_places = 10;         ///< to either side, that tell how much the curve scatters at a place
  double outlier_errors = 5;          ///< an outlier lies this far outside of what both neighbours say
  double outlier_share = 0.5;         ///< and this far by how much the neighbours disagree
  double outlier_end_share = 5;       ///< the same for the first and the last place, whose neighbours lie to one side
  double slope_distance = 1.03;       ///< nearer neighbours tell noise only
  double slope_errors = 2;            ///< a slope that errors this large explain is none
};
inline CurveThresholds curve_thresholds;

/// Which points of a curve are measured again (second_looks.cpp).
struct SecondLookThresholds {
  double share = 0.1;  ///< of a latency, by which a point must contradict a neighbour: TLBs and DRAM make curves fall by less
  double errors = 5;   ///< and by so many errors of both
  double near = 3;     ///< footprints to each side that a point is held against
  double most = 12;    ///< second looks to a sweep
};
inline SecondLookThresholds second_look_thresholds;

/// The shapes of rises (rise.cpp).
struct ShapeThresholds {
  double over = 0.95;         ///< a rise ends where this share of it is over
  double paged_onset = 0.01;  ///< the rise of a paged cache begins to show at this share
  double few_visits = 32;     ///< 4 KiB, the smallest pages, with a node to 128 bytes
  double many_visits = 128;   ///< with more visits to a page its rise is that of pages with any number of them
};
inline ShapeThresholds shape_thresholds;

/// Which rises explain a curve (rise_fit.cpp, rise_search.cpp).
struct RiseThresholds {
  double least_gain = 30;     ///< of chi-square, for a rise; noise alone reaches 15 in a whole search
  double least_edge = 0.07;   ///< of the latency below: plateaus are flat to 2 %, broad edges known to 2 %, levels differ by 15 %
  double least_tlb = 0.04;    ///< of the latency below; its shape is better known than that of an edge
  double edges_apart = 1.6;   ///< successive caches are at least twice as large; anything nearer is part of the same edge
  double most_rises = 9;      ///< five caches, two TLBs, and two to spare for what is judged later
  double onset_step = 0.04;   ///< logarithm of the ratio between onsets that are tried
  double far_search = 2.5;    ///< times an onset, that it may move at first
  double near_search = 1.3;   ///< times an onset, that it may move in later rounds
  double fine_search = 1.06;  ///< times an onset, that it is searched with fine steps
  double fine_steps = 8;      ///< fine steps to a step
  double search_rounds = 10;  ///< of moving all rises in turn, if they do not come to rest before
  double round_share = 0.001;         ///< of chi-square, that a round has to gain: less is the last digit of an onset
  double round_gain = 0.1;            ///< of chi-square, that a round has to gain on top
  double beside_edge = 1.3;           ///< a TLB that begins this near to an edge may as well be part of the edge's shape
  double beside_edge_gains = 5;       ///< times the least gain, for a TLB beside an edge
  double known_gains = 1.0 / 3;       ///< times the least gain, for a known rise: one free number (height) instead of three
  double own_part = 1e-5;             ///< of its square: a rise that others imitate to five digits is no rise of its own
  double own_direction = 1e-9;        ///< of its square: less is rounding
  double pair_step = 1.06;            ///< ratio between onsets tried for two rises at once: good enough to start from
  double pair_before = 2.5;           ///< two rises may begin so many times earlier than what they replace
  double pair_near = 4;               ///< neighbours further apart do not pass for each other
  double better_share = 0.01;         ///< of the cost, that replacing a rise by two must save: a ramp would go on for ever
  double better_cost = 1;             ///< of the cost, that it must save on top
  double capacity_range = 2;          ///< sizes that differ more from an edge's onset are not tried for its interval
  double capacity_steps = 4;          ///< steps to a step, of sizes for that interval
  double capacity_loss = 9;           ///< of chi-square: three standard deviations
  double random_uncertainty = 1.035;  ///< of a size: replacement at random knows more shapes than are tried
  double paged_uncertainty = 1.3;     ///< of a size: pages fall another way each time
  double hidden_uncertainty = 1.02;   ///< of the size of a level without a plateau, on top
  double size_uncertainty = 1.02;     ///< of any other size: the footprints are not exact
};
inline RiseThresholds rise_thresholds;

/// Which rises are reported, and as what (levels.cpp, smooth_fit.cpp, known_readings.cpp).
struct LevelThresholds {
  double least_confidence = 0.3;  ///< with less, nothing is reported
  double known_worth = 0.5;       ///< share of the doubt that a closer look at the same memory takes away
  double half_height = 3;         ///< errors: a height as large is half certain
  double half_distinction = 30;   ///< chi-square: as much of it tells an edge from a ramp with half certainty
  double around = 8;              ///< times an onset: what a smooth curve has to imitate, three octaves to each side
  double shape_error = 0.01;      ///< of a rise's height: so well are the shapes of replacement policies known
  double smooth_deviations = 3;   ///< of chi-square beyond its mean, that a smooth curve may leave
  double drift_errors = 2;        ///< a drift that errors this large explain is none
  double one_edge = 1.35;  ///< successive levels are twice as large (a walk with gaps makes less of it): nearer edges are one
};
inline LevelThresholds level_thresholds;

/// Whether a load is evicted by what goes on beside it (disturbance.cpp).
struct DisturbanceThresholds {
  double evicted = 0.25;  ///< of a miss. Chains of 0.7 of a cache lose at least half; of a level found a tenth too large, 38 %
  double least_error = 0.001;  ///< of a latency: values are trusted to 0.1 % at the best
  double half_certain = 3;     ///< errors from `evicted`: as far is half certain
};
inline DisturbanceThresholds disturbance_thresholds;

/// What the walks of geometry say of a level (geometry.cpp). Shares are those of loads that miss.
struct GeometryThresholds {
  double hit = 0.3;             ///< share from which on a test counts as one that misses
  double still_grows = 1.41;    ///< growth with the stride: double below the fetch size, none above it; the middle of both
  double grows_later = 1.6;     ///< growth over two strides, so that a single value that is too large does not end it
  double grows_much_later = 2;  ///< growth over three strides: two values may err alike
  double least_share = 0.2;     ///< the growth of fewer misses drowns in noise
  double fit = 0.025;           ///< share of blocks that fit; random replacement misses 2 / (ways + 1) with one block too many
  double fitting_share =
      0.35;                 ///< of the misses with one block more, that blocks which fit stay below; half of it is one too many
  double fit_errors = 5;    ///< errors of the share that fitting blocks may show where that is more
  double most_fit = 0.12;   ///< whatever the noise; a binary tree of 32 ways misses some 20 % with 33 lines
  double first_fit = 0.15;  ///< a walk that misses more may have room only in lines longer than any that were tried
  double no_fit = 0.5;      ///< where all candidates miss more, none is the line
  double slight_errors = 2.5;    ///< of share: may well be no fit where the next count is none
  double sharp = 0.6;            ///< share with one block too many, that makes anything in between noise
  double between = 0.15;         ///< from the middle between a hit and a miss: neither
  double served_inside = 0.8;    ///< of all loads, that an inner level serves: then a test tells nothing
  double outgrown = 6;           ///< times its size, and hardly any load is served by a level, whatever it replaces
  double mostly_outgrown = 4;    ///< the same for a count of ways that is not sharp
  double over_inner = 1.5;       ///< times what the level before holds, and a test whose loads all hit is one of this level
  double ample_inner = 3;        ///< the same to aim at: counts are rounded, and not all that overflow a set are missed
  double overflow_errors = 4;    ///< errors of the share, that misses of an overflow exceed: fitting blocks miss none
  double least_overflow = 0.15;  ///< an overflow misses half, less what the level before serves; a hash leaves it a third
  double overflow_blocks = 1.5;  ///< times the blocks that fit, for a test that overflows if their distance halves the sets
  double fitting = 0.8;          ///< of the size, and blocks fit wherever they lie
  double factor_blocks =
      0.6;  ///< of the blocks that fit, for a test of an odd factor: with factor 3 they are 1.8 times what fits
  double fewest_factor_blocks = 3;  ///< fewer blocks tell no factor
  double probed_size = 3.2;         ///< blocks to a level, from which on one test of its aliases is not all
};
inline GeometryThresholds geometry_thresholds;

/// Which replacement policy a set shows (fine_chase_reading.cpp).
struct ReplacementThresholds {
  double all_miss = 0.85;    ///< share: with one line more than ways, random replacement misses 2/3 at most (3 ways and more)
  double repeats = 0.6;      ///< of the misses that chance would not put in the same places as an earlier lap's
  double blurred = 0.1;      ///< share of loads between hits and misses: noise hides which is which
  double fewest_misses = 8;  ///< fewer in a sample show no pattern
  double most_laps = 16;     ///< laps after which a policy without chance is thought to repeat itself
};
inline ReplacementThresholds replacement_thresholds;

/// Levels of translation (tlb.cpp).
struct TlbThresholds {
  double most_levels = 3;            ///< levels that one walk is fitted with
  double fewest_spans = 5;           ///< a level has two free numbers, and the hit latency is one
  double grid_per_octave = 8;        ///< reaches that are tried
  double rounds = 6;                 ///< of moving each reach to where it serves best
  double round_gain = 1;             ///< of chi-square, that a round has to gain
  double smallest_page = 4096;       ///< bytes; smaller pages are not tried
  double largest_page = 64 << 20;    ///< bytes; larger pages are not tried
  double least_error = 0.003;        ///< of a value: rounding, refresh, what samples do not show
  double least_gain = 40;            ///< of chi-square, for one more level: six sigma and the two numbers it adds
  double least_penalty = 0.02;       ///< of the hit latency
  double least_penalty_tight = 0.1;  ///< the same within a cache of hashed sets, which some spans fit better than others
  double same_reach = 1.8;           ///< two levels nearer than this in reach are one
  double same_penalty = 0.15;        ///< two places differ less where they measured the same miss
  double rest_reach = 6;             ///< a level this near to another may be what the fit of that one leaves over
  double rest_penalty = 0.35;        ///< of the penalty of that other: then it is
  double agreement = 1.2;            ///< between both ways to find a reach
  double well_beyond = 1.1;          ///< times the reach by the random walk
  double clear_page = 0.6;           ///< of the penalty, that the page test must show
  double least_height = 0.25;        ///< of the penalty: the rise with the step that a fit must find; caches hide a part of it
  double shorter = 0.8;              ///< of a page: so much shorter strides share pages
  double as_much = 0.9;              ///< of the misses of a step: a shorter one that misses as much is a page at least
  double page_misses = 0.7;          ///< of the most misses of any step: a page misses no less
  double step = 0.6;                 ///< of the penalty, that one page more costs at once
  double knee = 0.25;                ///< of the penalty, at the count before a step, where a cache still serves some loads
  double nearest_counts = 8;         ///< to either side of the step, that tell the penalty
  double as_clear = 0.9;             ///< of the best confidence: the outer of two places counts if it is as clear
  double disturbed_errors = 4;       ///< by which a span must differ from others to be thought disturbed
  double disturbed_share = 0.01;     ///< and of the latency: curves of real devices do fall by as much
  double neighbours = 6;             ///< spans a span is compared with: three octaves
  double confidence_rough = 0.25;    ///< of a level that only the random walk shows
  double confidence_page = 0.5;      ///< of one whose page is known
  double confidence_disputed = 0.6;  ///< of one on whose reach both walks do not agree
  double confidence_exact = 0.95;    ///< of one whose entries were counted, each on its side of the step
};
inline TlbThresholds tlb_thresholds;

/// What all experiments together say (hierarchy.cpp). Sizes and latencies are compared by their ratio.
struct HierarchyThresholds {
  double same_size = 1.15;        ///< two paths' levels are one cache seen twice; successive levels lie a factor of two apart
  double agreement = 1.08;        ///< what another method says of a curve's size may differ by this and still agree
  double far_size = 2.6;          ///< the far part of a cache in two partitions is at most this much larger than the near part
  double far_latency = 2;         ///< and less than this much slower
  double behind = 1.5;            ///< walks this many times as large as a level leave little of it to hit
  double slight = 0.003;          ///< of a latency: what changes it by less is not worth another reading
  double fewest_others = 2;       ///< paths through the same caches that do not show a level, for it to be doubted
  double lone_doubt = 0.5;        ///< times the confidence of a level that others do not show
  double doubted = 0.69;          ///< times the confidence of what something speaks against: below 0.7, whatever it was
  double widest_interval = 1.1;   ///< of a size that is stated, and not given as a range
  double half_rise = 0.01;        ///< of the latency of memory: a walk that rises by as much beyond the last edge is half certain
  double together_agrees = 1.05;  ///< between memory in random order and of neighbours together: DRAM pages differ by 3 %
  double small_reach = 8 << 20;   ///< bytes: a TLB that reaches less may have pages as small as what is visited together
  double small_page = 16 << 10;   ///< bytes: pages as small show in tests of lines, which visit 8 KiB together
  double random_error = 0.005;    ///< of memory in random order: with a larger error neighbours together count
  double uneven = 0.03;           ///< of a latency: a plateau that drifts by more is none
  double chains_at_once = 8;      ///< of private-caches, each nearly as large as the first level
  double flat = 0.9;              ///< confidence of a path without an edge
  double fewest_behind = 4;       ///< walks behind the last level, that tell the memory's latency
  double enough_untranslated = 6;   ///< of these that hardly ask for translation: then only these count
  double hardly_translated = 0.01;  ///< of the latency: translation that hardly shows
  double least_error = 0.002;       ///< of a latency behind the last level
  double disputed = 0.7;            ///< times the confidence where ways and curve disagree on the size
  double counted = 0.8;             ///< confidence of a size by counted ways
  double random_worth = 0.5;        ///< times the confidence of an edge that a walk in random order shows, too
};
inline HierarchyThresholds hierarchy_thresholds;

/// How many copies of a first-level cache a unit has (private_copies.cpp): times the confidence.
struct CopiesThresholds {
  double none_shared = 0.5;   ///< no two subgroups share a copy: there may be more of both
  double one_method = 0.8;    ///< the subgroups were not counted
  double disagreement = 0.3;  ///< pairs and counts disagree
};
inline CopiesThresholds copies_thresholds;

/// Which units lie alike (unit_groups.cpp).
struct GroupThresholds {
  double gap_share = 0.1;  ///< of the distance below a gap: noise makes less
  double gap_factor = 2;   ///< times any other gap
};
inline GroupThresholds group_thresholds;

}  // namespace percycle
