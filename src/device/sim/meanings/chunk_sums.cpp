#include <cstring>

#include "core/data_words.hpp"
#include "device/sim/meanings/meanings.hpp"

namespace percycle::sim {

namespace {

enum Parameter { words, channels, chunks, salt };

}  // namespace

void chunk_sums(const Execution& run, MemoryModel&) {
  const auto sums = run.bindings[0]->bytes();
  for (std::uint32_t chunk = 0; chunk < run.parameters[chunks]; ++chunk) {
    std::uint32_t sum = 0;
    for (std::uint32_t i = 0; i < run.parameters[words]; ++i) {
      const std::uint32_t index = chunk * run.parameters[words] + i;
      sum += (2 * (i % run.parameters[channels]) + 1) * lowbias32(index ^ run.parameters[salt]);
    }
    std::memcpy(sums.data() + std::size_t{chunk} * sizeof sum, &sum, sizeof sum);
  }
}

}  // namespace percycle::sim
