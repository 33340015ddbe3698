#include "measure/unit_count.hpp"

#include <algorithm>
#include <memory>

#include "measure/alu_chain.hpp"
#include "measure/time_source.hpp"

namespace percycle {
namespace {

constexpr std::uint32_t kMostUnits = 8192;
constexpr int kTries = 3;
constexpr double kSure = 0.95;
constexpr double kUnsure = 0.5;

constexpr std::uint32_t kMostLanes = 1024;
constexpr std::uint64_t kPairsOfCount = 128;
constexpr double kLongNs = 500e3;  // a launch is short beside it
constexpr std::uint32_t kFewLanes = 32;
constexpr double kFilled = 1.2;  // times the time of a chain of few lanes, which waits for itself

/// The time of `groups` work-groups in multiples of one's: disturbances only lengthen a dispatch.
double multiple(const TimeOfGroups& time, std::uint32_t groups) {
  double one = time(1);
  double all = time(groups);
  for (int i = 1; i < kTries; ++i) {
    one = std::min(one, time(1));
    all = std::min(all, time(groups));
  }
  return all / one;
}

/// Work-groups of `lanes` invocations.
class ChainGroups {
 public:
  ChainGroups(Device& device, std::uint32_t lanes)
      : device_(device),
        ends_(device.create(BufferDesc{std::uint64_t{lanes} * sizeof(std::uint32_t)})),
        kernel_(device.create(alu_chain_kernel(lanes, kPairsOfCount))) {}

  /// In nanoseconds; 0 if a result is wrong.
  double ns(std::uint32_t groups, std::uint64_t loops) const {
    const auto timing = run_alu_chain(device_, kernel_, ends_, kPairsOfCount, loops, groups);
    return timing ? timing->device_ns.value_or(timing->host_ns) : 0;
  }

 private:
  Device& device_;
  std::shared_ptr<Buffer> ends_;
  std::shared_ptr<Kernel> kernel_;
};

}  // namespace

std::optional<CountedUnits> count_units(const TimeOfGroups& time) {
  constexpr double kFirstStep = 1.5;
  constexpr double kSecondStep = 2.5;
  std::uint32_t many = 2;
  while (multiple(time, many) < kFirstStep) {
    if (many >= kMostUnits) return std::nullopt;
    many *= 2;
  }
  std::uint32_t count = many / 2;
  while (many - count > 1) {
    const std::uint32_t middle = (count + many) / 2;
    (multiple(time, middle) < kFirstStep ? count : many) = middle;
  }
  const bool is_sure = multiple(time, 2 * count) < kSecondStep && multiple(time, 2 * count + 1) > kSecondStep;
  return CountedUnits{count, is_sure ? kSure : kUnsure};
}

std::optional<CountedUnits> counted_units(Device& device) {
  const std::uint32_t lanes = std::min(kMostLanes, device.info().max_group_size);
  const std::uint64_t most = device.info().max_loop_iterations.value_or(UINT32_MAX);
  const ChainGroups whole(device, lanes);
  const ChainGroups few(device, std::min(lanes, kFewLanes));
  std::uint64_t loops = 1;
  double once = whole.ns(1, loops);
  while (once > 0 && once < kLongNs && 2 * loops <= most) once = whole.ns(1, loops *= 2);
  if (once <= 0) return std::nullopt;
  bool is_right = true;
  const auto timed = [&](const ChainGroups& groups) {
    return [&](std::uint32_t count) {
      const double ns = groups.ns(count, loops);
      is_right = is_right && ns > 0;
      return std::max(ns, 1.0);
    };
  };
  const auto of_few = timed(few);
  const auto of_whole = timed(whole);
  double least = of_few(1);
  double all = of_whole(1);
  for (int i = 1; i < kTries; ++i) {
    least = std::min(least, of_few(1));
    all = std::min(all, of_whole(1));
  }
  if (all < kFilled * least) return std::nullopt;
  const auto counted = count_units(of_whole);
  return is_right ? counted : std::nullopt;
}

}  // namespace percycle
