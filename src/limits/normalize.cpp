#include "limits/normalize.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace percycle {
namespace {

/// Further above the limit than rounding of doubles.
constexpr double kOver = 1 + 1e-9;

std::optional<double> product(std::optional<double> left, std::optional<double> right) {
  return left && right ? std::optional(*left * *right) : std::nullopt;
}

std::optional<double> quotient(std::optional<double> left, std::optional<double> right) {
  return left && right ? std::optional(*left / *right) : std::nullopt;
}

/// The cycles of all units per second, in 10^9.
std::optional<double> giga_unit_cycles(const MeasuredBandwidth& measured) {
  if (!measured.clock_mhz || !measured.units) return std::nullopt;
  return measured.clock_mhz->value / 1000 * measured.units->value;
}

struct RateLimits {
  std::optional<double> gb_s, bytes_per_unit_cycle;
};

RateLimits limits(const MeasuredBandwidth& measured) {
  if (!measured.limit) return {};
  const double value = measured.limit->value;
  switch (name_of(measured.limit->quantity).per) {
    case Per::unit_cycle:
      return {.gb_s = product(value, giga_unit_cycles(measured)), .bytes_per_unit_cycle = value};
    case Per::device_cycle: {
      const auto units = measured.units ? std::optional<double>(measured.units->value) : std::nullopt;
      const auto giga_cycles = measured.clock_mhz ? std::optional(measured.clock_mhz->value / 1000) : std::nullopt;
      return {.gb_s = product(value, giga_cycles), .bytes_per_unit_cycle = quotient(value, units)};
    }
    case Per::second:
      return {.gb_s = value, .bytes_per_unit_cycle = quotient(value, giga_unit_cycles(measured))};
    case Per::none:
      break;
  }
  throw std::invalid_argument(fmt::format("'{}' is no limit of a bandwidth", name_of(measured.limit->quantity).key));
}

}  // namespace

NormalizedBandwidth normalize(const MeasuredBandwidth& measured) {
  const auto divided = quotient(measured.gb_s, giga_unit_cycles(measured));
  const auto counted = measured.in_kernel_bytes_per_unit_cycle;
  const RateLimits limit = limits(measured);
  const bool per_second = measured.limit && name_of(measured.limit->quantity).per == Per::second;

  NormalizedBandwidth result;
  result.gb_s = measured.gb_s;
  result.bytes_per_unit_cycle = counted ? counted : divided;
  result.in_kernel = counted.has_value();
  result.limit_gb_s = limit.gb_s;
  result.limit_bytes_per_unit_cycle = limit.bytes_per_unit_cycle;
  result.clock_mhz = measured.clock_mhz;
  result.units = measured.units;
  if (measured.limit) result.limit_provenance = measured.limit->provenance;
  if (counted && divided) result.disagreement = *divided / *counted - 1;
  result.efficiency =
      per_second ? quotient(measured.gb_s, limit.gb_s) : quotient(result.bytes_per_unit_cycle, limit.bytes_per_unit_cycle);
  if (result.efficiency && *result.efficiency > kOver) {
    const bool by_clock = !per_second && !result.in_kernel;
    result.suspect = fmt::format("{:.6g} % of the limit: a wrong limit{} elided work", 100 * *result.efficiency,
                                 by_clock ? ", a wrong clock or unit count, or" : " or");
  }
  return result;
}

}  // namespace percycle
