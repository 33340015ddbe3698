#include "expected/instruction_stream.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "expected/chain_parts.hpp"
#include "expected/multiply_add_forms.hpp"

namespace percycle {
namespace {

using namespace chain;

// A product of both operands: 8 units in the last place less than 1.
constexpr double kSlowly = 1 - 1.0 / (1 << 21);

// Squares less a constant stay between -1.8 and 1.8, and neither settle nor come near to 0.
constexpr double kEvenSquare = -1.79;
constexpr double kOddSquare = -1.72;

/// Chains of 32-bit and 64-bit integers continue from turn to turn, because they wrap. Those of
/// fewer bits repeat their values after some turns, so they start again, as do four other kinds:
/// operations of many instructions, which settle; clz, which settles when no leading zeros are
/// left; sums that saturate; and operations of a subgroup, which count their turns by the hash.
bool is_lasting_integer(const ChainOperation& operation) {
  const bool is_integer = operation.type == ChainType::int32 || operation.type == ChainType::int64;
  return is_integer && operation.pairs > kShortPairs && operation.name != "int32-clz" &&
         operation.need != ChainNeed::saturating_dot && !operation.is_of_subgroup();
}

/// A sum with a constant instead of a sum of the last two values, which would overflow.
template <typename T>
void last_by_sum(ChainOperation& operation) {
  operation.expression = expression<T>("(x) + (c)", [](T x, T, T c) { return x + c; });
  operation.even_operand = bits_of(T{3.25});
  operation.odd_operand = bits_of(T{-3});
}

/// A difference with a constant instead of a difference of the last two values.
void last_by_difference(ChainOperation& operation) {
  operation.expression = fp32("(x) - (c)", [](F x, F, F c) { return x - c; });
  operation.even_operand = bits_of(3.25f);
  operation.odd_operand = bits_of(-3.0f);
}

template <typename T>
void last_by_product(ChainOperation& operation) {
  operation.even_operand = bits_of(T{1.5});
  operation.odd_operand = bits_of(static_cast<T>(kSlowly / 1.5));
}

/// x * x + c reads two registers. Three in one bank would take a cycle more.
template <typename T>
void last_by_square(ChainOperation& operation) {
  operation.expression = expression<T>("fma((x), (x), (c))", [](T x, T, T c) { return std::fma(x, x, c); });
  operation.other_rounding = step<T>([](T x, T, T c) {
    const volatile T square = x * x;
    return square + c;
  });
  operation.even_operand = bits_of(static_cast<T>(kEvenSquare));
  operation.odd_operand = bits_of(static_cast<T>(kOddSquare));
}

/// One 16-bit number, or two in a word.
void set_half_operands(ChainOperation& operation, double even, double odd) {
  const std::uint32_t both = is_packed(operation.type) ? 0x10001u : 1u;
  operation.even_operand = std::uint64_t{nearest_half(even).bits} * both;
  operation.odd_operand = std::uint64_t{nearest_half(odd).bits} * both;
}

/// x * x + c in 16-bit numbers, whose products and sums are exact in the 53 bits of a double.
void last_by_half_square(ChainOperation& operation) {
  const auto fused = [](Half x, Half, Half c) { return nearest_half(std::fma(to_double(x), to_double(x), to_double(c))); };
  const auto twice = [](Half x, Half, Half c) {
    return nearest_half(to_double(nearest_half(to_double(x) * to_double(x))) + to_double(c));
  };
  const bool packed = is_packed(operation.type);
  operation.start = ChainStart::one_to_one_and_a_half;
  operation.expression = {"HFMA((x), (x), (c))", packed ? of_both<Half>(fused) : step<Half>(fused)};
  operation.other_rounding = packed ? of_both<Half>(twice) : step<Half>(twice);
  set_half_operands(operation, kEvenSquare, kOddSquare);
}

/// Whether several chains in each lane make sense and a turn of many steps keeps its numbers.
bool has_stream(const ChainOperation& operation) {
  if (operation.need == ChainNeed::barrier || operation.need == ChainNeed::clock) return false;
  return operation.need != ChainNeed::half_minimum;  // their chains grow beyond 65504
}

std::vector<StreamOperation> all_operations() {
  static const std::map<std::string, void (*)(ChainOperation&)> lasting_forms{
      {"fp32-sub", last_by_difference}, {"fp32-add", last_by_sum<F>},      {"fp64-add", last_by_sum<D>},
      {"fp32-mul", last_by_product<F>}, {"fp64-mul", last_by_product<D>},  {"fp32-fma", last_by_square<F>},
      {"fp64-fma", last_by_square<D>},  {"fp16-fma", last_by_half_square}, {"fp16x2-fma", last_by_half_square},
  };
  std::vector<StreamOperation> all;
  for (const ChainOperation& operation : chain_operations()) {
    if (!has_stream(operation)) continue;
    all.push_back({.chain = operation, .lasting = is_lasting_integer(operation), .results = is_packed(operation.type) ? 2u : 1u});
    // Turns are longer than in a single chain.
    ChainOperation& chain = all.back().chain;
    chain.pairs = std::min(chain.pairs, chain.is_exact() ? kLongPairs : kShortPairs);
    // Divisors that double in two steps, or quotients that grow by 4, end in a division by 0.
    if (operation.name.ends_with("rem-regular")) chain.pairs = 2;
    if (operation.name.ends_with("div-regular")) chain.odd_operand = chain.even_operand;
    // A turn of eight times as many steps would leave the normal numbers.
    if (operation.name == "fp16-mul" || operation.name == "fp16x2-mul") set_half_operands(chain, 1.5, 0.6665);
    const auto form = lasting_forms.find(operation.name);
    if (form == lasting_forms.end()) continue;
    form->second(all.back().chain);
    all.back().lasting = true;
  }
  // Three inputs: no compiler can join two of them into one instruction.
  all.push_back({.chain = {.name = "int32-logic",
                           .group = {},
                           .instruction = {},
                           .expression = int32("((x) & (c)) ^ (y)", [](U x, U y, U c) { return (x & c) ^ y; }),
                           .even_operand = kEven,
                           .odd_operand = kOdd},
                 .lasting = true});
  all.push_back(*std::ranges::find(all, "int32-add", [](const StreamOperation& one) { return one.chain.name; }));
  all.back().chain.name += "-uniform";
  all.back().uniform = true;
  for (StreamOperation& form : multiply_add_forms()) all.push_back(std::move(form));
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

StreamEnd stream_end(const StreamOperation& operation, const ChainExpression& expression, const ChainRun& run) {
  const ChainOperation& chain = operation.chain;
  std::uint64_t last = 0;
  StreamEnd end;
  if (operation.lasting) {
    auto [x, y] = chain_begin(chain, run.start);
    for (std::uint64_t pair = 0; pair < run.loops * run.pairs; ++pair) {
      y = expression.step(x, y, run.even_operand);
      x = expression.step(y, x, run.odd_operand);
    }
    last = x;
    if (chain.is_exact()) end.word = folded(x);
  } else {
    const ChainEnd turns = chain_end(chain, expression, run);
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
