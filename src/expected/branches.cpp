#include "expected/branches.hpp"

#include <fmt/format.h>

#include <bit>

namespace percycle {
namespace {

// The golden ratio's bits, and an even distance between the addends of two sides.
constexpr std::uint32_t kFirstAddend = 0x9e3779b9u;
constexpr std::uint32_t kAddendStep = 0x3c6ef372u;

constexpr std::uint32_t addend(std::uint32_t side) { return kFirstAddend + side * kAddendStep; }

bool has_ands(std::uint32_t side) { return std::popcount(side) % 2 == 0; }

std::string side_text(std::uint32_t side, std::uint32_t operations) {
  const std::string pair = fmt::format("x = (x + {:#x}u) {};", addend(side), has_ands(side) ? "& p.and_mask" : "| p.or_mask");
  std::string text;
  for (std::uint32_t i = 0; i < operations / 2; ++i) text += (i == 0 ? "" : " ") + pair;
  return text;
}

}  // namespace

std::string BranchSides::text() const {
  if (operations == 0) {
    std::string sum = "x +=";
    for (std::uint32_t level = 0; level < depth; ++level) sum += fmt::format("{} TAKEN({})", level == 0 ? "" : " +", level);
    return sum + ";";
  }
  const auto part = [this](const auto& self, std::uint32_t level, std::uint32_t side) -> std::string {
    if (level == depth) return side_text(side, operations);
    return fmt::format("if (TAKEN({}) != 0u) {{ {} }} else {{ {} }}", level, self(self, level + 1, side | 1u << level),
                       self(self, level + 1, side));
  };
  return part(part, 0, 0);
}

std::uint32_t BranchSides::end(std::uint32_t start, std::uint32_t side, std::uint64_t turns) const {
  if (operations == 0) {
    std::uint32_t taken = 0;
    for (std::uint32_t level = 0; level < depth; ++level) taken += side >> level & 1u;
    return start + taken * static_cast<std::uint32_t>(turns);
  }
  const auto pairs = static_cast<std::uint32_t>(turns * (operations / 2));
  if (pairs == 0) return start;
  // Only the start may have the other parity. From then on each mask changes a sum by one.
  const std::uint32_t first = start + addend(side);
  if (has_ands(side)) return (first & kBranchAndMask) + (pairs - 1) * (addend(side) - 1);
  return (first | kBranchOrMask) + (pairs - 1) * (addend(side) + 1);
}

}  // namespace percycle
