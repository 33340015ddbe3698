#include "sim/emulations/known_sums.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace percycle::sim::known_sums_test {
namespace {

using Sums = std::vector<std::uint32_t>;

class Counted final : public BoundMemory {
 public:
  explicit Counted(bool counts_changes) {
    if (counts_changes) note_change();
  }
  std::span<std::byte> bytes() override {
    note_change();
    return {};
  }
  std::span<const std::byte> contents() override { return {}; }
};

TEST_CASE("sums are computed once per question, until the memory changes") {
  Counted memory(true);
  std::uint32_t computed = 0;
  const auto ask = [&](const std::string& key) { return known_sums(memory, key, [&] { return Sums{++computed}; }); };
  CHECK(ask("a") == Sums{1});
  CHECK(ask("a") == Sums{1});
  CHECK(ask("b") == Sums{2});
  CHECK(ask("b") == Sums{2});
  memory.bytes();
  CHECK(ask("b") == Sums{3});
}

TEST_CASE("sums of a memory without a count of changes are computed each time") {
  const Counted memory(false);
  std::uint32_t computed = 0;
  for (std::uint32_t times = 1; times <= 2; ++times)
    CHECK(known_sums(memory, "a", [&] { return Sums{++computed}; }) == Sums{times});
}

}  // namespace
}  // namespace percycle::sim::known_sums_test
