#include "device/telemetry/nvml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "device/telemetry/conditions.hpp"
#include "platform/library.hpp"

namespace percycle::telemetry {
namespace {

constexpr const char* kNvmlSource = "NVML";

// NVML API Reference Guide: nvmlReturn_t, nvmlClockType_t (of the SMs), nvmlTemperatureSensors_t
// (of the die).
constexpr int kSuccess = 0;
constexpr int kClockSm = 1;
constexpr int kTemperatureGpu = 0;
// nvmlGpuVirtualizationMode_t.
constexpr std::array<std::string_view, 5> kVirtualization{"none", "passthrough", "vGPU", "host of vGPUs", "host of vSGAs"};
constexpr int kVgpu = 2;
// nvmlClocksThrottleReasons: bits for the causes of a lowered clock. Idle and user-set clocks are
// no throttling.
struct ThrottleReason {
  unsigned long long bit;
  std::string_view name;
};
constexpr std::array kThrottleReasons{
    ThrottleReason{0x4, "power cap"},         ThrottleReason{0x8, "hardware slowdown"},
    ThrottleReason{0x20, "thermal slowdown"}, ThrottleReason{0x40, "hardware thermal slowdown"},
    ThrottleReason{0x80, "power brake"},
};
constexpr unsigned kMostProcesses = 256;

FoundReader none(std::string reason) { return {.reader = nullptr, .source = kNvmlSource, .reason = std::move(reason)}; }

/// The result of `get` in units of `unit`; empty if it fails.
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
    if (reading.clock_mhz == 0.0) reading.clock_mhz.reset();  // 0 is no clock under load
    unsigned long long reasons = 0;
    if (nvml_.throttle_reasons != nullptr && nvml_.throttle_reasons(device_, &reasons) == kSuccess) throttled_ |= reasons;
    return reading;
  }

  std::optional<double> energy_j() override {
    unsigned long long millijoules = 0;
    if (nvml_.total_energy == nullptr || nvml_.total_energy(device_, &millijoules) != kSuccess) return std::nullopt;
    return static_cast<double>(millijoules) * 1e-3;
  }

  Conditions conditions() override {
    Conditions found;
    add_processes(found);
    add_partition(found);
    add_display_and_ecc(found);
    add_power_limit(found);
    add_throttling(found);
    return found;
  }

 private:
  /// One of the processes is percycle itself, under any number that its container gives it.
  void add_processes(Conditions& found) const {
    std::set<unsigned> pids;
    for (const auto list : {nvml_.compute_processes, nvml_.graphics_processes}) {
      std::vector<NvmlProcess> processes(kMostProcesses);
      unsigned count = kMostProcesses;
      if (list == nullptr || list(device_, &count, processes.data()) != kSuccess) return;
      for (unsigned i = 0; i < std::min(count, kMostProcesses); ++i) pids.insert(processes[i].pid);
    }
    const std::size_t others = pids.empty() ? 0 : pids.size() - 1;
    found.observed["other_processes"] = std::to_string(others);
    if (others > 0)
      found.warnings.push_back(fmt::format("{} other process{} on the GPU", others, others == 1 ? " is" : "es are"));
  }

  void add_partition(Conditions& found) const {
    unsigned mig = 0;
    unsigned pending = 0;
    if (nvml_.mig_mode != nullptr && nvml_.mig_mode(device_, &mig, &pending) == kSuccess) {
      found.observed["mig"] = mig != 0 ? "on" : "off";
      if (mig != 0) found.warnings.emplace_back("MIG splits the GPU: percycle measured one part of it");
    }
    int mode = 0;
    if (nvml_.virtualization == nullptr || nvml_.virtualization(device_, &mode) != kSuccess) return;
    if (mode >= 0 && mode < static_cast<int>(kVirtualization.size()))
      found.observed["virtualization"] = kVirtualization[static_cast<std::size_t>(mode)];
    if (mode == kVgpu) found.warnings.emplace_back("the GPU is virtual (vGPU): other virtual machines may share it");
  }

  void add_display_and_ecc(Conditions& found) const {
    int active = 0;
    if (nvml_.display_active != nullptr && nvml_.display_active(device_, &active) == kSuccess) add_display(found, active != 0);
    int ecc = 0;
    int pending = 0;
    if (nvml_.ecc_mode != nullptr && nvml_.ecc_mode(device_, &ecc, &pending) == kSuccess)
      found.observed["ecc"] = ecc != 0 ? "on" : "off";
  }

  void add_power_limit(Conditions& found) const {
    unsigned limit = 0;
    unsigned usual = 0;
    if (nvml_.power_limit == nullptr || nvml_.power_limit(device_, &limit) != kSuccess) return;
    if (nvml_.default_power_limit == nullptr || nvml_.default_power_limit(device_, &usual) != kSuccess) return;
    percycle::telemetry::add_power_limit(found, limit * 1e-3, usual * 1e-3);
  }

  void add_throttling(Conditions& found) {
    const unsigned long long seen = std::exchange(throttled_, 0);
    std::string names;
    for (const auto& [bit, name] : kThrottleReasons) {
      if ((seen & bit) != 0) names += fmt::format("{}{}", names.empty() ? "" : ", ", name);
    }
    if (nvml_.throttle_reasons != nullptr) found.observed["throttled"] = names.empty() ? "no" : names;
    if (!names.empty()) found.warnings.push_back(fmt::format("the GPU throttled: {}", names));
  }

  NvmlFunctions nvml_;
  void* device_;
  unsigned long long throttled_ = 0;  // reasons since conditions()
};

/// "GPU-00112233-4455-6677-8899-aabbccddeeff" from 32 digits.
std::string nvml_uuid(const std::string& digits) {
  return fmt::format("GPU-{}-{}-{}-{}-{}", digits.substr(0, 8), digits.substr(8, 4), digits.substr(12, 4), digits.substr(16, 4),
                     digits.substr(20));
}

/// The name of the first function missing in the library; null if it has all.
const char* resolve_all(const Library& library, NvmlFunctions& nvml) {
  const auto lacks = [&](const char* name, auto& function) { return library.find(name, function) ? nullptr : name; };
  if (const char* name = lacks("nvmlInit_v2", nvml.init)) return name;
  if (const char* name = lacks("nvmlDeviceGetHandleByPciBusId_v2", nvml.handle_by_pci)) return name;
  if (const char* name = lacks("nvmlDeviceGetHandleByUUID", nvml.handle_by_uuid)) return name;
  if (const char* name = lacks("nvmlDeviceGetClockInfo", nvml.clock_info)) return name;
  if (const char* name = lacks("nvmlDeviceGetPowerUsage", nvml.power_usage)) return name;
  if (const char* name = lacks("nvmlDeviceGetTemperature", nvml.temperature)) return name;
  if (const char* name = lacks("nvmlErrorString", nvml.error_string)) return name;
  library.find("nvmlDeviceGetComputeRunningProcesses_v3", nvml.compute_processes);
  library.find("nvmlDeviceGetGraphicsRunningProcesses_v3", nvml.graphics_processes);
  library.find("nvmlDeviceGetMigMode", nvml.mig_mode);
  library.find("nvmlDeviceGetVirtualizationMode", nvml.virtualization);
  library.find("nvmlDeviceGetDisplayActive", nvml.display_active);
  library.find("nvmlDeviceGetEccMode", nvml.ecc_mode);
  library.find("nvmlDeviceGetEnforcedPowerLimit", nvml.power_limit);
  library.find("nvmlDeviceGetPowerManagementDefaultLimit", nvml.default_power_limit);
  library.find("nvmlDeviceGetCurrentClocksThrottleReasons", nvml.throttle_reasons);
  library.find("nvmlDeviceGetTotalEnergyConsumption", nvml.total_energy);
  library.find("nvmlDeviceGetCudaComputeCapability", nvml.compute_capability);
  return nullptr;
}

/// The device by its PCI address, else its UUID. Throws the reason if NVML has none.
void* find_handle(const DeviceInfo& device, const NvmlFunctions& functions) {
  if (!device.pci && !device.uuid) throw std::runtime_error("the driver reports neither PCI address nor UUID of the device");
  const auto refuse = [&](const char* call, int result) {
    throw std::runtime_error(fmt::format("{}: {}", call, functions.error_string(result)));
  };
  if (const int result = functions.init(); result != kSuccess) refuse("nvmlInit_v2", result);
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
  if (result != kSuccess || handle == nullptr) refuse(call, result);
  return handle;
}

std::optional<std::string> capability_of(void* handle, const NvmlFunctions& functions) {
  int major = 0;
  int minor = 0;
  if (functions.compute_capability == nullptr || functions.compute_capability(handle, &major, &minor) != kSuccess)
    return std::nullopt;
  return fmt::format("{}.{}", major, minor);
}

std::string part_of(void* handle, const NvmlFunctions& functions) {
  unsigned mig = 0;
  unsigned pending = 0;
  if (functions.mig_mode != nullptr && functions.mig_mode(handle, &mig, &pending) == kSuccess && mig != 0) return "MIG slice";
  int mode = 0;
  const bool is_known = functions.virtualization != nullptr && functions.virtualization(handle, &mode) == kSuccess;
  return is_known && mode == kVgpu ? "vGPU" : "";
}

}  // namespace

FoundReader open_nvml(const DeviceInfo& device, const char* library) {
  const Library nvml{library};
  if (!nvml.is_open()) return none(nvml.problem());
  NvmlFunctions functions;
  if (const char* missing = resolve_all(nvml, functions)) return none(fmt::format("{} lacks {}", library, missing));
  return open_nvml(device, functions);
}

FoundReader open_nvml(const DeviceInfo& device, const NvmlFunctions& functions) {
  try {
    auto reader = std::make_unique<NvmlReader>(functions, find_handle(device, functions));
    if (reader->read().is_empty()) return none("NVML reports neither clock, power nor temperature of this device");
    return {.reader = std::move(reader), .source = kNvmlSource, .reason = {}};
  } catch (const std::runtime_error& reason) {
    return none(reason.what());
  }
}

CardFacts nvml_facts(const DeviceInfo& device, const char* library) {
  const Library nvml{library};
  NvmlFunctions functions;
  if (!nvml.is_open() || resolve_all(nvml, functions) != nullptr) return {};
  return nvml_facts(device, functions);
}

CardFacts nvml_facts(const DeviceInfo& device, const NvmlFunctions& functions) {
  try {
    void* handle = find_handle(device, functions);
    return {.compute_capability = capability_of(handle, functions), .part = part_of(handle, functions)};
  } catch (const std::runtime_error&) {
    return {};
  }
}

}  // namespace percycle::telemetry
