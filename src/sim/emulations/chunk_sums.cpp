#include <cstring>

#include "core/data_words.hpp"
#include "sim/emulations/emulations.hpp"

namespace percycle::sim {
namespace {

void chunk_sums(const Execution& run, MemoryModel&) {
  const std::uint32_t words = run.parameter("words");
  const std::uint32_t channels = run.parameter("channels");
  const std::uint32_t chunks = run.parameter("chunks");
  const std::uint32_t salt = run.parameter("salt");
  const auto sums = run.bindings[0]->bytes();
  for (std::uint32_t chunk = 0; chunk < chunks; ++chunk) {
    std::uint32_t sum = 0;
    for (std::uint32_t i = 0; i < words; ++i) {
      const std::uint32_t index = chunk * words + i;
      sum += (2 * (i % channels) + 1) * lowbias32(index ^ salt);
    }
    std::memcpy(sums.data() + std::size_t{chunk} * sizeof sum, &sum, sizeof sum);
  }
}

const RegisterEmulation registered_chunk_sums("chunk_sums", chunk_sums);

}  // namespace
}  // namespace percycle::sim
