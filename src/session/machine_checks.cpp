#include "session/machine_checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "device/identity.hpp"
#include "device/selector.hpp"
#include "limits/agreed_units.hpp"
#include "platform/host.hpp"

namespace percycle {
namespace {

// A quarter of the cores leaves one of four, which percycle itself needs.
constexpr double kBusy = 0.25;

/// One check for each card that an API shows more than once.
std::vector<DeviceCheck> duplicates(const Enumeration& enumeration, std::string_view host_cpu_name) {
  std::vector<DeviceCheck> checks;
  for (const Card& card : group_by_card(enumeration.devices, host_cpu_name)) {
    std::map<Api, std::vector<std::string>> names;
    for (const DeviceInfo& device : card.devices) names[device.api].push_back(selector(device));
    for (const auto& [api, same] : names) {
      if (same.size() > 1)
        checks.push_back({"duplicates", CheckVerdict::doubtful,
                          fmt::format("{} are one {}, so compare their figures as two drivers", fmt::join(same, " and "),
                                      card.devices.front().type == DeviceType::cpu ? "CPU" : "card")});
    }
  }
  return checks;
}

}  // namespace

DeviceCheck load_check(std::optional<double> busy) {
  if (!busy) return {kLoadCheck, CheckVerdict::missing, "the system does not say how busy it is"};
  const std::string text = fmt::format("{:.0f} % of the machine's {} cores are busy", *busy * 100, usable_cores());
  if (*busy < kBusy) return {kLoadCheck, CheckVerdict::good, text};
  return {kLoadCheck, CheckVerdict::doubtful, text + ": launches, the host's times and every figure of a CPU are too slow"};
}

std::vector<DeviceCheck> driver_checks(const Enumeration& enumeration, const std::vector<std::string>& closed,
                                       const std::vector<VisibilityMask>& masks, std::string_view host_cpu_name) {
  std::vector<DeviceCheck> checks;
  for (const EnumerationProblem& problem : enumeration.problems) {
    if (is_unit_contradiction(problem.message)) continue;  // a check of its devices
    checks.push_back(
        {"drivers", CheckVerdict::missing, fmt::format("{}: {}: {}", to_string(problem.api), problem.where, problem.message)});
  }
  if (!closed.empty()) {
    checks.push_back({"permissions", CheckVerdict::missing,
                      fmt::format("you may not open {}: join the groups render and video (usermod -aG render,video USER)",
                                  fmt::join(closed, ", "))});
  }
  const auto is_gpu = [](const DeviceInfo& device) { return device.type == DeviceType::gpu; };
  if (std::ranges::none_of(enumeration.devices, is_gpu)) {
    const std::string advice = mask_advice(masks);
    checks.push_back({"GPU", CheckVerdict::missing,
                      advice.empty()
                          ? "no driver shows a GPU: install its driver; a container needs the GPU's nodes of /dev, too "
                            "(docker run --gpus all, or --device /dev/dri)"
                          : "no driver shows a GPU; " + advice});
  }
  std::ranges::move(duplicates(enumeration, host_cpu_name), std::back_inserter(checks));
  return checks;
}

}  // namespace percycle
