#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/api.hpp"
#include "core/provenance.hpp"
#include "core/words.hpp"

namespace percycle {

enum class DeviceType { gpu, cpu, other };

std::span<const Word<DeviceType>> words(DeviceType);

/// A counter that a kernel can read.
struct KernelClock {
  std::string name;               ///< how it is read, e.g. "PTX %clock64", "VK_KHR_shader_clock subgroup"
  bool device_wide = false;       ///< one value for all units, in a known unit (`tick_ns`), as opposed to a unit's own counter
  std::optional<double> tick_ns;  ///< nanoseconds per tick where the API or the ISA defines it; absent for a unit's counter
};

/// The atomics of a kernel in one kind of memory beside those of 32-bit integers, which every device has.
struct WideAtomics {
  bool int64 = false;      ///< add, min, exchange, compare-exchange, and, or of 64-bit integers
  bool float_add = false;  ///< add of 32-bit floating-point numbers
};

/// One device of one API as its driver describes it. Every optional is absent where the driver does not say or says something
/// that cannot be true (then `lacks` holds the reason); no field is ever filled with 0 or -1 for "unknown".
struct DeviceInfo {
  Api api = Api::opencl;
  std::uint32_t index = 0;       ///< position in the enumeration of this API: selector "opencl:INDEX"
  std::string driver_manifest;   ///< the one ICD manifest this device was found through; empty when found with all ICDs loaded
  std::string model;             ///< of a simulated device: what follows "sim:" in its selector; empty for all others
  std::uint32_t open_index = 0;  ///< what open_opencl/open_vulkan take: equal to index unless driver_manifest is set

  std::string name;
  std::string vendor;           ///< "NVIDIA", "AMD", "Intel", else what the driver says
  std::uint32_t vendor_id = 0;  ///< PCI vendor, or the Khronos one
  DeviceType type = DeviceType::other;
  std::string platform;     ///< OpenCL platform name; Vulkan driver name (VkPhysicalDeviceDriverProperties)
  std::string api_version;  ///< "3.0", "1.3.230"
  std::string driver;       ///< decoded per vendor, e.g. "580.159.04", "Mesa 22.3.6"

  std::optional<std::string> uuid;                ///< 32 hexadecimal digits
  std::optional<std::string> pci;                 ///< "0000:3b:00.0"
  std::optional<std::string> compute_capability;  ///< NVIDIA "9.0", AMD "gfx1030", Intel IP version, where the API tells

  std::optional<Sourced<std::uint32_t>> units;        ///< SMs, CUs, WGPs, subslices or cores: see limits/ for the name
  std::optional<Sourced<double>> clock_mhz;           ///< the core clock the driver reports
  std::optional<std::uint64_t> memory_bytes;          ///< device memory
  std::optional<std::uint64_t> max_allocation_bytes;  ///< largest single buffer the driver promises
  std::optional<std::uint64_t> cache_bytes;           ///< "global memory cache size" as reported; rarely what it seems (see docs)
  std::optional<std::uint32_t> cache_line_bytes;      ///< as reported
  std::uint64_t local_memory_bytes = 0;               ///< per work-group; 0 where there is none
  std::uint64_t constant_bytes = 0;                   ///< largest constant array / uniform buffer range
  std::uint64_t max_texel_elements = 0;               ///< largest texel buffer, in texels; 0 where there is none
  std::uint64_t max_storage_bytes = 0;                ///< largest range of a storage binding
  std::uint32_t max_group_size = 0;                   ///< invocations of one work-group along x
  std::uint64_t max_groups = 0;                       ///< work-groups of one dispatch along x
  std::uint32_t max_parameter_bytes = 0;              ///< parameter block: push constants / by-value struct
  std::vector<std::uint32_t> subgroup_sizes;          ///< smallest first; empty where the API does not say
  bool subgroup_size_control = false;                 ///< KernelDesc::subgroup_size may be set
  std::optional<std::uint32_t> max_subgroups;         ///< of a work-group of required subgroup size; absent: any
  std::uint32_t address_bits = 0;                     ///< of a pointer in a kernel
  bool buffer_addresses = false;                      ///< BindingKind::address works (always in OpenCL)
  bool int64 = false;                                 ///< 64-bit integers in kernels
  bool fp64 = false;                                  ///< 64-bit floating-point numbers in kernels
  WideAtomics global_atomics;                         ///< in buffers
  WideAtomics local_atomics;                          ///< in local memory

  std::optional<double> timer_period_ns;          ///< one tick of the device timer that times dispatches
  std::optional<std::uint32_t> timer_valid_bits;  ///< Vulkan's timestampValidBits; 64 in OpenCL
  std::optional<KernelClock> unit_clock;          ///< the counter of a unit, readable in a kernel
  std::optional<KernelClock> device_clock;        ///< a device-wide clock, readable in a kernel
  std::optional<std::string> unit_id;             ///< how a kernel reads the number of the unit that runs it

  /// Iterations of all loops together after which an invocation silently stops (lavapipe before Mesa 25: 65 535).
  std::optional<std::uint64_t> max_loop_iterations;
  /// Why this device can be listed but not run on (RADV's null device, driver shims); empty where it can.
  std::string compile_only;
  std::vector<std::string> lacks;  ///< one line each: what this API does not offer on this device, or reports wrongly
};

/// A platform, loader or driver that could not be enumerated.
struct EnumerationProblem {
  Api api = Api::opencl;
  std::string where;  ///< "loader", a platform name, a manifest path
  std::string what;
};

/// All that one API offers on this machine.
struct Enumeration {
  std::vector<DeviceInfo> devices;
  std::vector<EnumerationProblem> problems;
};

}  // namespace percycle
