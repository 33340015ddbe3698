#pragma once

namespace percycle {

// The thresholds of the readers of this folder, one struct per reader. Only tests and
// tools/sensitivity change them. tools/sensitivity treats a struct as an array of doubles and reads
// each `///<`.

/// How a curve's samples become places with errors (curve_points.cpp). Sizes compare by ratio.
struct CurveThresholds {
  double same_place = 1.01;           ///< closer samples measure the same place
  double same_place_of_many = 1.025;  ///< the same for many places; keeps edges within 5 %
  double many_places = 400;           ///< the search costs the square of the number of places
  double least_error = 0.001;         ///< of the value: no clock or driver is better
  double size_jitter = 0.015;         ///< pages and hashes shift a cache's apparent size
  double scatter_places = 10;         ///< on each side, for the scatter around a place
  double outlier_errors = 5;          ///< distance of an outlier from the range of its neighbours
  double outlier_share = 0.5;         ///< also by this share of the range of its neighbours
  double outlier_end_share = 5;       ///< the same for the first and last place
  double slope_distance = 1.03;       ///< closer neighbours show only noise
  double slope_errors = 2;            ///< a slope within so many errors counts as 0
};
inline CurveThresholds curve_thresholds;

/// Which points of a curve are measured again (second_looks.cpp).
struct SecondLookThresholds {
  double share = 0.1;     ///< of a latency: TLBs and DRAM make curves fall by less
  double errors = 5;      ///< distance of contradicting points, in errors of both
  double neighbours = 3;  ///< footprints on each side to compare with
  double most = 12;       ///< second looks per sweep
};
inline SecondLookThresholds second_look_thresholds;

/// The shapes of rises (rise.cpp).
struct ShapeThresholds {
  double over = 0.95;         ///< a rise ends where this share of it is over
  double paged_onset = 0.01;  ///< the rise of a paged cache begins at this share
  double few_visits = 32;     ///< visits to a 4 KiB page, the smallest, at 128 bytes a node
};
inline ShapeThresholds shape_thresholds;

/// Which rises explain a curve (rise_fit.cpp, rise_search.cpp).
struct RiseThresholds {
  double least_gain = 30;             ///< of chi-square; noise reaches 15 in a whole search
  double least_edge = 0.07;           ///< of the latency below; plateaus are flat to 2 %
  double least_tlb = 0.04;            ///< of the latency below; its shape is better known
  double edges_apart = 1.6;           ///< caches differ by a factor of 2 or more
  double most_rises = 9;              ///< five caches, two TLBs and two spare
  double onset_step = 0.04;           ///< logarithm of the ratio between tried onsets
  double far_search = 2.5;            ///< times an onset: its range in the first round
  double near_search = 1.3;           ///< times an onset: its range in later rounds
  double fine_search = 1.06;          ///< times an onset: its range in fine steps
  double fine_steps = 8;              ///< fine steps per step
  double search_rounds = 10;          ///< rounds that move all rises, at most
  double round_share = 0.001;         ///< of chi-square, that a round must gain
  double beside_edge = 1.3;           ///< times an edge: a closer TLB may be part of the edge
  double beside_edge_gains = 5;       ///< times the least gain, for a TLB beside an edge
  double known_gains = 1.0 / 3;       ///< times the least gain: only the height is free
  double pair_step = 1.06;            ///< ratio between tried onsets of a pair
  double pair_before = 2.5;           ///< times earlier that a pair may begin
  double pair_near = 4;               ///< neighbours further apart are not replaced as a pair
  double better_share = 0.01;         ///< of the cost, that a pair must save: ramps take many steps
  double capacity_range = 2;          ///< times an onset: sizes tried for the interval
  double capacity_steps = 4;          ///< steps per step, for the interval
  double capacity_loss = 9;           ///< of chi-square: three standard deviations
  double random_uncertainty = 1.035;  ///< of a size: some random policies have other shapes
  double paged_uncertainty = 1.3;     ///< of a size: the pages lie elsewhere in each run
  double hidden_uncertainty = 1.02;   ///< of a size without a plateau, on top
  double size_uncertainty = 1.02;     ///< of any other size: footprints are not exact
};
inline RiseThresholds rise_thresholds;

/// Which rises are reported, and as what (levels.cpp, smooth_fit.cpp, known_readings.cpp).
struct LevelThresholds {
  double least_confidence = 0.3;  ///< rises below this are not reported
  double known_worth = 0.5;       ///< share of the doubt that a closer look removes
  double half_height = 3;         ///< errors: a height this large is half certain
  double half_distinction = 30;   ///< chi-square: half certain to be no ramp
  double around = 8;              ///< times an onset: range of the smooth curve, three octaves
  double shape_error = 0.01;      ///< of a height: error of the shapes
  double smooth_deviations = 3;   ///< of chi-square above its mean, that a smooth curve may leave
  double drift_errors = 2;        ///< a drift within so many errors counts as 0
  double one_edge = 1.35;         ///< closer edges are one: levels differ by a factor of 2
  double fewest_on_rise = 3;      ///< places on a rise; fewer do not show its shape
  double beside = 2;              ///< times the ends of an edge: places that show its height
  double of_both = 0.5;           ///< of a rise with neighbours together, for random order
};
inline LevelThresholds level_thresholds;

/// Whether other activity evicts a load's data (disturbance.cpp).
struct DisturbanceThresholds {
  double evicted = 0.25;       ///< chains lose 50 %, or 38 % if sized a tenth too small
  double least_error = 0.001;  ///< of a latency: no value is trusted to more
  double half_certain = 3;     ///< errors from `evicted`: half certain
  double partial = 0.1;        ///< chains that lose more lose lines, though fewer than expected
};
inline DisturbanceThresholds disturbance_thresholds;

/// How the walks of geometry show a level (geometry.cpp). Shares are those of loads that miss.
struct GeometryThresholds {
  double hit = 0.3;                 ///< miss share of a test that does not fit
  double still_grows = 1.41;        ///< per stride: 2 below the fetch size, 1 above it
  double grows_later = 1.6;         ///< over two strides, in case one value is too large
  double grows_much_later = 2;      ///< over three strides, in case two values are too large
  double least_share = 0.2;         ///< growth of smaller shares is noise
  double more_than_misses = 1.5;    ///< of a share: more than all loads miss
  double fit = 0.025;               ///< of fitting blocks; random, one more: 2 / (ways + 1)
  double fit_errors = 5;            ///< errors: allowed share of fitting blocks, if larger
  double fitting_share = 0.35;      ///< times the share with one block more, for blocks that fit
  double most_fit = 0.12;           ///< upper bound of that; tree of 32 ways: 20 % with 33 lines
  double first_fit = 0.15;          ///< a lone candidate with more misses is no fit
  double clear_fit = 0.2;           ///< of lines of the right size; conflicts by chance make more
  double clear_waste = 0.4;         ///< of lines half as long; conflicts by chance make less
  double waste_difference = 0.1;    ///< between factors; conflicts by chance differ by more
  double no_fit = 0.5;              ///< if all candidates miss more, none is the line
  double slight_errors = 2.5;       ///< errors: may be no fit if the next count is none
  double sharp = 0.6;               ///< share with one block more that makes other misses noise
  double slight_of_next = 0.2;      ///< times the share with one block more, with its error
  double slight_share = 0.5;        ///< of 1 / (ways + 1), the least that one block too many misses
  double between = 0.15;            ///< from the middle of hit and miss: neither
  double served_inside = 0.8;       ///< of all loads: a test served by the inner level says nothing
  double outgrown = 6;              ///< times its size: hardly any load hits in it
  double mostly_outgrown = 4;       ///< the same for ways that are not sharp
  double over_inner = 1.5;          ///< times the inner level: hits alone mean that it fits
  double ample_inner = 3;           ///< times the inner level: target, since counts are rounded
  double overflow_errors = 4;       ///< errors that the misses of an overflow exceed
  double least_overflow = 0.15;     ///< of an overflow: half, less inner hits; hashed sets: a third
  double overflow_blocks = 1.5;     ///< times the blocks that fit, so that halved sets overflow
  double fitting = 0.8;             ///< of the size; blocks of this total fit anywhere
  double factor_blocks = 0.6;       ///< of the fitting blocks; factor 3 makes it 1.8 times as many
  double fewest_factor_blocks = 3;  ///< fewer blocks show no factor
};
inline GeometryThresholds geometry_thresholds;

/// How replacement policies are distinguished (fine_chase_reading.cpp).
struct ReplacementThresholds {
  double all_miss = 0.85;       ///< share with one line more; random: at most 2/3 from 3 ways on
  double repeats = 0.6;         ///< of the misses that chance alone would not repeat
  double blurred = 0.1;         ///< share between hit and miss, above which noise decides
  double fewest_misses = 8;     ///< fewer in a sample show no pattern
  double misses_per_lap = 0.5;  ///< one line too many misses once or more; noise hides some
};
inline ReplacementThresholds replacement_thresholds;

/// Levels of translation (tlb.cpp).
struct TlbThresholds {
  double most_levels = 3;            ///< levels in the fit of one walk
  double fewest_spans = 5;           ///< two unknowns per level, and the hit latency
  double grid_per_octave = 8;        ///< tried reaches per octave
  double rounds = 6;                 ///< rounds that move each reach
  double smallest_page = 4096;       ///< bytes: smallest page tried
  double most_first_entries = 128;   ///< of a first TLB; known ones have 16 to 72
  double largest_page = 64 << 20;    ///< bytes: largest page tried
  double least_error = 0.003;        ///< of a value: rounding, refresh and other systematic errors
  double least_gain = 40;            ///< of chi-square, per level: six sigma, two unknowns
  double least_penalty = 0.02;       ///< of the hit latency
  double least_penalty_tight = 0.1;  ///< the same in a small cache, where hashed sets add noise
  double same_reach = 1.8;           ///< closer reaches are one level
  double same_penalty = 0.15;        ///< places with less difference measured the same miss
  double rest_reach = 6;             ///< a level this close to a larger one may be its residual
  double rest_penalty = 0.35;        ///< of the penalty of the larger one: then it is its residual
  double agreement = 1.2;            ///< between both ways to find a reach or a penalty
  double penalty_accuracy = 0.05;    ///< of a penalty, as stated
  double penalty_errors = 2;         ///< standard errors that stay within it
  double well_beyond = 1.1;          ///< times the reach from the random walk
  double far_beyond = 8;             ///< times the reach: nearly all loads miss there
  double clear_page = 0.6;           ///< of the penalty, that the page test must show
  double least_height = 0.25;        ///< of the penalty; caches hide part of the step
  double shorter = 0.8;              ///< of a page: strides this short share pages
  double as_much = 0.9;              ///< of a step's misses: shorter steps with as many span a page
  double page_misses = 0.7;          ///< of the most misses: a page misses at least this
  double step = 0.6;                 ///< of the penalty, for one page more
  double knee = 0.25;                ///< of the penalty, before a step that a cache softens
  double nearest_counts = 8;         ///< counts on each side of the step, for the penalty
  double longer_misses = 1;          ///< of the penalty: steps of two pages that cost more miss
  double clear_slope = 7;            ///< errors: then the counts on a side lie on a line
  double likely_slope = 2;           ///< errors: a smaller slope is noise
  double as_clear = 0.9;             ///< of the best confidence: the outer place wins
  double disturbed_errors = 4;       ///< difference of a disturbed span from others
  double neighbours = 6;             ///< spans to compare with: three octaves
  double confidence_rough = 0.25;    ///< only the random walk shows the level
  double confidence_page = 0.5;      ///< its page is known
  double confidence_disputed = 0.6;  ///< both walks disagree on its reach
  double confidence_exact = 0.95;    ///< its entries were counted, all counts agree
  double confidence_sets = 0.9;      ///< they were counted by the overflow of sets
};
inline TlbThresholds tlb_thresholds;

/// Whether misses grow as the sets of a table overflow (set_ramp.cpp).
struct RampThresholds {
  double fewest_on_ramp = 8;     ///< counts between hit and miss: a step has hardly any
  double fewest_on_plateau = 3;  ///< counts on each side
  double largest_misfit = 0.04;  ///< of the penalty: the median distance from the ramp
};
inline RampThresholds ramp_thresholds;

/// Which steps the time of an instruction has by the length of the code (code_stairs.cpp).
struct StairThresholds {
  double fewest_on_tread = 3;    ///< samples
  double least_rise = 1.05;      ///< of a tread, by ratio to the one before
  double better = 0.6;           ///< of the misfit: one more step must lower it so far
  double nearly_as_well = 1.05;  ///< times the misfit: these sizes are possible
  double as_well = 0.0005;       ///< more misfit: these sizes are as likely
  double fetched_ahead = 0.15;   ///< of a rise: so much can come before its step
  double typical_misfit = 0.05;  ///< of a curve with stairs: confidence halves there
  double finest = 1.01;          ///< ratio of neighbouring sizes that are tried
  double rounds = 2;             ///< in which each step moves while the others stay
};
inline StairThresholds stair_thresholds;

/// Which levels a walk was measured in together (wide_fetches.cpp).
struct WideFetchThresholds {
  double mostly_together = 1.5;  ///< times the first place walked together
};
inline WideFetchThresholds wide_fetch_thresholds;

/// The cost of distinct words of constants (constant_words.cpp).
struct WordThresholds {
  double fewest_counts = 3;  ///< counts of words; fewer show no line
};
inline WordThresholds word_thresholds;

/// Which subgroups share a scheduler (schedulers.cpp).
struct SchedulerThresholds {
  double least_gap = 1.05;         ///< between rates of pairs that share and others
  double both_at_full_rate = 1.9;  ///< times the rate of one subgroup: two schedulers
  double no_more_than_one = 1.1;   ///< times the rate of one subgroup: one scheduler
};
inline SchedulerThresholds scheduler_thresholds;

/// How much of a unit's memory kernels may demand (residency.cpp).
struct PoolThresholds {
  double demands_at_once = 3;  ///< few generations of programs follow each other
  double most_pools = 2000;    ///< pools whose predictions are compared, at most
};
inline PoolThresholds pool_thresholds;

/// Which part of a device owns an instruction cache (instruction_owners.cpp).
struct OwnerThresholds {
  double least_rise = 1.1;  ///< of the time by an eviction in the same subgroup: else none is seen
  double same_size = 1.1;   ///< a level of instructions and the cache of constants are one
};
inline OwnerThresholds owner_thresholds;

/// How find_hierarchy() combines readings (hierarchy.cpp). Sizes and latencies compare by ratio.
struct HierarchyThresholds {
  double same_size = 1.15;         ///< levels of two paths are one cache; levels differ by 2
  double agreement = 1.08;         ///< another method within this agrees on the size
  double same_first = 1.25;        ///< latencies of a first cache through two paths
  double far_size = 2.6;           ///< the far part of a split cache is at most this much larger
  double far_latency = 2;          ///< and less than this much slower
  double behind = 1.5;             ///< times a level: these walks hardly hit in it
  double fewest_others = 2;        ///< paths that must deny a level before it is doubted
  double unlike = 0.02;            ///< of a latency: the distance of two paths changes by less
  double lone_doubt = 0.5;         ///< times the confidence, if other paths deny the level
  double doubted = 0.69;           ///< times the confidence of doubted findings: always below 0.7
  double few_ways = 32;            ///< more need another path that shows them
  double widest_interval = 1.1;    ///< a wider interval is stated as a range
  double several_counts = 1.25;    ///< a wider interval agrees with several counts of ways
  double no_plateau = 0.1;         ///< of a latency: a walk that rises on by more shows no memory
  double half_rise = 0.01;         ///< of a latency: this rise behind the last edge halves it
  double together_agrees = 1.05;   ///< random order against neighbours: DRAM pages cost 3 %
  double any_cache = 256 << 20;    ///< bytes: twice the last level of graphics cards
  double small_reach = 8 << 20;    ///< bytes: TLBs below may have pages as small as a group
  double small_page = 16 << 10;    ///< bytes: groups of 8 KiB notice these pages
  double common_page = 64 << 10;   ///< bytes: larger ones cost neighbours nothing
  double latency_accuracy = 0.01;  ///< of a latency, as stated
  double latency_errors = 2.5;     ///< standard errors that stay within it
  double uneven = 0.03;            ///< of a latency: a plateau with more drift is none
  double chains_at_once = 8;       ///< of private-caches, each nearly as large as the first level
  double flat = 0.9;               ///< confidence of a path without an edge
  double flat_octaves = 2.9;       ///< at the end of a walk of neighbours: memory serves them
  double fewest_flat = 4;          ///< places there
  double enough_untranslated = 6;  ///< walks without translation: then only these count
  double least_error = 0.002;      ///< of a latency behind the last level
  double disputed = 0.7;           ///< times the confidence, if ways and curve disagree
  double counted = 0.8;            ///< confidence of a size from counted ways
  double many_ways = 32;           ///< from here on a count may be off by one if chance decides
  double random_worth = 0.5;       ///< times the confidence of the same edge in random order
};
inline HierarchyThresholds hierarchy_thresholds;

/// How confident a number of first-level copies is (private_copies.cpp): factors.
struct CopiesThresholds {
  double none_shared = 0.5;   ///< no two subgroups share a copy: there may be more of both
  double irregular = 0.69;    ///< copies of unequal numbers of subgroups
  double one_method = 0.8;    ///< the subgroups were not counted
  double disagreement = 0.3;  ///< pairs and counts disagree
};
inline CopiesThresholds copies_thresholds;

/// Which units form a group (unit_groups.cpp).
struct GroupThresholds {
  double gap_share = 0.1;  ///< of the distance below a gap: noise makes less
  double gap_factor = 2;   ///< times any other gap
};
inline GroupThresholds group_thresholds;

/// Which units and lines of a chip's map are alike, and whether two maps are of one card
/// (chip_map.cpp).
struct ChipThresholds {
  double gap_factor = 2;          ///< between two lengths: a gap
  double least_difference = 0.1;  ///< ticks: less is alike, however small the noise
  double most_partitions = 8;     ///< groups of units: more are no partitions
  double same_card = 0.98;        ///< correlation from which two maps are of one card
  double other_card = 0.9;        ///< below it they are not
};
inline ChipThresholds chip_thresholds;

}  // namespace percycle
