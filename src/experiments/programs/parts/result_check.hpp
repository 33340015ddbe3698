#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/experiment.hpp"

namespace percycle {

/// The words that a program writes: arrays of the same length, a multiple of kResultBlock.
struct ResultWords {
  std::uint32_t arrays = 1;
  std::uint32_t words = 0;   ///< of an array
  std::uint32_t stride = 0;  ///< from one array to the next
};

inline constexpr std::uint32_t kResultBlock = 256;

/// Checks a program that writes the same words in every run. The first time the host compares them
/// all. Later the device adds up blocks of them (kernel pair `result_sums`), and the sums must be
/// those of the first time. A check leaves other words, so a store that the next run skips shows.
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
  std::shared_ptr<Buffer> sums_;
  Dispatch adding_;
  std::vector<std::uint32_t> expected_;  ///< sum of each block; empty before the first check
};

/// The sum of each block of words, as the device adds them up. Pure.
std::vector<std::uint32_t> result_sums(const ResultWords& shape, std::span<const std::uint32_t> words);

/// Why this device cannot check these words; empty if it can. Pure.
std::optional<std::string> result_unsupported(const DeviceInfo& device, const ResultWords& shape);

}  // namespace percycle
