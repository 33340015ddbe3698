#include "expected/instruction_chain.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>

#include "expected/chain_parts.hpp"

namespace percycle {

std::vector<ChainOperation> chain::with_defaults(const ChainOperation& common, std::vector<ChainOperation> rows) {
  for (ChainOperation& row : rows) {
    if (row.group.empty()) row.group = common.group;
    row.type = common.type;
    if (row.start == ChainStart::odd) row.start = common.start;
    if (row.even_operand == 0) {
      row.even_operand = common.even_operand;
      row.odd_operand = common.odd_operand;
    }
    row.pairs = std::min(row.pairs, common.pairs);
  }
  return rows;
}

namespace {

using namespace chain;

/// Bits 32 to 63 of a 64-bit value that begins from a hash.
W upper_word(W h) { return (h * 0x9e3779b9u) & 0xffffffffu; }

std::uint64_t start_of(ChainType type, ChainStart start, std::uint32_t h) {
  const bool wide = type == ChainType::int64 || type == ChainType::fp64;
  switch (start) {
    case ChainStart::odd:
      if (type == ChainType::int16x2) return h | 0x10001u;
      if (type == ChainType::int16) return (h | 1u) & 0xffffu;
      if (type == ChainType::int8) return (h | 1u) & 0xffu;
      return wide ? (upper_word(h) << 32) | h | 1u : h | 1u;
    case ChainStart::positive:
      return (h >> 1) | 1u;
    case ChainStart::middle:
      return (h >> 16) | 0x8000u;
    case ChainStart::power:
      return 1u << (5 + (h >> 29));
    case ChainStart::one_to_two:
      if (type == ChainType::fp16) return 0x3c00u | (h >> 22);
      if (type == ChainType::fp16x2) return 0x3c003c00u | (h >> 22) | ((h & 0x3ffu) << 16);
      if (type == ChainType::bf16) return 0x3f80u | (h >> 25);
      if (type == ChainType::bf16x2) return 0x3f803f80u | (h >> 25) | ((h & 0x7fu) << 16);
      return wide ? W{0x3ff00000u | (h >> 12)} << 32 | h : 0x3f800000u | (h >> 9);
    case ChainStart::binary_power:
      return 0x3f800000u + ((h >> 29) << 23);
    case ChainStart::one_to_one_and_a_half:
      return (0x3c003c00u | (h & 0x01ff01ffu)) & (type == ChainType::fp16 ? 0xffffu : UINT32_MAX);
    case ChainStart::minus_one_to_minus_half:
      return wide ? W{0xbfe00000u | (h >> 12)} << 32 | h : 0xbf000000u | (h >> 9);
  }
  return 0;
}

std::string start_text(ChainType type, ChainStart start, const std::string& h) {
  const bool wide = type == ChainType::int64 || type == ChainType::fp64;
  switch (start) {
    case ChainStart::odd:
      if (type == ChainType::int16x2) return "AS_VALUE(" + h + " | 0x10001u, 0u)";
      if (type == ChainType::int16 || type == ChainType::int8) return "AS_VALUE(" + h + " | 1u, 0u)";
      return wide ? "AS_VALUE(" + h + " | 1u, " + h + " * 0x9e3779b9u)" : h + " | 1u";
    case ChainStart::positive:
      return "(" + h + " >> 1) | 1u";
    case ChainStart::middle:
      return "(" + h + " >> 16) | 0x8000u";
    case ChainStart::power:
      // The mask has all bits: a compiler that knew a power of two would avoid the division.
      return "(1u << (5u + (" + h + " >> 29))) ^ ~p.mask";
    case ChainStart::one_to_two:
      if (type == ChainType::fp16) return "AS_VALUE(0x3c00u | (" + h + " >> 22), 0u)";
      if (type == ChainType::fp16x2) return "AS_VALUE(0x3c003c00u | (" + h + " >> 22) | ((" + h + " & 0x3ffu) << 16), 0u)";
      if (type == ChainType::bf16) return "AS_VALUE(0x3f80u | (" + h + " >> 25), 0u)";
      if (type == ChainType::bf16x2) return "AS_VALUE(0x3f803f80u | (" + h + " >> 25) | ((" + h + " & 0x7fu) << 16), 0u)";
      return wide ? "AS_VALUE(" + h + ", 0x3ff00000u | (" + h + " >> 12))" : "AS_FLOAT(0x3f800000u | (" + h + " >> 9))";
    case ChainStart::binary_power:
      return "AS_FLOAT(0x3f800000u + ((" + h + " >> 29) << 23))";
    case ChainStart::one_to_one_and_a_half:
      return "AS_VALUE(0x3c003c00u | (" + h + " & 0x01ff01ffu), 0u)";
    case ChainStart::minus_one_to_minus_half:
      return wide ? "AS_VALUE(" + h + ", 0xbfe00000u | (" + h + " >> 12))" : "AS_FLOAT(0xbf000000u | (" + h + " >> 9))";
  }
  return {};
}

}  // namespace

const std::vector<ChainOperation>& chain_operations() {
  static const std::vector<ChainOperation> all = [] {
    std::vector<ChainOperation> joined;
    for (const auto& part : {integer_operations(), dot_operations(), single_operations(), special_operations(), long_operations(),
                             double_operations(), half_operations(), small_operations(), group_operations()}) {
      joined.insert(joined.end(), part.begin(), part.end());
    }
    for (ChainOperation& operation : joined) {
      if (operation.pairs == kLongPairs) operation.pairs = operation.has_helper() ? kHelpedPairs : kLongestPairs;
    }
    return joined;
  }();
  return all;
}

const ChainOperation* find_chain_operation(std::string_view name) {
  const auto& all = chain_operations();
  const auto found = std::find_if(all.begin(), all.end(), [&](const ChainOperation& one) { return one.name == name; });
  return found == all.end() ? nullptr : &*found;
}

std::pair<std::uint64_t, std::uint64_t> chain_begin(const ChainOperation& operation, std::uint32_t hash) {
  return {start_of(operation.type, operation.start, hash), start_of(operation.type, operation.start, hash * kChainMultiply)};
}

ChainEnd chain_end(const ChainOperation& operation, const ChainExpression& expression, const ChainRun& run) {
  struct Lane {
    std::uint32_t h = 0;
    std::uint64_t x = 0;
    std::uint64_t y = 0;
  };
  // The lane itself; if lanes exchange values, also its neighbour.
  std::vector<Lane> lanes{{run.start}};
  if (expression.exchange != nullptr) lanes.push_back({run.neighbour_start});
  const auto advance = [&](const ChainExpression& step, std::uint64_t operand) {
    const std::array before{lanes.front().x, lanes.back().x};
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      std::uint64_t x = before[i];
      if (step.exchange != nullptr) {
        x = step.exchange({.own = static_cast<std::uint32_t>(x),
                           .neighbour = static_cast<std::uint32_t>(before[1 - i]),
                           .is_odd = run.is_odd != (i == 1),
                           .lanes = run.lanes});
      }
      const std::uint64_t next = step.step(x, lanes[i].y, operand);
      lanes[i].y = std::exchange(lanes[i].x, next);
    }
  };
  const std::uint32_t first_helper = (run.pairs - run.helper_pairs) / 2;
  for (Lane& lane : lanes) lane.x = chain_begin(operation, lane.h).first;
  for (std::uint64_t turn = 0; turn < run.loops; ++turn) {
    for (Lane& lane : lanes) std::tie(lane.x, lane.y) = chain_begin(operation, lane.h);
    for (std::uint32_t pair = 0; pair < run.pairs; ++pair) {
      const bool helps = pair >= first_helper && pair < first_helper + run.helper_pairs;
      const ChainExpression& step_of_pair = helps ? operation.helper : expression;
      advance(step_of_pair, run.even_operand);
      advance(step_of_pair, run.odd_operand);
    }
    for (Lane& lane : lanes)
      lane.h = (lane.h ^ (folded(lane.x) & run.mask)) * kChainMultiply + (kChainAdd + static_cast<std::uint32_t>(turn));
  }
  return {lanes.front().h, lanes.front().x};
}

std::string chain_turn_text(std::uint32_t pairs, std::uint32_t helper_pairs) {
  std::string text;
  const auto add = [&](std::uint32_t count, const char* step) {
    for (std::uint32_t run = 1; run <= count; run *= 2) {
      if ((count & run) != 0) text += (text.empty() ? "RUN_" : " RUN_") + std::to_string(run) + "(" + step + ")";
    }
  };
  const std::uint32_t before = helper_pairs > 0 ? (pairs - helper_pairs) / 2 : 0;
  add(before, "OPERATION");
  add(helper_pairs, "HELPER");
  add(pairs - helper_pairs - before, "OPERATION");
  return text;
}

std::string chain_start_text(const ChainOperation& operation) { return start_text(operation.type, operation.start, "(h)"); }

std::string chain_other_text(const ChainOperation& operation) {
  return start_text(operation.type, operation.start, "((h) * 1664525u)");
}

std::uint32_t folded(std::uint64_t bits) { return static_cast<std::uint32_t>(bits ^ (bits >> 32)); }

double number_of(ChainType type, std::uint64_t bits) {
  if (type == ChainType::fp64) return value_of<double>(bits);
  if (type == ChainType::fp16) return to_double(value_of<Half>(bits));
  return value_of<float>(bits);
}

bool is_close(const ChainOperation& operation, std::uint64_t found, std::uint64_t expected) {
  if (operation.is_exact()) return found == expected;
  const double wanted = number_of(operation.type, expected);
  return std::abs(number_of(operation.type, found) - wanted) <= operation.tolerance * std::max(1.0, std::abs(wanted));
}

}  // namespace percycle
