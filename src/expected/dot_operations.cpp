#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "expected/chain_parts.hpp"

namespace percycle::chain {
namespace {

using Wide = std::int64_t;

/// The sum of four products of 8-bit integers. All are exact in 64 bits.
template <typename First, typename Second>
Wide products(U x, U c) {
  Wide sum = 0;
  for (U byte = 0; byte < 32; byte += 8) sum += Wide{static_cast<First>(x >> byte)} * static_cast<Second>(c >> byte);
  return sum;
}

template <typename T>
U saturated(Wide sum) {
  using Limits = std::numeric_limits<T>;
  return static_cast<U>(std::clamp<Wide>(sum, Limits::min(), Limits::max()));
}

using S8 = std::int8_t;
using U8 = std::uint8_t;

}  // namespace

std::vector<ChainOperation> dot_operations() {
  struct Row {
    const char* name;
    const char* instruction;
    ChainNeed need;
    ChainExpression expression;
  };
  const std::vector<Row> rows{
      {"int32-dot4", "dot product of 4 x 8 bits, add", ChainNeed::dot,
       int32("DOT4((x), (c), (y))", [](U x, U y, U c) { return y + static_cast<U>(products<U8, U8>(x, c)); })},
      {"int32-dot4-signed", "dot product of 4 x 8 bits with signs, add", ChainNeed::dot,
       int32("DOT4_SIGNED((x), (c), (y))", [](U x, U y, U c) { return y + static_cast<U>(products<S8, S8>(x, c)); })},
      {"int32-dot4-mixed", "dot product of 4 x 8 bits, one with signs, add", ChainNeed::dot,
       int32("DOT4_MIXED((x), (c), (y))", [](U x, U y, U c) { return y + static_cast<U>(products<S8, U8>(x, c)); })},
      {"int32-dot4-saturating", "dot product of 4 x 8 bits, saturating add", ChainNeed::saturating_dot,
       int32("DOT4_SATURATING((x), (c), (y))", [](U x, U y, U c) { return saturated<U>(Wide{y} + products<U8, U8>(x, c)); })},
      {"int32-dot4-signed-saturating", "dot product of 4 x 8 bits with signs, saturating add", ChainNeed::saturating_dot,
       int32("DOT4_SIGNED_SATURATING((x), (c), (y))",
             [](U x, U y, U c) { return saturated<I>(Wide{static_cast<I>(y)} + products<S8, S8>(x, c)); })},
      {"int32-dot4-mixed-saturating", "dot product of 4 x 8 bits, one with signs, saturating add", ChainNeed::saturating_dot,
       int32("DOT4_MIXED_SATURATING((x), (c), (y))",
             [](U x, U y, U c) { return saturated<I>(Wide{static_cast<I>(y)} + products<S8, U8>(x, c)); })},
  };
  std::vector<ChainOperation> all;
  for (const Row& row : rows) {
    all.push_back({.name = row.name,
                   .group = kIntrinsics,
                   .instruction = row.instruction,
                   .need = row.need,
                   .expression = row.expression,
                   .even_operand = kEven,
                   .odd_operand = kOdd});
  }
  return all;
}

}  // namespace percycle::chain
