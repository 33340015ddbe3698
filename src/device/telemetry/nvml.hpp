#pragma once

#include "device/info.hpp"
#include "device/telemetry/card_facts.hpp"
#include "device/telemetry/reader.hpp"
#include "platform/library.hpp"

namespace percycle::telemetry {

/// The used functions of the NVIDIA Management Library, as declared in the NVML API Reference Guide
/// (vR580): nvmlReturn_t is an enum whose 0 is NVML_SUCCESS, nvmlDevice_t an opaque pointer.
struct NvmlFunctions {
  int (*init)() = nullptr;  ///< nvmlInit_v2
  /// nvmlDeviceGetHandleByPciBusId_v2
  int (*handle_by_pci)(const char* bus_id, void** device) = nullptr;
  /// nvmlDeviceGetHandleByUUID: "GPU-8-4-4-4-12 digits"
  int (*handle_by_uuid)(const char* uuid, void** device) = nullptr;
  int (*clock_info)(void* device, int type, unsigned* mhz) = nullptr;  ///< nvmlDeviceGetClockInfo
  int (*power_usage)(void* device, unsigned* milliwatts) = nullptr;    ///< nvmlDeviceGetPowerUsage
  /// nvmlDeviceGetTemperature
  int (*temperature)(void* device, int sensor, unsigned* degrees_c) = nullptr;
  const char* (*error_string)(int result) = nullptr;  ///< nvmlErrorString

  // State of the device; null if an older library lacks the function. The first two are
  // nvmlDeviceGet(Compute|Graphics)RunningProcesses_v3; `processes` is a list of NvmlProcess.
  int (*compute_processes)(void* device, unsigned* count, void* processes) = nullptr;
  int (*graphics_processes)(void* device, unsigned* count, void* processes) = nullptr;
  /// nvmlDeviceGetMigMode
  int (*mig_mode)(void* device, unsigned* current, unsigned* pending) = nullptr;
  /// nvmlDeviceGetVirtualizationMode
  int (*virtualization)(void* device, int* mode) = nullptr;
  /// nvmlDeviceGetDisplayActive
  int (*display_active)(void* device, int* active) = nullptr;
  /// nvmlDeviceGetEccMode
  int (*ecc_mode)(void* device, int* current, int* pending) = nullptr;
  /// nvmlDeviceGetEnforcedPowerLimit
  int (*power_limit)(void* device, unsigned* milliwatts) = nullptr;
  /// nvmlDeviceGetPowerManagementDefaultLimit
  int (*default_power_limit)(void* device, unsigned* milliwatts) = nullptr;
  /// nvmlDeviceGetCurrentClocksThrottleReasons
  int (*throttle_reasons)(void* device, unsigned long long* reasons) = nullptr;
  /// nvmlDeviceGetTotalEnergyConsumption, since the driver was loaded
  int (*total_energy)(void* device, unsigned long long* millijoules) = nullptr;
  /// nvmlDeviceGetCudaComputeCapability
  int (*compute_capability)(void* device, int* major, int* minor) = nullptr;
};

/// nvmlProcessInfo_t of the _v3 functions.
struct NvmlProcess {
  unsigned pid = 0;
  unsigned long long used_bytes = 0;
  unsigned gpu_instance = 0;
  unsigned compute_instance = 0;
};

/// Opens the driver's NVML by this file name (it stays open to the end of the process) and the
/// device by its PCI address, else its UUID.
FoundReader open_nvml(const DeviceInfo& device, const char* library = kNvmlLibrary);

/// The same with given functions.
FoundReader open_nvml(const DeviceInfo& device, const NvmlFunctions& functions);

/// The facts of the device by NVML.
CardFacts nvml_facts(const DeviceInfo& device, const char* library = kNvmlLibrary);
CardFacts nvml_facts(const DeviceInfo& device, const NvmlFunctions& functions);

}  // namespace percycle::telemetry
