#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "device/device.hpp"

namespace percycle {

/// The words that a program writes: arrays of the same length, a multiple of kResultBlock.
struct ResultWords {
  std::uint32_t arrays = 1;
  std::uint32_t words = 0;   ///< of an array
  std::uint32_t stride = 0;  ///< from one array to the next
};

inline constexpr std::uint32_t kResultBlock = 256;

/// Adds up blocks of words on the device (kernel pair `result_sums`). Leaves the complement of each
/// word, so a store that the next run skips shows.
class ResultSums {
 public:
  /// Throws DeviceError.
  ResultSums(Device& device, const ResultWords& shape, std::shared_ptr<Buffer> words);

  /// The sum of each block. Throws DeviceError.
  std::vector<std::uint32_t> operator()(Device& device) const;

 private:
  std::shared_ptr<Buffer> sums_;
  Dispatch adding_;
};

/// The sum of each block of words, as the device adds them up. Pure.
std::vector<std::uint32_t> result_sums(const ResultWords& shape, std::span<const std::uint32_t> words);

/// Why this device cannot add up these words; empty if it can. Pure.
std::optional<std::string> result_unsupported(const DeviceInfo& device, const ResultWords& shape);

}  // namespace percycle
