#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/data_words.hpp"
#include "device/device.hpp"

namespace percycle {

/// What each chunk of a filled buffer adds up to: 1, 3, 5 ... times each word, by its place in a vector of `channels` words, modulo 2^32.
/// The device reckons them from the hash (kernel pair `chunk_sums`), for there may be a thousand million words; the host does some of the
/// chunks again.
class ChunkSums {
 public:
  /// Of `chunks` chunks of `words` words each; `channels` is 1, 2 or 4. Throws DeviceError.
  ChunkSums(Device& device, const DataWords& data, std::uint32_t chunks, std::uint32_t words, std::uint32_t channels);

  /// Must have been run before values().
  const Dispatch& setup() const { return setup_; }
  /// By chunk. Empty when the host comes to another sum of any of the first, the last and some chunks in between. Throws DeviceError.
  std::vector<std::uint32_t> values(Device& device) const;

 private:
  DataWords data_;
  std::uint32_t chunks_;
  std::uint32_t words_;
  std::uint32_t channels_;
  std::shared_ptr<Buffer> sums_;
  Dispatch setup_;
};

}  // namespace percycle
