#include <cstring>

#include "core/data_words.hpp"
#include "sim/emulations/emulations.hpp"

namespace percycle::sim {
namespace {

void fill(const Execution& run, MemoryModel&) {
  const std::uint64_t first = run.parameter("first_low") | std::uint64_t{run.parameter("first_high")} << 32;
  const std::uint64_t end = first + run.parameter("count");
  const std::uint32_t salt = run.parameter("salt");
  const auto bytes = run.bindings[0]->bytes();
  for (std::uint64_t i = first; i < end; ++i) {
    const std::uint32_t word = lowbias32(static_cast<std::uint32_t>(i) ^ salt);
    std::memcpy(bytes.data() + i * sizeof word, &word, sizeof word);
  }
}

const RegisterEmulation registered_fill("fill", fill);

}  // namespace
}  // namespace percycle::sim
