#pragma once

#include <string>

#include "device/info.hpp"
#include "device/telemetry/reader.hpp"

namespace percycle::telemetry {

/// The functions of the NVIDIA Management Library that are used, as declared in the NVML API Reference Guide (vR580): nvmlReturn_t is an enum
/// whose 0 is NVML_SUCCESS, nvmlDevice_t an opaque pointer.
struct NvmlFunctions {
  int (*init)() = nullptr;                                             ///< nvmlInit_v2
  int (*handle_by_pci)(const char* bus_id, void** device) = nullptr;   ///< nvmlDeviceGetHandleByPciBusId_v2
  int (*handle_by_uuid)(const char* uuid, void** device) = nullptr;    ///< nvmlDeviceGetHandleByUUID: "GPU-8-4-4-4-12 digits"
  int (*clock_info)(void* device, int type, unsigned* mhz) = nullptr;  ///< nvmlDeviceGetClockInfo
  int (*power_usage)(void* device, unsigned* milliwatts) = nullptr;    ///< nvmlDeviceGetPowerUsage
  int (*temperature)(void* device, int sensor, unsigned* degrees_c) = nullptr;  ///< nvmlDeviceGetTemperature
  const char* (*error_string)(int result) = nullptr;                            ///< nvmlErrorString

  // Of the device's state. An older library may lack some: null.
  /// nvmlDeviceGet(Compute|Graphics)RunningProcesses_v3; `processes` is a list of NvmlProcess
  int (*compute_processes)(void* device, unsigned* count, void* processes) = nullptr;
  int (*graphics_processes)(void* device, unsigned* count, void* processes) = nullptr;
  int (*mig_mode)(void* device, unsigned* current, unsigned* pending) = nullptr;  ///< nvmlDeviceGetMigMode
  int (*virtualization)(void* device, int* mode) = nullptr;                       ///< nvmlDeviceGetVirtualizationMode
  int (*display_active)(void* device, int* active) = nullptr;                     ///< nvmlDeviceGetDisplayActive
  int (*ecc_mode)(void* device, int* current, int* pending) = nullptr;            ///< nvmlDeviceGetEccMode
  int (*power_limit)(void* device, unsigned* milliwatts) = nullptr;               ///< nvmlDeviceGetEnforcedPowerLimit
  int (*default_power_limit)(void* device, unsigned* milliwatts) = nullptr;       ///< nvmlDeviceGetPowerManagementDefaultLimit
  int (*throttle_reasons)(void* device, unsigned long long* reasons) = nullptr;   ///< nvmlDeviceGetCurrentClocksThrottleReasons
};

/// nvmlProcessInfo_t of the _v3 functions.
struct NvmlProcess {
  unsigned pid = 0;
  unsigned long long used_bytes = 0;
  unsigned gpu_instance = 0;
  unsigned compute_instance = 0;
};

/// Opens the driver's NVML by this file name, which stays open to the end of the process, and the device by its PCI address, else its UUID.
Found open_nvml(const DeviceInfo& device, const char* library = "libnvidia-ml.so.1");

/// The same by functions that are there already.
Found open_nvml(const DeviceInfo& device, const NvmlFunctions& functions);

}  // namespace percycle::telemetry
