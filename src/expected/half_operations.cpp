#include <cmath>
#include <string>
#include <utility>

#include "expected/chain_parts.hpp"

namespace percycle::chain {
namespace {

constexpr const char* kHalf = "Half Precision";
constexpr const char* kPacked = "Half Precision, packed";
// A quotient of 16 bits may be 2.5 ulp off (Vulkan), in each of 16 steps.
constexpr double kDivision = 1.0 / (1 << 5);

// Sums and products of these numbers are exact in 53 bits, so each operation rounds once.
Half sum(Half a, Half b) { return nearest_half(to_double(a) + to_double(b)); }
Half product(Half a, Half b) { return nearest_half(to_double(a) * to_double(b)); }
Half fused(Half a, Half b, Half c) { return nearest_half(std::fma(to_double(a), to_double(b), to_double(c))); }

std::uint64_t word_of(double value) { return nearest_half(value).bits; }

/// Values that tell an operation of numbers from 1 to 2.
struct HalfOperation {
  const char* name;
  double even;
  double odd;
  std::vector<std::string> labels;
  const char* text;
};

/// A scalar operation and its packed twin.
template <typename Function>
void add_scalar_and_packed(std::vector<ChainOperation>& all, const HalfOperation& row, Function function) {
  const ChainOperation common{.name = row.name,
                              .instruction = row.name,
                              .start = ChainStart::one_to_two,
                              .even_operand = word_of(row.even),
                              .odd_operand = word_of(row.odd),
                              .labels = row.labels};
  ChainOperation scalar = common;
  scalar.name = "fp16-" + common.name;
  scalar.group = kHalf;
  scalar.type = ChainType::fp16;
  scalar.expression = {row.text, step<Half>(function)};
  ChainOperation packed = common;
  packed.name = "fp16x2-" + common.name;
  packed.group = kPacked;
  packed.type = ChainType::fp16x2;
  packed.expression = {row.text, of_both<Half>(function)};
  packed.labels.clear();
  for (std::uint64_t* operand : {&packed.even_operand, &packed.odd_operand}) *operand |= *operand << 16;
  all.push_back(std::move(scalar));
  all.push_back(std::move(packed));
}

/// The number whose last bit differs. A driver may drop a conversion to 16 bits and back, but not
/// with an operation on the bits between both.
F neighbour_number(Half half) { return static_cast<F>(to_double(Half{static_cast<std::uint16_t>(half.bits ^ 1u)})); }

ChainExpression half_sum() {
  return expression<Half>("HADD((y), (x))", [](Half x, Half y, Half) { return sum(y, x); });
}

/// Minimum or maximum, added to the value before it: chains grow, but stay far below the largest
/// number.
ChainOperation extreme(const char* name, ChainExpression expression, double even, double odd) {
  return {.name = std::string("fp16-") + name,
          .group = kHalf,
          .instruction = name,
          .type = ChainType::fp16,
          .start = ChainStart::one_to_two,
          .need = ChainNeed::half_minimum,
          .expression = std::move(expression),
          .helper = half_sum(),
          .even_operand = word_of(even),
          .odd_operand = word_of(odd),
          .pairs = kShortPairs};
}

}  // namespace

std::vector<ChainOperation> half_operations() {
  std::vector<ChainOperation> all;
  // A pair of steps adds a quarter, so that a turn ends near 18.
  add_scalar_and_packed(all, {"add", 0.75, -0.5, {"add / sub", "HADD2"}, "HADD((x), (c))"},
                        [](Half x, Half, Half c) { return sum(x, c); });
  add_scalar_and_packed(all, {"mul", 1.0627451, 0.9, {"mul", "HMUL2"}, "HMUL((x), (c))"},
                        [](Half x, Half, Half c) { return product(x, c); });
  // Numbers grow by 1.07 a step, to some 6000 in a turn.
  const std::size_t fma = all.size();
  add_scalar_and_packed(all, {"fma", 0.1400, 0.1200, {"fma", "HFMA2"}, "HFMA((x), (c), (y))"},
                        [](Half x, Half y, Half c) { return fused(x, c, y); });
  const auto rounded_twice = [](Half x, Half y, Half c) { return sum(product(x, c), y); };
  all[fma].other_rounding = step<Half>(rounded_twice);
  all[fma + 1].other_rounding = of_both<Half>(rounded_twice);

  all.push_back(extreme("min",
                        expression<Half>("HADD((y), HMIN((x), (c)))",
                                         [](Half x, Half y, Half c) { return sum(y, to_double(x) < to_double(c) ? x : c); }),
                        1.5, 100));
  all.push_back(extreme("max",
                        expression<Half>("HADD((y), HMAX((x), (c)))",
                                         [](Half x, Half y, Half c) { return sum(y, to_double(x) > to_double(c) ? x : c); }),
                        1.5, 3));
  all.push_back({.name = "fp16-div",
                 .group = kHalf,
                 .instruction = "div",
                 .type = ChainType::fp16,
                 .start = ChainStart::one_to_two,
                 .need = ChainNeed::half_division,
                 .expression = expression<Half>("(c) / (x)",
                                                [](Half x, Half, Half c) { return nearest_half(to_double(c) / to_double(x)); }),
                 .even_operand = word_of(1.7),
                 .odd_operand = word_of(1.9),
                 .pairs = kShortPairs,
                 .tolerance = kDivision});

  const auto single = [](double value) { return bits_of(static_cast<F>(value)); };
  all.push_back(
      {.name = "fp32-to-fp16-and-back",
       .group = kConversions,
       .instruction = "fp32 to fp16 and back",
       .type = ChainType::fp32,
       .start = ChainStart::one_to_two,
       .need = ChainNeed::half,
       .expression = fp32("FROM_HALF(TO_HALF(x) ^ 1u) + (c)", [](F x, F, F c) { return neighbour_number(nearest_half(x)) + c; }),
       .helper = fp32("AS_FLOAT(AS_UINT(x) ^ 1u) + (c)", [](F x, F, F c) { return value_of<F>(bits_of(x) ^ 1u) + c; }),
       .helper_operations = 2,
       .other_rounding = step<F>([](F x, F, F c) { return neighbour_number(truncated_half(x)) + c; }),
       .even_operand = single(37.0123),
       .odd_operand = single(-35.0987),
       .pairs = kLongPairs / 2});
  return all;
}

}  // namespace percycle::chain
