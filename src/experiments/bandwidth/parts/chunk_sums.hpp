#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/data_words.hpp"
#include "device/device.hpp"

namespace percycle {

/// The sum of each chunk of a filled buffer, modulo 2^32: word i of a vector of `channels` words
/// counts 2 i + 1 times. The device computes the sums from the hash (kernel pair `chunk_sums`),
/// because there may be 10^9 words. The host checks some of them.
class ChunkSums {
 public:
  /// For `chunks` chunks with `words` words each; `channels` is 1, 2 or 4. Throws DeviceError.
  ChunkSums(Device& device, const DataWords& data, std::uint32_t chunks, std::uint32_t words, std::uint32_t channels);

  /// The caller runs this before values().
  const Dispatch& setup() const { return setup_; }
  /// The sum of each chunk. Empty if the host disagrees on the first, the last or one of some
  /// chunks in between. Throws DeviceError.
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
