#include <cstring>

#include "core/data_words.hpp"
#include "device/sim/meanings/meanings.hpp"

namespace percycle::sim {

namespace {

enum Parameter { first_low, first_high, count, salt };

}  // namespace

void fill(const Execution& run, MemoryModel&) {
  const std::uint64_t first = run.parameters[first_low] | std::uint64_t{run.parameters[first_high]} << 32;
  const auto bytes = run.bindings[0]->bytes();
  for (std::uint64_t i = first; i < first + run.parameters[count]; ++i) {
    const std::uint32_t word = lowbias32(static_cast<std::uint32_t>(i) ^ run.parameters[salt]);
    std::memcpy(bytes.data() + i * sizeof word, &word, sizeof word);
  }
}

}  // namespace percycle::sim
