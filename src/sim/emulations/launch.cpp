#include <cstring>

#include "sim/emulations/emulations.hpp"

namespace percycle::sim {
namespace {

void launch(const Execution& run, MemoryModel&) {
  const std::uint32_t factor = run.parameter("factor");
  const auto y = run.bindings[1]->bytes();
  if (run.is_defined("COUNT") || run.is_defined("STAMP")) {
    put_word(y, 0, word_at(y, 0) + run.groups);
  } else if (run.is_defined("MARK")) {
    for (std::uint32_t group = 0; group < run.groups; ++group) put_word(y, group, factor + group);
  } else {
    const auto x = run.bindings[0]->contents();
    const std::uint64_t words = std::uint64_t{run.groups} * run.kernel.local_size * run.number("WIDTH") / sizeof(std::uint32_t);
    for (std::uint64_t i = 0; i < words; ++i) put_word(y, i, factor * word_at(x, i) + word_at(y, i));
  }
}

const RegisterEmulation registered_launch("launch", launch);

}  // namespace
}  // namespace percycle::sim
