#include "expected/instruction_stream.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>

#include "expected/half.hpp"

namespace percycle {
namespace {

constexpr std::uint32_t kStreamEven = 0xc2b2ae34u;  // as many ones as zeros
constexpr std::uint32_t kStreamOdd = 0x27d4eb2fu;
// A product of both operands: 8 units in the last place less than 1.
constexpr double kSlowly = 1 - 1.0 / (1 << 21);

template <typename T>
std::uint64_t number_bits(T value) {
  if constexpr (sizeof value == 4) return std::bit_cast<std::uint32_t>(value);
  return std::bit_cast<std::uint64_t>(static_cast<double>(value));
}

template <typename T>
T bits_number(std::uint64_t bits) {
  if constexpr (sizeof(T) == 4) return std::bit_cast<T>(static_cast<std::uint32_t>(bits));
  return static_cast<T>(std::bit_cast<double>(bits));
}

template <typename T>
std::uint64_t sum_step(std::uint64_t x, std::uint64_t, std::uint64_t c) {
  return number_bits<T>(bits_number<T>(x) + bits_number<T>(c));
}

std::uint64_t masked_xor(std::uint64_t x, std::uint64_t y, std::uint64_t c) { return (x & c) ^ y; }

double low_half(std::uint64_t bits) { return half_value(static_cast<std::uint16_t>(bits)); }

/// Exact until it is rounded: doubles are wide enough.
std::uint16_t half_fma(std::uint64_t x, std::uint64_t c, std::uint64_t y) {
  return half_bits(low_half(x) * low_half(c) + low_half(y));
}

std::uint16_t half_product_and_sum(std::uint64_t x, std::uint64_t c, std::uint64_t y) {
  return half_bits(half_value(half_bits(low_half(x) * low_half(c))) + low_half(y));
}

template <std::uint16_t (*step)(std::uint64_t, std::uint64_t, std::uint64_t)>
std::uint64_t of_both_halves(std::uint64_t x, std::uint64_t y, std::uint64_t c) {
  return std::uint64_t{step(x >> 16, c >> 16, y >> 16)} << 16 | step(x, c, y);
}

std::uint64_t both_halves(double value) {
  const std::uint64_t half = half_bits(value);
  return half << 16 | half;
}

/// Chains of integers wrap and an fma rotates. The other floating-point steps leave their range
/// within a few turns. Operations of many instructions settle, and so do leading zeros at none.
bool lasts(const ChainOperation& operation) {
  constexpr std::uint32_t kPairsOfManyInstructions = 8;
  const bool whole = operation.type == ChainType::int32 || operation.type == ChainType::int64;
  if (!whole) return operation.name.ends_with("-fma");
  return operation.pairs > kPairsOfManyInstructions && operation.name != "int32-clz";
}

/// A sum with a constant instead of a sum of the last two values, which would overflow.
template <typename T>
void last_by_sum(ChainOperation& operation) {
  operation.expression = {{}, "(x) + (c)", sum_step<T>};
  operation.even_operand = number_bits(T{3.25});
  operation.odd_operand = number_bits(T{-3});
}

template <typename T>
void last_by_product(ChainOperation& operation) {
  operation.even_operand = number_bits(T{1.5});
  operation.odd_operand = number_bits(static_cast<T>(kSlowly / 1.5));
}

std::vector<StreamOperation> all_operations() {
  std::vector<StreamOperation> all;
  for (const ChainOperation& operation : chain_operations()) {
    all.push_back({.chain = operation, .lasting = lasts(operation)});
    ChainOperation& chain = all.back().chain;
    all.back().lasting |=
        chain.name == "fp32-add" || chain.name == "fp64-add" || chain.name == "fp32-mul" || chain.name == "fp64-mul";
    if (chain.name == "fp32-add") last_by_sum<float>(chain);
    if (chain.name == "fp64-add") last_by_sum<double>(chain);
    if (chain.name == "fp32-mul") last_by_product<float>(chain);
    if (chain.name == "fp64-mul") last_by_product<double>(chain);
  }
  // Three inputs: no compiler can join two of them into one instruction.
  all.push_back({.chain = {.name = "int32-logic",
                           .group = {},
                           .instruction = {},
                           .expression = {{}, "((x) & (c)) ^ (y)", masked_xor},
                           .even_operand = kStreamEven,
                           .odd_operand = kStreamOdd},
                 .lasting = true});
  // Large, so that no difference of two is below the normal numbers.
  all.push_back({.chain = {.name = "fp16-fma",
                           .group = {},
                           .instruction = {},
                           .type = ChainType::fp16x2,
                           .start = ChainStart::thousands,
                           .expression = {{}, "PACKED_FMA((x), (c), (y))", of_both_halves<half_fma>},
                           .other_rounding = of_both_halves<half_product_and_sum>,
                           .even_operand = both_halves(-0.7),
                           .odd_operand = both_halves(0.9)},
                 .lasting = true,
                 .results = 2});
  return all;
}

}  // namespace

const std::vector<StreamOperation>& stream_operations() {
  static const std::vector<StreamOperation> all = all_operations();
  return all;
}

const StreamOperation* find_stream_operation(std::string_view name) {
  const auto& all = stream_operations();
  const auto found = std::ranges::find(all, name, [](const StreamOperation& one) { return one.chain.name; });
  return found == all.end() ? nullptr : &*found;
}

StreamEnd stream_end(const StreamOperation& operation, ChainStep step, const ChainRun& run) {
  const ChainOperation& chain = operation.chain;
  std::uint64_t last = 0;
  StreamEnd end;
  if (operation.lasting) {
    auto [x, y] = chain_begin(chain, run.start);
    for (std::uint64_t pair = 0; pair < run.loops * run.pairs; ++pair) {
      y = step(x, y, run.even_operand);
      x = step(y, x, run.odd_operand);
    }
    last = x;
    if (chain.is_exact()) end.word = folded(x);
  } else {
    const ChainEnd turns = chain_end(chain, step, run);
    last = turns.value;
    end.word = turns.hash;
  }
  if (!chain.is_exact()) end.number = number_of(chain.type, last);
  return end;
}

StreamEnd lane_end(const std::vector<StreamEnd>& chains) {
  StreamEnd lane;
  std::uint32_t factor = 1;
  for (const StreamEnd& chain : chains) {
    lane.word += factor * chain.word;
    lane.number += chain.number;
    factor += 2;
  }
  return lane;
}

}  // namespace percycle
