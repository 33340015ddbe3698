#include "sim/cyclic_misses.hpp"

#include <map>
#include <numeric>

#include "core/random.hpp"
#include "sim/cache_state.hpp"

namespace percycle::sim {
namespace {

constexpr std::uint64_t kMostCounted = 65536;
constexpr std::uint64_t kSettlingLoads = 50'000;
constexpr std::uint64_t kCountedLoads = 100'000;
constexpr std::uint64_t kHopelessLoad = 16;  // times the ways

std::vector<SetLoad> evenly(std::uint64_t nodes, std::uint64_t sets) {
  const std::uint64_t fewer = nodes / sets;
  const std::uint64_t fuller_sets = nodes % sets;
  const auto share = [nodes](std::uint64_t lines, std::uint64_t of_sets) {
    return static_cast<double>(lines * of_sets) / static_cast<double>(nodes);
  };
  std::vector<SetLoad> loads;
  if (fewer > 0) loads.push_back({fewer, share(fewer, sets - fuller_sets)});
  if (fuller_sets > 0) loads.push_back({fewer + 1, share(fewer + 1, fuller_sets)});
  return loads;
}

std::vector<SetLoad> counted(const Cache& cache, std::uint64_t first_line, std::uint64_t lines_apart, std::uint64_t nodes) {
  std::vector<std::uint32_t> in_set(cache.sets());
  for (std::uint64_t node = 0; node < nodes; ++node) ++in_set[set_of(first_line + node * lines_apart, cache.sets(), cache.index)];
  std::map<std::uint64_t, std::uint64_t> sets_with;
  for (const std::uint32_t lines : in_set) {
    if (lines > 0) ++sets_with[lines];
  }
  std::vector<SetLoad> loads;
  for (const auto& [lines, sets] : sets_with) {
    loads.push_back({lines, static_cast<double>(lines * sets) / static_cast<double>(nodes)});
  }
  return loads;
}

/// Miss share of one set that evicts any of `ways` ways, or any but the one used last.
double played_miss_share(bool spare_last, std::uint64_t ways, std::uint64_t lines) {
  constexpr std::uint32_t kNone = UINT32_MAX;
  std::vector<std::uint32_t> way_of(lines, kNone);
  std::vector<std::uint32_t> line_in(ways);
  for (std::uint32_t way = 0; way < ways; ++way) way_of[way] = line_in[way] = way;
  SplitMix64 random(ways * 0x10001 + lines);
  std::uint64_t last = ways - 1;
  std::uint64_t misses = 0;
  auto line = static_cast<std::uint32_t>(ways);
  for (std::uint64_t load = 0; load < kSettlingLoads + kCountedLoads; ++load) {
    if (way_of[line] == kNone) {
      std::uint64_t way = ((random() >> 32) * (spare_last ? ways - 1 : ways)) >> 32;
      if (spare_last && way >= last) ++way;
      way_of[line_in[way]] = kNone;
      line_in[way] = line;
      way_of[line] = static_cast<std::uint32_t>(way);
      if (load >= kSettlingLoads) ++misses;
    }
    last = way_of[line];
    if (++line == lines) line = 0;
  }
  return static_cast<double>(misses) / static_cast<double>(kCountedLoads);
}

}  // namespace

std::vector<SetLoad> set_loads(const Cache& cache, std::uint64_t base, std::uint64_t stride, std::uint64_t nodes) {
  const std::uint64_t sets = cache.sets();
  const std::uint64_t first_line = base / cache.line_bytes;
  const std::uint64_t lines_apart = stride / cache.line_bytes;
  if (cache.index == SetIndex::modulo) return evenly(nodes, sets / std::gcd(sets, lines_apart));
  if (lines_apart == 1 && first_line % sets == 0) return evenly(nodes, sets);
  return nodes <= kMostCounted ? counted(cache, first_line, lines_apart, nodes) : evenly(nodes, sets);
}

double cyclic_miss_share(Replacement replacement, std::uint64_t ways, std::uint64_t lines) {
  if (lines <= ways) return 0;
  const bool chosen_at_random = replacement == Replacement::random || replacement == Replacement::not_mru;
  const std::uint64_t choices = replacement == Replacement::not_mru ? ways - 1 : ways;
  if (!chosen_at_random || choices == 0 || lines > kHopelessLoad * ways) return 1;
  return played_miss_share(replacement == Replacement::not_mru, ways, lines);
}

}  // namespace percycle::sim
