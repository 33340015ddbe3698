#include "sim/emulations/emulations.hpp"

namespace percycle::sim {
namespace {

void result_sums(const Execution& run, MemoryModel&) {
  const std::uint32_t size = run.kernel.local_size;
  const std::uint32_t arrays = run.parameter("arrays");
  const std::uint32_t stride = run.parameter("stride");
  const auto words = run.bindings[0]->bytes();
  const auto sums = run.bindings[1]->bytes();
  for (std::uint32_t group = 0; group < run.groups; ++group) {
    std::uint32_t sum = 0;
    for (std::uint32_t array = 0; array < arrays; ++array) {
      for (std::uint32_t lane = 0; lane < size; ++lane) {
        const std::uint64_t at = std::uint64_t{array} * stride + std::uint64_t{group} * size + lane;
        sum += (2 * array + 1) * (2 * lane + 1) * word_at(words, at);
        put_word(words, at, ~word_at(words, at));
      }
    }
    put_word(sums, group, sum);
  }
}

const RegisterEmulation registered_result_sums("result_sums", result_sums);

}  // namespace
}  // namespace percycle::sim
