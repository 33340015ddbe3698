#include "device/telemetry/intel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "device/telemetry/sysfs.hpp"

namespace percycle::telemetry {
namespace {

class IntelReader final : public Reader {
 public:
  IntelReader(std::filesystem::path device, std::vector<std::filesystem::path> clocks)
      : device_(std::move(device)), clocks_(std::move(clocks)) {}

  TelemetryReading read() override {
    double fastest = 0;  // an idle GT reports 0
    for (const auto& clock : clocks_) fastest = std::max(fastest, read_number(clock).value_or(0));
    return {.clock_mhz = fastest > 0 ? std::optional(fastest) : std::nullopt, .power_w = {}, .temperature_c = {}};
  }

  Conditions conditions() override { return sysfs_conditions(device_); }

 private:
  std::filesystem::path device_;
  std::vector<std::filesystem::path> clocks_;
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
    for (const auto& gt : subfolders(tile, "gt")) add(gt / "freq0" / "act_freq");
  }
  if (!clocks.empty()) return {.reader = std::make_unique<IntelReader>(folder, clocks), .source = "xe sysfs", .reason = {}};
  return none("i915 or xe sysfs", fmt::format("{} shows no clock", folder.string()));
}

}  // namespace percycle::telemetry
