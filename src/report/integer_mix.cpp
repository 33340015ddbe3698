#include "report/integer_mix.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace percycle {
namespace {

// The loop itself has a few, such as moves.
constexpr double kLeastShare = 1.0 / 16;

bool is_multiply_add(const std::string& name) { return name == "IMAD" || name.starts_with("IMAD."); }

}  // namespace

std::optional<IntegerMix> integer_mix(const Measurement& measurement) {
  if (!measurement.codegen || !measurement.codegen->counts) return std::nullopt;
  const CodeCounts& counts = *measurement.codegen->counts;
  const double few = kLeastShare * static_cast<double>(counts.alu);
  std::uint64_t multiply_adds = 0;
  std::uint64_t results = 0;
  for (const CodeInstruction& each : counts.instructions) {
    multiply_adds += is_multiply_add(each.name) ? each.count : 0;
    results += static_cast<double>(each.count) < few ? 0 : each.count;
  }
  if (counts.alu < multiply_adds || static_cast<double>(multiply_adds) < few) return std::nullopt;
  return IntegerMix{counts.alu - multiply_adds, multiply_adds, results};
}

std::optional<Limit> limit_of_mix(const Limit& int32, const IntegerMix& mix, const DeviceLimits& device_limits) {
  const Limit* const multiply = device_limits.find(Quantity::int32_mul, 0);
  if (multiply == nullptr) return std::nullopt;
  const auto additions = static_cast<double>(mix.additions);
  const auto multiply_adds = static_cast<double>(mix.multiply_adds);
  Limit limit = int32;
  limit.value = static_cast<double>(mix.results) / std::max(additions / int32.value, multiply_adds / multiply->value);
  return limit;
}

std::string to_text(const IntegerMix& mix) {
  return fmt::format("a turn of the loop has {} multiply-adds (IMAD) and {} other operations", mix.multiply_adds, mix.additions);
}

}  // namespace percycle
