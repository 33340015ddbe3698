#include "analysis/doubts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/level_names.hpp"
#include "core/units.hpp"

namespace percycle {
namespace {

bool shows(const PathLevels& path, const SeenLevel& level) {
  return std::any_of(path.begin(), path.end(), [&](const SeenLevel& one) { return same_size(one, level); });
}

/// Whether a path begins with a cache of its own.
bool has_own_first(const PathLevels& path, const std::vector<PathLevels>& paths) {
  const auto closest = std::find_if(paths.begin(), paths.end(),
                                    [](const PathLevels& one) { return !one.empty() && one.front().path == kClosestPath; });
  return !path.empty() && closest != paths.end() && is_own_cache(path.front(), closest->front());
}

/// Paths through the same caches are walked independently. If one shows a level and at least two
/// others walked as far do not, it is probably a disturbance. Levels behind it may be wrong, too.
void doubt_lone_levels(std::vector<PathLevels>& paths) {
  for (auto& path : paths) {
    if (path.empty() || !is_same_memory(path.front().path)) continue;
    std::vector<const PathLevels*> others;
    for (const auto& other : paths) {
      if (&other == &path || other.empty()) continue;
      if (other.front().path == kClosestPath || is_same_memory(other.front().path)) others.push_back(&other);
    }
    if (static_cast<double>(others.size()) < hierarchy_thresholds.fewest_others) continue;
    for (auto& level : path) {
      if (&level == &path.front() && has_own_first(path, paths)) continue;
      if (std::any_of(others.begin(), others.end(), [&](const PathLevels* other) { return shows(*other, level); })) continue;
      level.alone = true;
      doubt_existence(level, fmt::format("{} other paths through the same caches do not show this level", others.size()),
                      hierarchy_thresholds.lone_doubt);
    }
  }
}

/// The addresses of a path cost the same cycles in every level. If the distance to the closest path
/// changes from level to level, the latency is a mean over something more.
void doubt_unlike_latencies(std::vector<PathLevels>& paths) {
  const auto closest = std::find_if(paths.begin(), paths.end(),
                                    [](const PathLevels& path) { return !path.empty() && path.front().path == kClosestPath; });
  for (auto& path : paths) {
    if (path.empty() || !is_same_memory(path.front().path)) continue;
    if (closest == paths.end() || !same_size(closest->front(), path.front())) {
      const bool own_first = has_own_first(path, paths);
      for (auto& level : path) {
        if (own_first && !level.latency_adopted) continue;
        doubt(level, kLatency, fmt::format("the first level of the {} path is another one", kClosestPath));
      }
      continue;
    }
    std::optional<double> first;
    for (auto& level : path) {
      const auto same =
          std::find_if(closest->begin(), closest->end(), [&](const SeenLevel& one) { return same_size(one, level); });
      if (same == closest->end()) continue;
      const double distance = level.latency_ns - same->latency_ns;
      if (!first) first = distance;
      if (std::abs(distance - *first) <= hierarchy_thresholds.unlike * same->latency_ns) continue;
      doubt(level, kLatency,
            fmt::format("the {} path is faster by {:.1f} ns here, but by {:.1f} ns in an inner level", kClosestPath, distance,
                        *first));
    }
  }
}

/// A TLB of unknown pages may explain the rise as well as a cache.
void doubt_levels_at_reaches(PathLevels& path, std::span<const HierarchyTlb> tlbs) {
  for (auto& level : path) {
    if (level.ways) continue;
    const auto same = std::find_if(tlbs.begin(), tlbs.end(), [&](const HierarchyTlb& tlb) {
      return !tlb.page_bytes &&
             close(static_cast<double>(tlb.reach_bytes), static_cast<double>(level.size_bytes), hierarchy_thresholds.same_size);
    });
    if (same == tlbs.end()) continue;
    level.alone = true;
    doubt_existence(level, fmt::format("a TLB of unknown page size reaches {}, which may explain this level",
                                       format_bytes(same->reach_bytes)));
  }
}

/// A TLB may end as sharply as a cache. Only neighbours walked together tell them apart.
void doubt_levels_of_any_size(PathLevels& path) {
  for (auto& level : path) {
    if (level.close_steps || level.ways || static_cast<double>(level.size_bytes) <= hierarchy_thresholds.any_cache) continue;
    level.alone = true;
    doubt_existence(level, "no known cache is as large, and only a walk in random order shows this edge: a TLB may explain it");
  }
}

void doubt_levels_behind(PathLevels& path) {
  const auto alone = std::find_if(path.begin(), path.end(), [](const SeenLevel& level) { return level.alone; });
  if (alone == path.end()) return;
  for (auto behind = std::next(alone); behind != path.end(); ++behind) {
    doubt_existence(*behind, fmt::format("it lies behind a doubtful level of {}", format_bytes(alone->size_bytes)));
  }
}

void doubt_unasked_lines(PathLevels& path) {
  for (auto& level : path) {
    if (level.lines_asked) continue;
    doubt(level, kSize, "its lines were not tested: short lines in hashed sets could make it look twice as large");
  }
}

/// Physical pages at random places overflow some sets of a cache early. In random order its edge
/// then looks like those of two levels, but rises all the way between them. A size from another
/// path is as certain as there.
void doubt_early_edges(PathLevels& path) {
  for (std::size_t i = 2; i < path.size(); ++i) {
    if (path[i].close_steps || !path[i].size_from.empty() || !are_nearly_one(path[i - 1], path[i])) continue;
    if (path[i].plateau && !path[i].uneven) continue;
    for (auto* level : {&path[i - 1], &path[i]})
      doubt(*level, kSize, "only a walk in random order shows two such close levels: pages at random places may look so");
  }
}

/// Whether neighbours were visited together and random order is hardly slower: then even the
/// smallest pages add nothing to the latency.
bool is_untranslated(const SeenLevel& level) {
  return level.together && level.small_page_share < hierarchy_thresholds.latency_accuracy / 2;
}

/// Beyond the reach of a TLB of small pages even neighbours need translation, which adds to the
/// latency.
void doubt_small_pages(PathLevels& path, std::span<const HierarchyTlb> tlbs) {
  for (auto& level : path) {
    if (is_untranslated(level)) continue;
    const auto small = std::find_if(tlbs.begin(), tlbs.end(), [&](const HierarchyTlb& tlb) {
      if (level.ways && !tlb.page_bytes) return false;
      return tlb.reach_bytes < level.size_bytes &&
             static_cast<double>(tlb.page_bytes.value_or(0)) <= hierarchy_thresholds.small_page &&
             (tlb.page_bytes || static_cast<double>(tlb.reach_bytes) < hierarchy_thresholds.small_reach);
    });
    if (small == tlbs.end()) continue;
    doubt(level, kLatency,
          fmt::format("pages are small: beyond {} even neighbouring nodes need a translation", format_bytes(small->reach_bytes)));
  }
}

/// Misses of a TLB grow with the stride, as fetches do. If another path sees a smaller fetch of the
/// same cache, the larger one is doubtful.
void doubt_unlike_fetches(std::vector<PathLevels>& paths) {
  for (auto& path : paths) {
    for (auto& level : path) {
      if (!level.sector_bytes || level.sector_at_most) continue;
      for (const auto& other_path : paths) {
        const auto smaller = std::find_if(other_path.begin(), other_path.end(), [&](const SeenLevel& other) {
          return same_size(other, level) && other.sector_bytes && *other.sector_bytes < *level.sector_bytes;
        });
        if (smaller == other_path.end()) continue;
        doubt(level, kLineAndSector,
              fmt::format("the {} path shows that a miss fetches only {}", smaller->path, format_bytes(*smaller->sector_bytes)));
        break;
      }
    }
  }
}

/// Noise imitates a few misses, and a wide range of sizes agrees with several counts.
void doubt_slight_counts(PathLevels& path) {
  for (auto& level : path) {
    if (level.slight_count) {
      doubt(level, kSizeAndWays, "a set with one line too many rarely misses, and the curve allows several numbers of ways");
    }
  }
}

/// A count of ways is exact, so paths that disagree by one are not both right. Many ways take many
/// tests, one of which noise may spoil: without walks of neighbours the other path must show them.
void doubt_unlike_ways(std::vector<PathLevels>& paths) {
  std::vector<std::pair<SeenLevel*, std::string>> doubtful;
  for (auto& path : paths) {
    for (auto& level : path) {
      if (!level.ways) continue;
      const bool is_many = !level.close_steps && static_cast<double>(*level.ways) > hierarchy_thresholds.few_ways;
      for (const auto& other_path : paths) {
        const auto other = std::find_if(other_path.begin(), other_path.end(), [&](const SeenLevel& one) {
          return &other_path != &path && same_size(one, level) && one.line_bytes && one.ways != level.ways;
        });
        if (other == other_path.end() || !(other->ways || is_many)) continue;
        doubtful.emplace_back(&level, other->ways ? fmt::format("the {} path shows {} ways", other->path, *other->ways)
                                                  : fmt::format("the {} path does not show these ways", other->path));
        break;
      }
    }
  }
  for (auto& [level, why] : doubtful) doubt(*level, kSizeAndWays, std::move(why));
}

/// Walks of neighbours tell translation from the latency of a level. Without them a TLB of unknown
/// pages may slow the level down.
void doubt_untold_translation(PathLevels& path, std::span<const HierarchyTlb> tlbs) {
  for (auto& level : path) {
    if (!level.ways || level.close_steps) continue;
    const auto inside = std::find_if(
        tlbs.begin(), tlbs.end(), [&](const HierarchyTlb& tlb) { return !tlb.page_bytes && tlb.reach_bytes < level.size_bytes; });
    if (inside == tlbs.end()) continue;
    doubt(level, kLatency,
          fmt::format("a TLB of unknown page size reaches {}, which may add to the latency", format_bytes(inside->reach_bytes)));
  }
}

/// Walks of neighbours show a plateau that an edge before it hides.
void doubt_derived_latencies(PathLevels& path) {
  for (auto& level : path) {
    if (level.plateau || level.close_steps || level.latency_adopted) continue;
    doubt(level, kLatency, "its latency is derived from the edges around it");
  }
}

void doubt_noisy_latencies(PathLevels& path) {
  for (auto& level : path) {
    if (auto why = latency_uncertainty(level.latency_error, level.latency_cycles)) doubt(level, kLatency, std::move(*why));
  }
}

/// A TLB that no walk shows, because its reach ends in the first cache, slows random order down.
void doubt_translated_neighbours(PathLevels& path) {
  for (auto& level : path) {
    if (level.small_page_share < hierarchy_thresholds.latency_accuracy / 2) continue;
    doubt(level, kLatency,
          fmt::format("random order is slower for an unknown reason: small pages would add {:.1f} % to the latency",
                      100 * level.small_page_share));
  }
}

/// Without a plateau, the latency comes from the edges around it. Counted ways give the size.
void doubt_levels_behind_ranges(PathLevels& path) {
  for (std::size_t i = 1; i < path.size(); ++i) {
    if (path[i].plateau || size_width(path[i - 1]) <= hierarchy_thresholds.several_counts) continue;
    doubt(path[i], path[i].ways ? Figures(kLatency) : Figures(kSizeAndLatency),
          "it has no plateau, and the size of the level before is uncertain");
  }
}

void doubt_means(PathLevels& path) {
  for (auto& level : path) {
    if (level.uneven) doubt(level, kLatency, "its plateau is not flat, so another effect changes the latency");
    if (level.latency_doubtful) {
      doubt(level, kLatency, "an inner level fetches several nodes at once, so this latency is a mean");
    }
  }
}

}  // namespace

void doubt_levels(std::vector<PathLevels>& paths, std::span<const HierarchyTlb> tlbs) {
  doubt_lone_levels(paths);
  for (auto& path : paths) {
    doubt_levels_at_reaches(path, tlbs);
    doubt_levels_of_any_size(path);
    doubt_levels_behind(path);
    std::erase_if(path, [](const SeenLevel& level) { return level.exists < level_thresholds.least_confidence; });
  }
  doubt_unlike_latencies(paths);
  doubt_unlike_fetches(paths);
  doubt_unlike_ways(paths);
  for (auto& path : paths) {
    doubt_unasked_lines(path);
    doubt_early_edges(path);
    doubt_small_pages(path, tlbs);
    doubt_translated_neighbours(path);
    doubt_means(path);
    doubt_untold_translation(path, tlbs);
    doubt_derived_latencies(path);
    doubt_slight_counts(path);
    doubt_noisy_latencies(path);
    doubt_levels_behind_ranges(path);
  }
}

void doubt_adopted_figures(std::vector<PathLevels>& paths) {
  const std::vector<PathLevels> sources = paths;
  for (auto& path : paths) {
    for (auto& level : path) {
      if (level.size_from.empty()) continue;
      const auto source = std::find_if(sources.begin(), sources.end(), [&](const PathLevels& other) {
        return !other.empty() && other.front().path == level.size_from;
      });
      const auto cap = [&](double HierarchyLevel::*figure, const char* it_comes) {
        double most = 0;
        if (source != sources.end()) {
          for (const auto& other : *source) most = std::max(most, same_size(other, level) ? other.*figure : 0);
        }
        // Without that level, its doubts removed it.
        most = std::max(most, level_thresholds.least_confidence);
        if (level.*figure <= most) return;
        level.*figure = most;
        level.evidence.push_back(
            fmt::format("{} from the {} path, so it is no more certain than there", it_comes, level.size_from));
      };
      cap(&HierarchyLevel::confidence, "its size comes");
      if (level.latency_adopted) cap(&HierarchyLevel::latency_confidence, "its latency comes");
    }
  }
}

void doubt_geometry(std::vector<PathLevels>& paths) {
  for (auto& path : paths) {
    const SeenLevel* before = nullptr;
    for (auto& level : path) {
      if (level.sector_disputed) doubt(level, kSector, "walks over different footprints show different sectors");
      // The tests of lines begin at the sector, so a line as long as that may be shorter.
      const bool at_sector = level.line_bytes && level.line_bytes == level.sector_bytes;
      if (level.line_disputed || (level.sector_disputed && at_sector))
        doubt(level, kLine, "the tests of its line contradict each other, or random conflicts explain them");
      if (before && level.sector_at_most &&
          (before->sector_confidence < level.line_confidence || before->sector_confidence < level.sector_confidence)) {
        for (const auto figure : kLineAndSector) level.*figure = std::min(level.*figure, before->sector_confidence);
        level.evidence.push_back("the level before hides its sector, which is therefore no more certain");
      }
      before = &level;
      // Its size is a product of ways, sets and line, and no walk of neighbours shows the edge.
      if (level.ways && !level.close_steps && level.line_confidence < hierarchy_thresholds.doubted)
        doubt(level, kSizeAndWays, "its size comes from a line and ways that are doubtful");
    }
  }
}

void doubt_tlbs(std::vector<HierarchyTlb>& tlbs, std::span<const PathLevels> paths) {
  const bool any = std::any_of(paths.begin(), paths.end(), [](const PathLevels& path) {
    return !path.empty() && path.front().path == kClosestPath &&
           std::any_of(path.begin(), path.end(), [](const SeenLevel& level) { return !is_vague(level); });
  });
  if (any) return;
  for (auto& tlb : tlbs) {
    tlb.penalty_confidence *= hierarchy_thresholds.doubted;
    tlb.page_confidence *= hierarchy_thresholds.doubted;
    doubt(tlb, "its path has no cache of known size, so a cache may distort the TLB");
  }
}

}  // namespace percycle
