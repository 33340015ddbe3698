#pragma once

#include <array>
#include <cstdint>

#include "core/random.hpp"
#include "sim/model.hpp"

namespace percycle::simtest {

/// Draws the figures of a model. Equal seeds draw equal figures.
class ModelDraw {
 public:
  explicit ModelDraw(std::uint64_t seed) : random_(seed) {}

  std::uint64_t operator()() { return random_(); }

  template <typename... Values>
  auto one_of(Values... values) {
    const std::array all{values...};
    return all[random_() % all.size()];
  }

  double between(double low, double high) { return low + (high - low) * (static_cast<double>(random_() >> 11) * 0x1p-53); }

 private:
  SplitMix64 random_;
};

// Bytes between nodes in walks on a GPU.
inline constexpr std::uint64_t kWalkStride = 128;

/// Nodes of a walk that a cache holds. Shorter lines of hashed sets fill the gaps between nodes.
inline double walk_nodes(const sim::Cache& cache) {
  const bool fills_gaps = cache.index == sim::SetIndex::hashed && cache.line_bytes < kWalkStride;
  return static_cast<double>(cache.size_bytes / (fills_gaps ? cache.line_bytes : kWalkStride));
}

}  // namespace percycle::simtest
