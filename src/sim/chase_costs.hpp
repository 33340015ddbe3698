#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "sim/model.hpp"
#include "sim/placed_walk.hpp"

namespace percycle::sim {

/// The settled average latencies of chases, each computed once: by formula if there is one, else by
/// simulation.
class ChaseCosts {
 public:
  /// `model` must outlive this.
  explicit ChaseCosts(const Model& model) : model_(model) {}

  /// For each of these simultaneous chases, in cycles per load. Valid until the next call.
  const std::vector<double>& averages(const std::vector<PlacedWalk>& walks);

 private:
  struct PricedWalks {
    std::vector<PlacedWalk> walks;
    std::vector<double> averages;
  };
  std::vector<double> found(std::span<const PlacedWalk> walks);

  const Model& model_;
  std::vector<PricedWalks> known_;  // a ring of the latest
  std::size_t oldest_ = 0;
  std::map<std::tuple<Replacement, std::uint64_t, std::uint64_t>, double> miss_shares_;
};

}  // namespace percycle::sim
