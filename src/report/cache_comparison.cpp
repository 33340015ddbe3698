#include "report/cache_comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/units.hpp"

namespace percycle {
namespace {

// The accuracy of a size from a knee on real silicon.
constexpr double kAgreement = 0.12;
// A cache larger or smaller than a fact by this factor is another cache: levels of one path are
// rarely closer.
constexpr double kSameCache = 4;
// Configurations of one cache that a line lists; above it names the range.
constexpr std::size_t kListed = 6;

/// A cache from the measurements of all paths.
struct MeasuredCache {
  std::string name;
  std::set<std::string> paths;
  std::uint64_t size = 0;
  std::optional<std::uint64_t> near_bytes;  ///< for a cache in two partitions
  std::optional<std::uint64_t> line;
  std::optional<std::uint64_t> sector;

  std::string text() const { return fmt::format("{} {}", name, format_bytes(size)); }
};

/// Index and pointer form of an access use the same caches.
std::string access_path(const std::string& path) { return path == "global-index" ? "global" : path; }

bool ends_with(const std::string& text, std::string_view end) {
  return text.size() > end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// "L2" of "L2 near" and "L2 far".
std::string cache_name(const std::string& level) {
  for (const std::string_view part : {" near", " far"}) {
    if (ends_with(level, part)) return level.substr(0, level.size() - part.size());
  }
  return level;
}

/// Each cache once, in the order of the levels. If sizes differ, the size of path global counts,
/// else the first.
std::vector<MeasuredCache> measured_caches(const Hierarchy& hierarchy) {
  std::vector<MeasuredCache> caches;
  for (const HierarchyLevel& level : hierarchy.levels) {
    const std::string name = cache_name(level.name);
    auto cache = std::find_if(caches.begin(), caches.end(), [&](const auto& entry) { return entry.name == name; });
    if (cache == caches.end()) {
      cache = caches.emplace(caches.end());
      cache->name = name;
    }
    cache->paths.insert(access_path(level.path));
    if (ends_with(level.name, " near")) {
      if (!cache->near_bytes || level.path == "global") cache->near_bytes = level.size_bytes;
    } else if (cache->size == 0 || level.path == "global") {
      cache->size = level.size_bytes;
    }
    if (!cache->line) cache->line = level.line_bytes;
    if (!cache->sector) cache->sector = level.sector_bytes;
  }
  for (MeasuredCache& cache : caches) {
    // A near part without a far part on any path.
    if (cache.size == 0) cache.size = *cache.near_bytes;
  }
  return caches;
}

bool within(std::uint64_t measured, std::uint64_t listed) {
  const auto expected = static_cast<double>(listed);
  return std::abs(static_cast<double>(measured) - expected) <= kAgreement * expected;
}

bool agrees(const CacheFact& fact, std::uint64_t size) {
  return std::any_of(fact.sizes.begin(), fact.sizes.end(), [&](std::uint64_t listed) { return within(size, listed); });
}

/// The listed size with the ratio closest to 1.
std::uint64_t closest(const CacheFact& fact, std::uint64_t size) {
  const auto distance = [&](std::uint64_t listed) {
    return std::abs(std::log(static_cast<double>(listed) / static_cast<double>(size)));
  };
  return *std::min_element(fact.sizes.begin(), fact.sizes.end(),
                           [&](std::uint64_t a, std::uint64_t b) { return distance(a) < distance(b); });
}

double ratio(const CacheFact& fact, std::uint64_t size) {
  const double larger = static_cast<double>(size) / static_cast<double>(closest(fact, size));
  return std::max(larger, 1 / larger);
}

bool serves(const CacheFact& fact, const MeasuredCache& cache) {
  return std::any_of(fact.paths.begin(), fact.paths.end(), [&](const auto& path) { return cache.paths.contains(path); });
}

using Matches = std::map<const MeasuredCache*, const CacheFact*>;

bool matched(const Matches& matches, const CacheFact& fact) {
  return std::any_of(matches.begin(), matches.end(), [&](const auto& match) { return match.second == &fact; });
}

/// Matches the fact with the free cache on its paths that is `eligible` and that `better` puts
/// first.
template <typename Eligible, typename Better>
void match_best(Matches& matches, const CacheFact& fact, const std::vector<MeasuredCache>& caches, Eligible eligible,
                Better better) {
  const MeasuredCache* best = nullptr;
  for (const MeasuredCache& cache : caches) {
    if (matches.contains(&cache) || !serves(fact, cache) || !eligible(cache)) continue;
    if (best == nullptr || better(cache, *best)) best = &cache;
  }
  if (best != nullptr) matches[best] = &fact;
}

/// Matches measured caches with the catalogue's by size and path, because names differ (AMD's L0 is
/// the first visible level): first equal sizes, then caches that can only be the same although
/// their sizes differ.
Matches match(const std::vector<MeasuredCache>& caches, std::span<const CacheFact> facts) {
  Matches matches;
  for (const CacheFact& fact : facts) {
    match_best(
        matches, fact, caches, [&](const auto& cache) { return agrees(fact, cache.size); },
        [&](const auto& a, const auto& b) { return ratio(fact, a.size) < ratio(fact, b.size); });
  }
  for (const CacheFact& fact : facts) {
    if (matched(matches, fact)) continue;
    match_best(
        matches, fact, caches, [&](const auto& cache) { return ratio(fact, cache.size) <= kSameCache; },
        [&](const auto& a, const auto& b) { return ratio(fact, a.size) < ratio(fact, b.size); });
  }
  return matches;
}

/// "L2 2 MiB or 4 MiB", "L1 28 KiB to 256 KiB (10 sizes)".
std::string catalogue_text(const CacheFact& fact) {
  if (fact.sizes.size() > kListed)
    return fmt::format("{} {} to {} ({} sizes)", fact.name, format_bytes(fact.sizes.front()), format_bytes(fact.sizes.back()),
                       fact.sizes.size());
  std::string text = fact.name;
  for (std::size_t i = 0; i < fact.sizes.size(); ++i) {
    text += fmt::format("{}{}", i == 0 ? " " : i + 1 == fact.sizes.size() ? " or " : ", ", format_bytes(fact.sizes[i]));
  }
  return text;
}

std::string source_text(const CacheFact& fact) { return fmt::format("{}: {}", fact.source, fact.quoted); }

std::string near_note(const MeasuredCache& cache) {
  return cache.near_bytes ? fmt::format("{} of it are near", format_bytes(*cache.near_bytes)) : "";
}

std::string size_note(const MeasuredCache& cache, const CacheFact& fact) {
  const std::uint64_t listed = closest(fact, cache.size);
  if (!agrees(fact, cache.size)) {
    const double share = static_cast<double>(cache.size) / static_cast<double>(listed);
    return fmt::format("measured {:.0f} % {} than the catalogue's {}", 100 * std::abs(share - 1), share < 1 ? "less" : "more",
                       format_bytes(listed));
  }
  if (fact.sizes.size() > kListed) return fmt::format("the nearest size is {}", format_bytes(listed));
  return near_note(cache);
}

CacheComparison against_fact(const MeasuredCache& cache, const CacheFact& fact) {
  return {.subject = cache.name,
          .measured_bytes = cache.size,
          .measured = format_bytes(cache.size),
          .driver = std::nullopt,
          .catalogue = catalogue_text(fact),
          .source = source_text(fact),
          .verdict = agrees(fact, cache.size) ? Verdict::agrees : Verdict::differs,
          .note = size_note(cache, fact)};
}

/// A cache without an entry in the catalogue.
CacheComparison alone(const MeasuredCache& cache) {
  CacheComparison row;
  row.subject = cache.name;
  row.measured_bytes = cache.size;
  row.measured = format_bytes(cache.size);
  row.note = near_note(cache);
  return row;
}

CacheComparison not_found(const CacheFact& fact) {
  CacheComparison row;
  row.subject = fact.name;
  row.catalogue = catalogue_text(fact);
  row.source = source_text(fact);
  row.note = "not found by the measurement";
  return row;
}

/// Few sources distinguish lines and sectors, so either counts as agreement.
Verdict line_verdict(const MeasuredCache& cache, std::uint64_t line) {
  return line == cache.line || line == cache.sector ? Verdict::agrees : Verdict::differs;
}

std::string line_note(const MeasuredCache& cache, std::uint64_t line, std::string_view origin) {
  if (line == cache.line) return "";
  if (line == cache.sector) return fmt::format("the {}'s value is the size of a fetch, not the line", origin);
  return fmt::format("the {}'s {} is neither the measured line nor the size of a fetch", origin, format_bytes(line));
}

std::string line_text(const MeasuredCache& cache) {
  std::string text = format_bytes(*cache.line);
  if (cache.sector && cache.sector != cache.line) text += fmt::format(", {} fetched", format_bytes(*cache.sector));
  return text;
}

CacheComparison against_line(const MeasuredCache& cache, const CacheFact& fact) {
  return {.subject = cache.name + " line",
          .measured_bytes = cache.line,
          .measured = line_text(cache),
          .driver = std::nullopt,
          .catalogue = format_bytes(*fact.line),
          .source = source_text(fact),
          .verdict = line_verdict(cache, *fact.line),
          .note = line_note(cache, *fact.line, "catalogue")};
}

bool serves_data(const MeasuredCache& cache) { return cache.paths != std::set<std::string>{"constant"}; }

/// OpenCL's "global memory cache size" does not name the cache, and some drivers multiply it by the
/// units.
CacheComparison driver_cache(const std::vector<MeasuredCache>& measured, const DeviceInfo& device, const std::string& unit) {
  const std::uint64_t reported = *device.cache_bytes;
  CacheComparison row;
  row.subject = "driver's cache size";
  row.driver = format_bytes(reported);
  std::vector<MeasuredCache> caches;
  std::copy_if(measured.begin(), measured.end(), std::back_inserter(caches), serves_data);
  if (caches.empty()) {
    row.note = "no cache was measured";
    return row;
  }
  const auto found = [&](const MeasuredCache& cache, std::uint64_t size, std::string note) {
    row.measured_bytes = size;
    row.measured = fmt::format("{} {}", cache.name, format_bytes(size));
    row.verdict = Verdict::agrees;
    row.note = std::move(note);
    return row;
  };
  for (const MeasuredCache& cache : caches) {
    if (within(cache.size, reported)) return found(cache, cache.size, fmt::format("the driver means the {}", cache.name));
    if (cache.near_bytes && within(*cache.near_bytes, reported))
      return found(cache, *cache.near_bytes, fmt::format("the driver means the near part of the {}", cache.name));
  }

  const std::uint32_t units = device.units ? device.units->value : 1;
  const bool per_unit = units > 1 && reported % units == 0;
  const std::string product = per_unit ? fmt::format("{} x {}", units, format_bytes(reported / units)) : "";
  if (per_unit) {
    for (const MeasuredCache& cache : caches) {
      if (!within(cache.size, reported / units)) continue;
      return found(cache, cache.size, fmt::format("the driver adds up the {} of every {}: {}", cache.name, unit, product));
    }
  }
  std::string sizes;
  for (const MeasuredCache& cache : caches) sizes += (sizes.empty() ? "" : ", ") + cache.text();
  row.measured = sizes;
  row.verdict = Verdict::differs;
  row.note = per_unit ? fmt::format("no measured cache matches the driver's value, {}", product)
                      : "no measured cache matches the driver's value";
  return row;
}

CacheComparison driver_line(const std::vector<MeasuredCache>& caches, std::uint32_t reported) {
  CacheComparison row;
  row.subject = "driver's cache line";
  row.driver = format_bytes(reported);
  const auto first = std::find_if(caches.begin(), caches.end(), [](const auto& cache) { return cache.paths.contains("global"); });
  if (first == caches.end() || !first->line) {
    row.note = "no line of the first cache of global memory was measured";
    return row;
  }
  row.subject = fmt::format("driver's cache line, {}", first->name);
  row.measured_bytes = first->line;
  row.measured = line_text(*first);
  row.verdict = line_verdict(*first, reported);
  row.note = line_note(*first, reported, "driver");
  return row;
}

/// The driver reports a work-group's limit, the catalogue a unit's memory, which only bounds it.
CacheComparison local_memory(std::uint64_t reported, const CacheFact* fact, const std::string& unit) {
  CacheComparison row;
  row.subject = "local memory";
  if (reported != 0) row.driver = format_bytes(reported);
  if (fact != nullptr) {
    row.catalogue = catalogue_text(*fact);
    row.source = source_text(*fact);
  }
  row.note = "its size is not measured";
  if (reported == 0 || fact == nullptr) return row;
  if (std::find(fact->sizes.begin(), fact->sizes.end(), reported) != fact->sizes.end()) {
    row.verdict = Verdict::agrees;
  } else if (reported < fact->sizes.back()) {
    row.note = fmt::format("the driver reports the limit of one work-group, the catalogue the memory of the {}", unit);
  } else {
    row.verdict = Verdict::differs;
    row.note = fmt::format("the driver's limit of one work-group is above the catalogue's memory of the {}", unit);
  }
  return row;
}

/// The size of the first cache that the driver chose for the declared local memory.
CacheComparison against_split(const LocalSplit& split, const CacheFact& fact) {
  const std::uint64_t chosen = closest(fact, split.size_bytes);
  return {.subject = fmt::format("{} beside {} of local memory", fact.name, format_bytes(split.local_bytes)),
          .measured_bytes = split.size_bytes,
          .measured = format_bytes(split.size_bytes),
          .driver = std::nullopt,
          .catalogue = catalogue_text(fact),
          .source = source_text(fact),
          .verdict = agrees(fact, split.size_bytes) ? Verdict::agrees : Verdict::differs,
          .note = fmt::format("the nearest size of the list is {}", format_bytes(chosen))};
}

bool is_local(const CacheFact& fact) { return fact.paths == std::vector<std::string>{"local"}; }

}  // namespace

std::span<const Word<Verdict>> words(Verdict) {
  static constexpr Word<Verdict> kWords[]{
      {Verdict::agrees, "agrees"}, {Verdict::differs, "differs"}, {Verdict::not_comparable, "not comparable"}};
  return kWords;
}

std::string_view to_string(Verdict verdict) { return word_of(verdict); }

std::vector<CacheComparison> compare_caches(const Hierarchy& hierarchy, const Header& header, std::span<const CacheFact> facts) {
  const std::vector<MeasuredCache> caches = measured_caches(hierarchy);
  const Matches matches = match(caches, facts);
  std::vector<CacheComparison> rows;
  for (const MeasuredCache& cache : caches) {
    const auto found = matches.find(&cache);
    if (found == matches.end()) {
      rows.push_back(alone(cache));
      continue;
    }
    const CacheFact& fact = *found->second;
    rows.push_back(against_fact(cache, fact));
    if (fact.line && cache.line) rows.push_back(against_line(cache, fact));
  }
  for (const LocalSplit& split : hierarchy.local_splits) {
    const auto first = std::find_if(facts.begin(), facts.end(), [&](const CacheFact& fact) {
      return std::find(fact.paths.begin(), fact.paths.end(), access_path(split.path)) != fact.paths.end();
    });
    if (first != facts.end()) rows.push_back(against_split(split, *first));
  }
  const CacheFact* local = nullptr;
  for (const CacheFact& fact : facts) {
    if (is_local(fact)) {
      local = &fact;
    } else if (!matched(matches, fact)) {
      rows.push_back(not_found(fact));
    }
  }

  const DeviceInfo& device = header.device;
  const std::string unit = header.shown_unit();
  if (device.cache_bytes) rows.push_back(driver_cache(caches, device, unit));
  if (device.cache_line_bytes) rows.push_back(driver_line(caches, *device.cache_line_bytes));
  if (device.local_memory_bytes != 0 || local != nullptr) rows.push_back(local_memory(device.local_memory_bytes, local, unit));
  return rows;
}

std::vector<CacheComparison> compare_caches(const Hierarchy& hierarchy, const Header& header) {
  std::vector<CacheFact> facts;
  if (!header.simulated()) facts = cache_facts(header.architecture, header.device.name);
  return compare_caches(hierarchy, header, facts);
}

}  // namespace percycle
