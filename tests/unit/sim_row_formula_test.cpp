#include <doctest/doctest.h>

#include "core/random.hpp"
#include "sim/chase_simulation.hpp"
#include "sim/row_formula.hpp"
#include "sim_examples.hpp"

namespace percycle::sim::sim_row_formula_test {
namespace {

PlacedWalk rows(std::uint64_t count, std::uint64_t columns, std::uint64_t row_stride, std::uint64_t together = 1) {
  const ChainLayout layout{.stride_bytes = 128, .columns = columns, .row_stride_bytes = row_stride, .pointers = true};
  return {{},
          MemoryPath::global,
          std::uint64_t{1} << 32,
          {Chain(count * columns, ChainOrder::random, 5, columns * together), layout}};
}

TEST_CASE("sim rows: counts set by set equal the caches' result load by load") {
  SplitMix64 random(3);
  int compared = 0;
  for (int round = 0; round < 60; ++round) {
    const Model model = examples::small();
    const std::uint64_t columns = std::uint64_t{1} << (random() % 4);
    const auto walk = rows(2 + random() % 24, columns, (std::uint64_t{1} << (random() % 6)) * 128 * columns);
    const auto counted = row_formula(model, walk);
    if (!counted) continue;
    CHECK(*counted == doctest::Approx(simulate_chases(model, {&walk, 1}).front()).epsilon(1e-9));
    ++compared;
  }
  CHECK(compared > 20);
}

TEST_CASE("sim rows: the formula refuses other policies and plain rows") {
  Model model = examples::small();
  CHECK(row_formula(model, rows(4, 4, 4096)));
  PlacedWalk plain = rows(4, 4, 4096);
  plain.image.layout.columns = 0;
  CHECK_FALSE(row_formula(model, plain));
  model.caches[0].replacement = Replacement::random;
  CHECK_FALSE(row_formula(model, rows(4, 4, 4096)));
}

}  // namespace
}  // namespace percycle::sim::sim_row_formula_test
