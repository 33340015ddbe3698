#include "device/telemetry/amdgpu.hpp"

#include <fmt/format.h>

#include <utility>

#include "device/telemetry/conditions.hpp"
#include "device/telemetry/sysfs.hpp"

namespace percycle::telemetry {
namespace {

constexpr const char* kAmdgpuSource = "amdgpu sysfs";

std::optional<double> scaled(std::optional<double> value, double unit) { return value ? std::optional(*value * unit) : value; }

/// Drops a gated clock (0 MHz): no kernel runs then.
std::optional<double> if_running(std::optional<double> mhz) { return mhz && *mhz > 0 ? mhz : std::nullopt; }

class AmdgpuReader final : public Reader {
 public:
  AmdgpuReader(std::filesystem::path device, std::filesystem::path hwmon)
      : device_(std::move(device)), hwmon_(std::move(hwmon)) {}

  TelemetryReading read() override {
    // The marked level of pp_dpm_sclk is a target, not a clock.
    const auto mhz = if_running(scaled(read_number(hwmon_ / "freq1_input"), 1e-6));
    auto microwatts = read_number(hwmon_ / "power1_average");
    if (!microwatts) microwatts = read_number(hwmon_ / "power1_input");
    return {.clock_mhz = mhz,
            .power_w = scaled(microwatts, 1e-6),
            .temperature_c = scaled(read_number(hwmon_ / "temp1_input"), 1e-3)};
  }

  std::optional<double> energy_j() override { return scaled(read_number(hwmon_ / "energy1_input"), 1e-6); }

  Conditions conditions() override {
    Conditions found = sysfs_conditions(device_);
    const auto limit = scaled(read_number(hwmon_ / "power1_cap"), 1e-6);
    const auto usual = scaled(read_number(hwmon_ / "power1_cap_default"), 1e-6);
    if (limit && usual) add_power_limit(found, *limit, *usual);
    return found;
  }

 private:
  std::filesystem::path device_;
  std::filesystem::path hwmon_;
};

}  // namespace

FoundReader open_amdgpu(const DeviceInfo& device, const std::filesystem::path& sysfs_root) {
  const auto none = [](std::string reason) { return FoundReader{nullptr, kAmdgpuSource, std::move(reason)}; };
  if (!device.pci) return none("the driver does not report the device's PCI address");
  const auto folder = pci_folder(sysfs_root, *device.pci);
  const auto hwmon = subfolders(folder / "hwmon", "hwmon");
  auto reader = std::make_unique<AmdgpuReader>(folder, hwmon.empty() ? folder / "hwmon" : hwmon.front());
  if (reader->read().is_empty()) return none(fmt::format("{} shows no clock, power or temperature", folder.string()));
  return {.reader = std::move(reader), .source = kAmdgpuSource, .reason = {}};
}

}  // namespace percycle::telemetry
