#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "experiments/common/result_sums.hpp"
#include "experiments/experiment.hpp"

namespace percycle {

/// Checks a program that writes the same words in every run. The first time the host compares them
/// all. Later the device adds up blocks of them, and the sums must be those of the first time.
class ResultCheck {
 public:
  /// Says why the words of the result are wrong; `ok` if they are right.
  using Comparison = std::function<Outcome(std::span<const std::uint32_t> words)>;

  /// Throws DeviceError.
  ResultCheck(Device& device, const ResultWords& shape, std::shared_ptr<Buffer> result, Comparison compare);

  Outcome operator()(Device& device, std::uint64_t loops);

 private:
  ResultWords shape_;
  Comparison compare_;
  std::shared_ptr<Buffer> result_;
  ResultSums sums_;
  std::vector<std::uint32_t> expected_;  ///< sum of each block; empty before the first check
};

}  // namespace percycle
