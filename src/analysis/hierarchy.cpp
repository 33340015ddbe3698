#include "analysis/hierarchy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "analysis/doubts.hpp"
#include "analysis/fine_chase_reading.hpp"
#include "analysis/gapless_walks.hpp"
#include "analysis/geometry.hpp"
#include "analysis/known_readings.hpp"
#include "analysis/level_names.hpp"
#include "analysis/memory_reading.hpp"
#include "analysis/next_run.hpp"
#include "analysis/seen_level.hpp"
#include "analysis/shared_levels.hpp"
#include "analysis/thresholds.hpp"
#include "analysis/tlb.hpp"
#include "analysis/translation.hpp"
#include "analysis/walked_together.hpp"
#include "core/figures.hpp"
#include "core/units.hpp"
#include "vocabulary/constant_words.hpp"
#include "vocabulary/geometry.hpp"
#include "vocabulary/instruction_cache.hpp"
#include "vocabulary/instruction_sharing.hpp"
#include "vocabulary/l2_map.hpp"
#include "vocabulary/latency.hpp"
#include "vocabulary/loaded_latency.hpp"
#include "vocabulary/private_caches.hpp"
#include "vocabulary/residency.hpp"
#include "vocabulary/sharing.hpp"
#include "vocabulary/tlb.hpp"

namespace percycle {
namespace {

/// Adds the ways and sets of a level whose line is known, and the size that they give.
void add_ways(SeenLevel& level, const GeometryReader& reader, std::size_t index) {
  const auto alias = reader.alias_with_factors(index);
  if (!alias || !level.line_bytes) return;
  const auto ways = reader.ways(index, *alias);
  if (!alias->any && (alias->block != *level.line_bytes || !ways || !ways->sharp)) {
    level.evidence.push_back("no power-of-two distance brings lines into one set: its sets are hashed, its ways unknown");
    return;
  }
  if (!ways) return;
  if (has_more_ways(reader, index, *ways)) {
    level.evidence.push_back(
        fmt::format("a walk over {} lines of a set misses less than once per lap: the set has more ways", ways->ways + 1));
    return;
  }
  const std::uint64_t exact = ways->ways * alias->apart;
  const std::uint64_t without_gaps = level.size_bytes / level.gaps;
  if (!close(static_cast<double>(exact), static_cast<double>(without_gaps), hierarchy_thresholds.agreement)) {
    doubt(level, kSize,
          fmt::format("{} blocks {} apart fit, {} in all, which disagrees with the curve", ways->ways, format_bytes(alias->apart),
                      format_bytes(exact)),
          hierarchy_thresholds.disputed);
    return;
  }
  level.slight_count = !ways->sharp && size_width(level) > hierarchy_thresholds.several_counts;
  level.ways = ways->ways;
  level.sets = alias->apart / *level.line_bytes;
  level.size_bytes = exact * level.gaps;  // adopt_closer_looks() divides by the gaps of all levels
  // With many ways, one line too many causes so few misses that noise may hide or imitate them.
  const bool one_off = !ways->sharp && ways->ways >= hierarchy_thresholds.many_ways;
  level.size_low = level.size_bytes - (one_off ? alias->apart * level.gaps : 0);
  level.size_high = level.size_bytes + (one_off ? alias->apart * level.gaps : 0);
  for (const auto figure : kSizeAndWays) level.*figure = agreeing(level.*figure, hierarchy_thresholds.counted);
  level.evidence.push_back(fmt::format("{} lines {} apart fit into a set, {} do not: {} in all, which agrees with the curve",
                                       ways->ways, format_bytes(alias->apart), ways->ways + 1, format_bytes(exact)));
  level.replacement = replacement_of(reader, index, *ways, level.evidence);
}

/// Adds the results of the level's geometry tests.
void add_geometry(SeenLevel& level, const GeometryReader& reader, std::size_t index) {
  if (const auto fetch = reader.fetch(index)) {
    level.sector_bytes = fetch->bytes;
    level.sector_at_most = fetch->at_most;
    level.evidence.push_back(
        fetch->at_most
            ? fmt::format("a miss fetches {} or less: the level before hides smaller fetches", format_bytes(fetch->bytes))
            : fmt::format("a miss fetches {}: with this stride or a longer one, every load misses", format_bytes(fetch->bytes)));
  }
  level.sector_disputed = reader.fetch_disputed(index);
  level.line_disputed = reader.line_disputed(index);
  const auto gaps = reader.gaps(index);
  level.lines_asked = gaps.has_value();
  level.gaps = gaps.value_or(1);
  const std::uint64_t longest = reader.curves().stride_bytes / level.gaps;
  if (level.gaps > 1 && reader.line(index) == longest) {
    level.line_bytes = longest;
    level.evidence.push_back(
        fmt::format("data without gaps fill it {} times sooner than one node per {}: its lines have {}, its sets are hashed",
                    level.gaps, format_bytes(reader.curves().stride_bytes), format_bytes(*level.line_bytes)));
    return;
  }
  if (const auto line = reader.line(index)) {
    level.line_bytes = *line;
    level.evidence.push_back(
        fmt::format("one tag covers {}: nodes at this distance use the whole level, closer nodes do not", format_bytes(*line)));
  } else if (level.sector_bytes && index == 0) {
    level.line_bytes = level.sector_bytes;
    level.evidence.push_back("its line is taken from the fetch size, because this path is too small for the test of tags");
  } else if (level.sector_bytes) {
    level.evidence.push_back("its line is unknown, because the level before holds all lines of the test of tags");
  }
  add_ways(level, reader, index);
}

/// Adds what experiment latency says of a level's lines. Where the tests of geometry fail, it is no
/// better.
void add_walked_gaps(SeenLevel& level, const AskedLevel& asked) {
  const auto gaps = walked_gaps(asked);
  if (!gaps) return;
  level.lines_asked = true;
  level.gaps = *gaps;
  // Places of one curve alone are a percent wide, and no other method bounds the size.
  level.size_low = whole(static_cast<double>(level.size_low) / curve_thresholds.same_place);
  level.size_high = whole(static_cast<double>(level.size_high) * curve_thresholds.same_place);
  level.evidence.push_back(
      *gaps == 1 ? fmt::format("0.7 of it also fit with one node per {}: no gaps make it look larger",
                               format_bytes(asked.curves.stride_bytes / 2))
                 : fmt::format("data without gaps fill it {} times sooner than one node per {}: its sets are hashed", *gaps,
                               format_bytes(asked.curves.stride_bytes)));
}

/// Translation slows walks without gaps, too: without the gaps that they seem to show, the level
/// must still be larger than the one before it.
void forget_impossible_gaps(SeenLevel& level, const PathLevels& before) {
  if (level.gaps <= 1 || before.empty()) return;
  const auto without_gaps = [](const SeenLevel& one) {
    return static_cast<double>(one.size_bytes) / static_cast<double>(one.gaps);
  };
  if (without_gaps(level) >= hierarchy_thresholds.same_size * without_gaps(before.back())) return;
  level.evidence.push_back(
      fmt::format("without gaps it would have {}, no more than the level before: translation or noise looks like gaps",
                  format_bytes(level.size_bytes / level.gaps)));
  level.gaps = 1;
  level.line_bytes.reset();
}

/// The reading of the best curve without the penalties of counted TLBs. Neighbours visited together
/// need few translations, but small pages still show.
FetchedReading untranslated_reading(const GeometryReader& reader, std::span<const TlbLevel> tlbs) {
  const auto translations = counted_translations(tlbs);
  const auto& curves = reader.curves();
  if (translations.empty() || curves.local.empty()) return reader.fetched();
  const bool first_is_free = !tlbs.front().of_every_load && reader.levels() > 0;
  const auto corrected = without_translation(curves.local, translations, static_cast<double>(curves.stride_bytes),
                                             first_is_free ? &reader.reading().levels.front().edge : nullptr);
  return reader.with_fetches_once(known_reading(corrected));
}

bool same_levels(const CurveReading& one, const CurveReading& other) {
  return std::equal(
      one.levels.begin(), one.levels.end(), other.levels.begin(), other.levels.end(),
      [](const CurveLevel& a, const CurveLevel& b) { return close(a.size, b.size, hierarchy_thresholds.same_size); });
}

/// The levels of one path, not yet named. `reading`: from the best curve.
PathLevels path_levels(const GeometryReader& reader, const FetchedReading& fetched, const std::string& path,
                       std::span<const TlbLevel> tlbs) {
  const auto& curves = reader.curves();
  const auto& reading = fetched.reading;
  const bool tests_apply = same_levels(reader.reading(), reading);
  PathLevels levels;
  bool wide = false;
  for (std::size_t place = 0; place < reading.levels.size(); ++place) {
    const auto& found = reading.levels[place];
    if (rises_only_together(curves, found)) continue;
    SeenLevel level;
    level.path = path;
    level.size_bytes = whole(found.size);
    level.size_low = whole(found.size_low);
    level.size_high = whole(found.size_high);
    if (curves.unit == LatencyUnit::cycles) level.latency_cycles = found.latency;
    level.latency_ns = found.latency * curves.ns_per_unit;
    level.exists = found.confidence;
    level.evidence = found.evidence;
    level.close_steps = !curves.local.empty();
    level.together = std::any_of(curves.local.begin(), curves.local.end(), [&](const CurveSample& sample) {
      return sample.together_bytes > 0 && sample.bytes <= found.size_low;
    });
    level.plateau = found.plateau;
    level.latency_error = found.latency_error / found.latency;
    level.behind_wide_fetch = wide;
    level.uneven = found.drift > hierarchy_thresholds.uneven * found.latency;
    level.translated = std::any_of(tlbs.begin(), tlbs.end(), [&](const TlbLevel& tlb) {
      return static_cast<double>(tlb.reach.value_or(whole(tlb.rough_reach))) < found.size;
    });
    level.small_page_share = most_translation(curves, counted_translations(tlbs), found.size_low) / found.latency;
    level.latency_doubtful = place < fetched.doubtful.size() && fetched.doubtful[place];
    for (const auto& other : reader.random_reading().levels) {
      if (curves.local.empty() || !close(other.size, found.size, hierarchy_thresholds.agreement)) continue;
      level.exists = agreeing(level.exists, hierarchy_thresholds.random_worth * other.confidence);
      level.evidence.push_back(fmt::format("a walk in random order has an edge at {}, too", format_bytes(whole(other.size))));
    }
    set_confidence(level, level.exists);
    // The tests apply to the levels that show with translation included.
    for (std::size_t i = 0; i < reader.levels(); ++i) {
      if (tests_apply && close(reader.reading().levels[i].size, found.size, hierarchy_thresholds.same_size))
        add_geometry(level, reader, i);
    }
    const AskedLevel asked = asked_level(curves, reading, place);
    if (!reader.tested()) {
      add_walked_gaps(level, asked);
    } else if (level.lines_asked && walked_gaps(asked).value_or(level.gaps) != level.gaps) {
      doubt(level, kSize, "latency and geometry disagree on how many times gaps enlarge it");
    }
    forget_impossible_gaps(level, levels);
    if (!tests_apply) level.evidence.push_back("only walks without translation show it, so its lines and ways were not tested");
    wide = wide || level.sector_bytes.value_or(0) > curves.stride_bytes;
    level.fetches_widely = wide;
    levels.push_back(std::move(level));
  }
  return levels;
}

/// Corrects the latency of a level whose plateau its path does not show. The closer path gives it,
/// plus the difference of the two paths in the level before.
void adopt_latency(PathLevels& path, std::size_t place, std::span<const SeenLevel> close_looks, const SeenLevel& closer) {
  auto& level = path[place];
  if ((level.plateau && !closer.behind_wide_fetch && !level.translated) || place == 0 || !path[place - 1].plateau ||
      !level.latency_cycles || !closer.latency_cycles)
    return;
  const auto& before = path[place - 1];
  const auto same = std::find_if(close_looks.begin(), close_looks.end(), [&](const SeenLevel& other) {
    return other.path == closer.path && other.plateau && same_size(other, before);
  });
  if (same == close_looks.end() || !before.latency_cycles || !same->latency_cycles) return;
  // Scalar loads may have a first cache of their own, which says nothing of the caches behind it.
  const bool is_first_of_scalars = level.path == kScalarPath && place == 1;
  if (is_first_of_scalars && !close(*before.latency_cycles, *same->latency_cycles, hierarchy_thresholds.same_first)) return;
  const double cycles = *closer.latency_cycles + *before.latency_cycles - *same->latency_cycles;
  level.latency_ns *= cycles / *level.latency_cycles;
  level.latency_cycles = cycles;
  level.small_page_share = closer.small_page_share;
  level.latency_adopted = true;
  level.evidence.push_back(
      fmt::format("its latency comes from a finer walk on the {} path, which differs by {} in the level before", closer.path,
                  in_unit(*before.latency_cycles - *same->latency_cycles, 1, unit_text::kCycles)));
}

/// If a path that was only walked shows the same level as a path with tests, the closer look
/// counts. Then divides sizes by the gaps of the walk.
void adopt_closer_looks(std::vector<PathLevels>& paths) {
  std::vector<SeenLevel> close_looks;
  for (const auto& path : paths) {
    std::copy_if(path.begin(), path.end(), std::back_inserter(close_looks),
                 [](const SeenLevel& level) { return (level.line_bytes || level.close_steps) && level.path != "constant"; });
  }
  // The closest path comes first.
  std::stable_partition(close_looks.begin(), close_looks.end(),
                        [](const SeenLevel& level) { return level.path == kClosestPath; });
  for (auto& path : paths) {
    for (std::size_t i = 0; i < path.size(); ++i) {
      auto& level = path[i];
      const auto same =
          std::find_if(close_looks.begin(), close_looks.end(), [&](const SeenLevel& other) { return same_size(level, other); });
      if (level.line_bytes || level.close_steps || level.path == "constant" || same == close_looks.end()) continue;
      level.evidence.push_back(fmt::format("its size comes from a finer walk on the {} path", same->path));
      level.size_bytes = same->size_bytes;
      level.size_low = same->size_low;
      level.size_high = same->size_high;
      level.gaps = same->gaps;
      level.lines_asked = same->lines_asked;
      level.size_from = same->path;
      adopt_latency(path, i, close_looks, *same);
    }
  }
  for (auto& path : paths) {
    for (auto& level : path) {
      for (auto* bytes : {&level.size_bytes, &level.size_low, &level.size_high}) *bytes /= level.gaps;
    }
  }
}

/// If an inner level fetches more bytes per miss, it hides a fetch size that another path may show.
void share_granularity(std::vector<PathLevels>& paths) {
  for (auto& path : paths) {
    for (auto& level : path) {
      if (!level.sector_at_most) continue;
      for (const auto& other_path : paths) {
        for (const auto& other : other_path) {
          if (&other == &level || !same_size(other, level) || !other.sector_bytes || !level.sector_bytes ||
              *other.sector_bytes >= *level.sector_bytes)
            continue;
          level.sector_bytes = other.sector_bytes;
          level.sector_at_most = other.sector_at_most;
          if (other.line_bytes && level.line_bytes && *other.line_bytes < *level.line_bytes) level.line_bytes = other.line_bytes;
          if (level.ways) level.sets = level.size_bytes / (*level.ways * *level.line_bytes);
          level.evidence.push_back(
              fmt::format("the {} path shows that a miss fetches only {}", other.path, format_bytes(*other.sector_bytes)));
        }
      }
    }
  }
}

std::vector<HierarchyTlb> tlbs_of(std::span<const PointResult> results, const std::string& path,
                                  std::span<const TlbLevel> levels) {
  const auto curves = path_curves(results, path);
  const bool cycles = curves.unit == LatencyUnit::cycles;
  std::vector<HierarchyTlb> tlbs;
  for (const auto& found : levels) {
    HierarchyTlb tlb;
    tlb.path = path;
    tlb.reach_bytes = found.reach ? *found.reach : whole(found.rough_reach);
    if (found.reach) tlb.page_bytes = found.page;  // a page counts once its number is known
    tlb.ways = found.ways;
    if (cycles) tlb.penalty_cycles = found.penalty;
    tlb.penalty_ns = found.penalty * curves.ns_per_unit;
    tlb.confidence = tlb.page_confidence = tlb.penalty_confidence = found.confidence;
    tlb.evidence = found.evidence;
    if (!close(found.penalty, found.walk_penalty, tlb_thresholds.agreement)) {
      tlb.penalty_confidence *= hierarchy_thresholds.doubted;
      tlb.evidence.push_back("the random walk and the walk page by page disagree on the penalty: a cache may distort one");
      // With one place only, nothing else contradicts a part of a page that looks like a page.
      if (found.places < 2) tlb.page_confidence *= hierarchy_thresholds.doubted;
    } else if (found.places < 2 && !close(found.penalty, found.walk_penalty, 1 + tlb_thresholds.penalty_accuracy)) {
      tlb.penalty_confidence *= hierarchy_thresholds.doubted;
      tlb.evidence.push_back("a single place counted it, and the random walk has another penalty");
    } else if (is_vague_penalty(found)) {
      tlb.penalty_confidence *= hierarchy_thresholds.doubted;
      tlb.evidence.push_back("the walks page by page scatter too much for an exact penalty");
    }
    tlbs.push_back(std::move(tlb));
  }
  if (!tlbs.empty()) return tlbs;
  // Without experiment tlb, the shape of the sweep decides.
  for (const auto& found : known_reading(curves.random).tlbs) {
    HierarchyTlb tlb{
        path,          whole(found.reach), std::nullopt, std::nullopt, found.penalty * curves.ns_per_unit, found.confidence,
        found.evidence};
    if (cycles) tlb.penalty_cycles = found.penalty;
    doubt(tlb, "only the sweep of the latency shows it, and no walk over pages");
    tlb.penalty_confidence = tlb.confidence;
    tlbs.push_back(std::move(tlb));
  }
  return tlbs;
}

/// Paths that are only walked in random order show the memory no better than the closest path.
void doubt_same_memory(std::vector<HierarchyMemory>& memories) {
  const auto closest =
      std::find_if(memories.begin(), memories.end(), [](const HierarchyMemory& memory) { return memory.path == kClosestPath; });
  if (closest == memories.end()) return;
  for (auto& memory : memories) {
    if (is_same_memory(memory.path)) memory.confidence = std::min(memory.confidence, closest->confidence);
  }
}

/// Chains that outgrow a TLB together slow each other down as if they shared a cache.
void doubt_translated_copies(PrivateCopies& copies, double chain_bytes, std::span<const HierarchyTlb> tlbs) {
  const bool outgrown = std::any_of(tlbs.begin(), tlbs.end(), [&](const HierarchyTlb& tlb) {
    return static_cast<double>(tlb.reach_bytes) < hierarchy_thresholds.chains_at_once * chain_bytes;
  });
  if (outgrown) doubt(copies, "the chains of several subgroups exceed the reach of a TLB, which looks like a shared cache");
}

}  // namespace

double size_width(const HierarchyLevel& level) {
  return static_cast<double>(level.size_high) / static_cast<double>(std::max<std::uint64_t>(1, level.size_low));
}

void set_confidence(HierarchyLevel& level, double confidence) {
  for (const auto figure : kEveryFigure) level.*figure = confidence;
}

double least_confidence(const HierarchyLevel& level) {
  double least = std::min(level.confidence, level.latency_confidence);
  if (level.line_bytes) least = std::min(least, level.line_confidence);
  if (level.sector_bytes) least = std::min(least, level.sector_confidence);
  return level.ways ? std::min(least, level.ways_confidence) : least;
}

bool is_vague(const HierarchyLevel& level) { return size_width(level) > hierarchy_thresholds.widest_interval; }

bool shows_hierarchy(std::string_view experiment) {
  static constexpr std::array kExperiments{
      experiment::kLatency,       experiment::kGeometry,           experiment::kTlb,          experiment::kPrivateCaches,
      experiment::kSharing,       experiment::kInstructionCache,   experiment::kResidency,    experiment::kL2Map,
      experiment::kConstantWords, experiment::kInstructionSharing, experiment::kLoadedLatency};
  return std::any_of(kExperiments.begin(), kExperiments.end(), [&](const char* name) { return experiment == name; });
}

namespace {

/// A path with its curves and their reading.
struct WalkedPath {
  GeometryReader reader;
  FetchedReading reading;
  std::string path;
};

/// The rises that the closest path shows: of translation, and of caches that is_same_memory()
/// shares.
struct KnownRises {
  std::vector<Rise> translation;
  std::vector<Rise> edges;
};

KnownRises known_rises(std::span<const PointResult> results, std::span<const HierarchyTlb> tlbs) {
  KnownRises known;
  for (const auto& tlb : tlbs)
    known.translation.push_back({.shape = tlb_shapes().data(), .onset = static_cast<double>(tlb.reach_bytes)});
  for (const auto& level : known_reading(path_curves(results, kClosestPath).best()).levels) known.edges.push_back(level.edge);
  return known;
}

std::vector<WalkedPath> walk_paths(std::span<const PointResult> results, std::span<const std::string> measured,
                                   const KnownRises& rises, std::span<const TlbLevel> tlbs) {
  std::vector<WalkedPath> walked;
  for (const auto& path : measured) {
    auto known = rises.translation;
    if (is_same_memory(path)) known.insert(known.end(), rises.edges.begin(), rises.edges.end());
    GeometryReader reader(results, path, std::move(known));
    if (reader.curves().best().empty()) continue;
    auto fetched = untranslated_reading(reader, tlbs);
    walked.push_back({std::move(reader), std::move(fetched), path});
  }
  return walked;
}

std::vector<HierarchyMemory> memories_of(std::span<const WalkedPath> walked, std::span<const PathLevels> paths,
                                         std::span<const TlbLevel> tlbs) {
  const bool fetches_widely = std::any_of(paths.begin(), paths.end(), [](const PathLevels& path) {
    return !path.empty() && path.front().path == kClosestPath && path.back().fetches_widely;
  });
  std::vector<HierarchyMemory> memories;
  for (std::size_t i = 0; i < walked.size(); ++i) {
    const auto& [reader, fetched, path] = walked[i];
    auto memory = read_memory(reader, fetched.reading, paths[i], path, tlbs);
    if (!memory) continue;
    const bool by_random_order_alone = is_same_memory(path) && fetches_widely;
    if (fetched.memory_doubtful || by_random_order_alone)
      doubt(*memory, "a level fetches several nodes at once, so the latency is a mean");
    memories.push_back(std::move(*memory));
  }
  doubt_same_memory(memories);
  adopt_memory(memories, paths);
  return memories;
}

std::vector<PrivateCopies> copies_of(std::span<const PointResult> results, std::span<const WalkedPath> walked,
                                     std::span<const HierarchyTlb> tlbs) {
  std::vector<PrivateCopies> all;
  for (const auto& [reader, fetched, path] : walked) {
    // Else the copies of another first level were looked for.
    if (!same_levels(reader.reading(), fetched.reading)) continue;
    auto copies = read_private_copies(results, path, fetched.reading);
    if (!copies) continue;
    doubt_translated_copies(*copies, fetched.reading.levels.front().size, tlbs);
    all.push_back(std::move(*copies));
  }
  return all;
}

}  // namespace

Hierarchy find_hierarchy(std::span<const PointResult> results, HierarchyDepth depth) {
  Hierarchy hierarchy;
  std::vector<TlbLevel> tlbs;
  KnownRises rises;
  const auto measured = measured_paths(results);
  if (std::find(measured.begin(), measured.end(), kClosestPath) != measured.end()) {
    tlbs = best_tlb_levels(results, kClosestPath);
    hierarchy.tlbs = tlbs_of(results, kClosestPath, tlbs);
    rises = known_rises(results, hierarchy.tlbs);
  }
  const std::vector<WalkedPath> walked = walk_paths(results, measured, rises, tlbs);
  std::vector<PathLevels> paths;
  for (const auto& [reader, fetched, path] : walked) paths.push_back(path_levels(reader, fetched, path, tlbs));
  // The order matters. Levels match by the sizes of the walks, which adopt_closer_looks() corrects
  // at its end. Partitions extend the names. share_granularity() needs the final sizes.
  adopt_closer_looks(paths);
  doubt_levels(paths, hierarchy.tlbs);
  hierarchy.memory = memories_of(walked, paths, tlbs);
  doubt_adopted_figures(paths);
  doubt_tlbs(hierarchy.tlbs, paths);
  name_levels(paths);
  share_granularity(paths);
  doubt_geometry(paths);
  for (auto& path : paths) std::move(path.begin(), path.end(), std::back_inserter(hierarchy.levels));
  if (depth == HierarchyDepth::levels) return hierarchy;
  hierarchy.private_copies = copies_of(results, walked, hierarchy.tlbs);
  hierarchy.sharing = read_sharing(results);
  adopt_levels(hierarchy.sharing, hierarchy.levels);
  hierarchy.instruction_caches = read_instruction_caches(results);
  hierarchy.instruction_sharing = read_instruction_sharing(results);
  hierarchy.residency = read_residency(results);
  hierarchy.local_splits = read_local_splits(results);
  hierarchy.chip_maps = read_chip_maps(results);
  hierarchy.constant_words = read_constant_words(results);
  hierarchy.load_curves = read_load_curves(results);
  hierarchy.next_run = next_run(results);
  return hierarchy;
}

}  // namespace percycle
