#include "measure/counter.hpp"

#include <cmath>

namespace percycle {
namespace {

constexpr double kRateTolerance = 0.005;
constexpr double kSlowestCoreGhz = 0.2;

bool is_close(double rate, double reference) { return std::abs(rate / reference - 1) < kRateTolerance; }

}  // namespace

CounterKind classify_counter(double ticks_per_ns, const DeviceInfo& device) {
  // A CPU's driver gives its kernels a clock, not a core's counter: lavapipe's is
  // os_time_get_nano(), which the ends of a disturbed sample can make look like a core at 995 MHz.
  if (device.type == DeviceType::cpu && device.model.empty()) return CounterKind::fixed_rate;
  const bool timer_rate = device.timer_period_ns && is_close(ticks_per_ns, 1 / *device.timer_period_ns);
  if (timer_rate || is_close(ticks_per_ns, 1) || ticks_per_ns < kSlowestCoreGhz) return CounterKind::fixed_rate;
  return CounterKind::cycles;
}

std::optional<std::uint64_t> elapsed_ticks(std::uint64_t begin, std::uint64_t end) {
  if (end >= begin) return end - begin;
  constexpr std::uint64_t k32Bits = std::uint64_t{1} << 32;
  if (begin < k32Bits) return end + k32Bits - begin;
  return std::nullopt;
}

std::int64_t ticks_between(std::uint64_t from, std::uint64_t to) {
  constexpr std::uint64_t k32Bits = std::uint64_t{1} << 32;
  if (from < k32Bits || to < k32Bits) return static_cast<std::int32_t>(static_cast<std::uint32_t>(to - from));
  return static_cast<std::int64_t>(to - from);
}

}  // namespace percycle
