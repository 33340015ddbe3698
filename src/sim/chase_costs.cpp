#include "sim/chase_costs.hpp"

#include <algorithm>

#include "sim/chase_formula.hpp"
#include "sim/chase_simulation.hpp"
#include "sim/cyclic_misses.hpp"
#include "sim/row_formula.hpp"

namespace percycle::sim {
namespace {

// A point of a sweep repeats one or a few chases; the next point has others.
constexpr std::size_t kMostKnown = 32;

}  // namespace

const std::vector<double>& ChaseCosts::averages(const std::vector<PlacedWalk>& walks) {
  const auto known = std::find_if(known_.begin(), known_.end(), [&](const PricedWalks& one) { return one.walks == walks; });
  if (known != known_.end()) return known->averages;
  PricedWalks one{walks, found(walks)};
  if (known_.size() < kMostKnown) return known_.emplace_back(std::move(one)).averages;
  PricedWalks& replaced = known_[oldest_];
  oldest_ = (oldest_ + 1) % kMostKnown;
  replaced = std::move(one);
  return replaced.averages;
}

std::vector<double> ChaseCosts::found(std::span<const PlacedWalk> walks) {
  const auto miss_share = [this](Replacement replacement, std::uint64_t ways, std::uint64_t lines) {
    const auto [entry, is_new] = miss_shares_.try_emplace({replacement, ways, lines}, 0.0);
    if (is_new) entry->second = cyclic_miss_share(replacement, ways, lines);
    return entry->second;
  };
  if (walks.size() == 1 && !needs_simulation(model_)) {
    if (const auto average = chase_formula(model_, walks[0], miss_share)) return {*average};
    if (const auto average = row_formula(model_, walks[0])) return {*average};
  }
  return simulate_chases(model_, walks);
}

}  // namespace percycle::sim
