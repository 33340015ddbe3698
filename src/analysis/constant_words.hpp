#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/measurement.hpp"

namespace percycle {

/// Loads of a chain through constant memory by the number of distinct words that the lanes request,
/// from experiment `constant-words`.
struct ConstantWords {
  std::uint64_t bytes = 0;  ///< of the chain
  std::uint64_t most_words = 0;
  bool in_cycles = true;    ///< the times are cycles, else ns
  double one_word = 0;      ///< time of a load
  double most = 0;          ///< with most_words
  double each_further = 0;  ///< of each further word: the slope of a straight line
  /// Largest distance from that line, as a share of `most`: the time does not grow evenly.
  double unevenness = 0;
};

/// One entry for each chain with at least three counts of words, ascending in bytes. Pure.
std::vector<ConstantWords> read_constant_words(std::span<const PointResult> results);

}  // namespace percycle
