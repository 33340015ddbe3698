#include "device/telemetry/intel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

#include "device/telemetry/sysfs.hpp"

namespace percycle::telemetry {
namespace {

using Moment = std::chrono::steady_clock::time_point;

/// The value of the first file that has a number, in units of `unit`.
std::optional<double> first_number(const std::filesystem::path& folder, std::initializer_list<const char*> files, double unit) {
  for (const char* file : files) {
    if (const auto value = read_number(folder / file)) return *value * unit;
  }
  return std::nullopt;
}

/// Power from a counter of energy, which refreshes too seldom for the time between two readings.
class PowerOfCounter {
 public:
  std::optional<double> watts(std::optional<double> joules, Moment now) {
    if (!joules) return std::nullopt;
    const double s = std::chrono::duration<double>(now - since_).count();
    if (joules_ && s < kSpanS) return watts_;
    watts_ = joules_ && *joules > *joules_ ? std::optional((*joules - *joules_) / s) : std::nullopt;
    joules_ = joules;
    since_ = now;
    return watts_;
  }

 private:
  static constexpr double kSpanS = 0.1;

  std::optional<double> joules_, watts_;
  Moment since_;
};

class IntelReader final : public Reader {
 public:
  IntelReader(std::filesystem::path device, std::vector<std::filesystem::path> clocks)
      : device_(std::move(device)), clocks_(std::move(clocks)) {
    for (const auto& folder : subfolders(device_ / "hwmon", "hwmon")) hwmon_ = folder;
  }

  TelemetryReading read() override {
    double fastest = 0;  // an idle GT reports 0
    for (const auto& clock : clocks_) fastest = std::max(fastest, read_number(clock).value_or(0));
    auto watts = first_number(hwmon_, {"power1_input"}, 1e-6);
    if (!watts) watts = power_.watts(energy_j(), std::chrono::steady_clock::now());
    return {.clock_mhz = fastest > 0 ? std::optional(fastest) : std::nullopt,
            .power_w = watts,
            .temperature_c = first_number(hwmon_, {"temp1_input", "temp2_input"}, 1e-3)};
  }

  std::optional<double> energy_j() override { return first_number(hwmon_, {"energy1_input", "energy2_input"}, 1e-6); }

  Conditions conditions() override { return sysfs_conditions(device_); }

 private:
  std::filesystem::path device_;
  std::filesystem::path hwmon_;
  std::vector<std::filesystem::path> clocks_;
  PowerOfCounter power_;
};

}  // namespace

FoundReader open_intel(const DeviceInfo& device, const std::filesystem::path& sysfs_root) {
  const auto none = [](const char* source, std::string reason) { return FoundReader{nullptr, source, std::move(reason)}; };
  if (!device.pci) return none("i915 or xe sysfs", "the driver does not report the device's PCI address");
  const auto folder = pci_folder(sysfs_root, *device.pci);

  std::vector<std::filesystem::path> clocks;
  const auto add = [&](const std::filesystem::path& file) {
    if (read_number(file)) clocks.push_back(file);
  };
  for (const auto& card : subfolders(folder / "drm", "card")) add(card / "gt_act_freq_mhz");
  if (!clocks.empty()) return {.reader = std::make_unique<IntelReader>(folder, clocks), .source = "i915 sysfs", .reason = {}};
  for (const auto& tile : subfolders(folder, "tile")) {
    const auto gts = subfolders(tile, "gt");
    if (!gts.empty()) add(gts.front() / "freq0" / "act_freq");
  }
  if (!clocks.empty()) return {.reader = std::make_unique<IntelReader>(folder, clocks), .source = "xe sysfs", .reason = {}};
  return none("i915 or xe sysfs", fmt::format("{} shows no clock", folder.string()));
}

}  // namespace percycle::telemetry
