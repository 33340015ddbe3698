#include <string>
#include <utility>

#include "expected/chain_parts.hpp"

namespace percycle::chain {
namespace {

constexpr const char* kSubgroup = "Subgroup";

bool is_negative(U x) { return (x >> 31) != 0; }

/// The bits of the lanes that have a negative value. A second word is not used.
U ballot(const LaneValues& x) {
  const U own_lanes = x.is_odd ? 0xaaaaaaaau : 0x55555555u;
  const U all = x.lanes < 32 ? (1u << x.lanes) - 1 : ~0u;
  return all & ((is_negative(x.own) ? own_lanes : 0) | (is_negative(x.neighbour) ? ~own_lanes : 0));
}

/// An operation of the subgroup. Its result is subtracted from the value before it.
ChainOperation of_subgroup(const char* name, const char* instruction, ChainNeed need, const char* text, ChainExchange exchange) {
  ChainExpression expression = int32(text, [](U x, U y, U) { return y - x; });
  expression.exchange = exchange;
  return {.name = std::string("subgroup-") + name,
          .group = kSubgroup,
          .instruction = instruction,
          .need = need,
          .expression = std::move(expression),
          .helper = difference(),
          .even_operand = kEven,
          .odd_operand = kOdd};
}

/// Likewise for results that are often 0: an operand keeps the chain moving.
ChainOperation with_operand(ChainOperation operation) {
  operation.expression.step = step<U>([](U x, U y, U c) { return y + c - x; });
  operation.helper = int32("(y) + (c) - (x)", [](U x, U y, U c) { return y + c - x; });
  return operation;
}

}  // namespace

std::vector<ChainOperation> group_operations() {
  std::vector<ChainOperation> all;
  all.push_back(of_subgroup("shuffle", "shuffle", ChainNeed::shuffle, "(y) - SHUFFLE((x), (c))",
                            [](const LaneValues& x) { return x.neighbour; }));
  all.back().neighbour_operand = true;
  all.push_back(of_subgroup("broadcast", "broadcast from lane 0", ChainNeed::broadcast, "(y) - BROADCAST(x)",
                            [](const LaneValues& x) { return x.is_odd ? x.neighbour : x.own; }));
  all.push_back(
      with_operand(of_subgroup("ballot", "compare and ballot", ChainNeed::ballot, "(y) + (c) - BALLOT_OF_NEGATIVE(x)", ballot)));
  all.push_back(
      with_operand(of_subgroup("vote", "compare, vote (any) and select", ChainNeed::vote, "(y) + (c) - ANY_NEGATIVE(x)",
                               [](const LaneValues& x) { return is_negative(x.own) || is_negative(x.neighbour) ? 1u : 0u; })));
  all.push_back(of_subgroup("reduce-add", "reduction (add)", ChainNeed::reduction, "(y) - REDUCE_ADD(x)",
                            [](const LaneValues& x) { return (x.own + x.neighbour) * (x.lanes / 2); }));
  all.back().pairs = kShortPairs;  // many instructions, where no instruction adds

  all.push_back({.name = "barrier",
                 .group = "Barrier",
                 .instruction = "barrier",
                 .need = ChainNeed::barrier,
                 .expression = int32("AFTER_BARRIER((y) - (x))", [](U x, U y, U) { return y - x; }),
                 .even_operand = kEven,
                 .odd_operand = kOdd,
                 .pairs = kShortPairs});
  // Operands of 0 remove the counter from the result. Only every second step needs the one before.
  all.push_back({.name = "clock-read",
                 .group = "Clock",
                 .instruction = "read and add",
                 .need = ChainNeed::clock,
                 .expression = int32("(y) + 0x9e3779b9u + (CLOCK() & (c))", [](U, U y, U) { return y + 0x9e3779b9u; }),
                 .pairs = kShortPairs});
  return all;
}

}  // namespace percycle::chain
