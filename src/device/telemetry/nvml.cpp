#include "device/telemetry/nvml.hpp"

#include <fmt/format.h>

#include <utility>

#include "platform/library.hpp"

namespace percycle::telemetry {
namespace {

constexpr const char* kNvmlSource = "NVML";

// NVML API Reference Guide: nvmlReturn_t, nvmlClockType_t (of the SMs), nvmlTemperatureSensors_t (of the die).
constexpr int kSuccess = 0;
constexpr int kClockSm = 1;
constexpr int kTemperatureGpu = 0;

Found none(std::string reason) { return {.reader = nullptr, .source = kNvmlSource, .reason = std::move(reason)}; }

/// `get` of what NVML counts in units of `unit`; absent where it fails.
template <typename Get>
std::optional<double> number(double unit, const Get& get) {
  unsigned value = 0;
  if (get(&value) != kSuccess) return std::nullopt;
  return value * unit;
}

class NvmlReader final : public Reader {
 public:
  NvmlReader(const NvmlFunctions& nvml, void* device) : nvml_(nvml), device_(device) {}

  TelemetryReading read() override {
    TelemetryReading reading{
        .clock_mhz = number(1, [&](unsigned* mhz) { return nvml_.clock_info(device_, kClockSm, mhz); }),
        .power_w = number(1e-3, [&](unsigned* milliwatts) { return nvml_.power_usage(device_, milliwatts); }),
        .temperature_c = number(1, [&](unsigned* degrees) { return nvml_.temperature(device_, kTemperatureGpu, degrees); })};
    if (reading.clock_mhz == 0.0) reading.clock_mhz.reset();  // no clock under load
    return reading;
  }

 private:
  NvmlFunctions nvml_;
  void* device_;
};

/// "GPU-00112233-4455-6677-8899-aabbccddeeff" of 32 digits.
std::string nvml_uuid(const std::string& digits) {
  return fmt::format("GPU-{}-{}-{}-{}-{}", digits.substr(0, 8), digits.substr(8, 4), digits.substr(12, 4), digits.substr(16, 4),
                     digits.substr(20));
}

/// The name of the first function that the library lacks; null where it has all.
const char* resolve_all(const Library& library, NvmlFunctions& nvml) {
  const auto lacks = [&](const char* name, auto& function) { return library.find(name, function) ? nullptr : name; };
  if (const char* name = lacks("nvmlInit_v2", nvml.init)) return name;
  if (const char* name = lacks("nvmlDeviceGetHandleByPciBusId_v2", nvml.handle_by_pci)) return name;
  if (const char* name = lacks("nvmlDeviceGetHandleByUUID", nvml.handle_by_uuid)) return name;
  if (const char* name = lacks("nvmlDeviceGetClockInfo", nvml.clock_info)) return name;
  if (const char* name = lacks("nvmlDeviceGetPowerUsage", nvml.power_usage)) return name;
  if (const char* name = lacks("nvmlDeviceGetTemperature", nvml.temperature)) return name;
  return lacks("nvmlErrorString", nvml.error_string);
}

}  // namespace

Found open_nvml(const DeviceInfo& device, const char* library) {
  const Library nvml{library};
  if (!nvml.is_open()) return none(nvml.problem());
  NvmlFunctions functions;
  if (const char* missing = resolve_all(nvml, functions)) return none(fmt::format("{} lacks {}", library, missing));
  return open_nvml(device, functions);
}

Found open_nvml(const DeviceInfo& device, const NvmlFunctions& functions) {
  if (!device.pci && !device.uuid) return none("the device's driver tells neither PCI address nor UUID");
  if (const int result = functions.init(); result != kSuccess) {
    return none(fmt::format("nvmlInit_v2: {}", functions.error_string(result)));
  }
  void* handle = nullptr;
  int result = kSuccess;
  const char* call = "";
  if (device.pci) {
    call = "nvmlDeviceGetHandleByPciBusId_v2";
    result = functions.handle_by_pci(device.pci->c_str(), &handle);
  }
  if (device.uuid && handle == nullptr) {
    call = "nvmlDeviceGetHandleByUUID";
    result = functions.handle_by_uuid(nvml_uuid(*device.uuid).c_str(), &handle);
  }
  if (result != kSuccess || handle == nullptr) return none(fmt::format("{}: {}", call, functions.error_string(result)));
  auto reader = std::make_unique<NvmlReader>(functions, handle);
  if (reader->read().is_empty()) return none("it tells neither clock, power nor temperature of this device");
  return {.reader = std::move(reader), .source = kNvmlSource, .reason = {}};
}

}  // namespace percycle::telemetry
