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
  std::string name;  ///< source, e.g. "PTX %clock64", "VK_KHR_shader_clock subgroup"
  /// One value for all units in a known unit (`tick_ns`), not a unit's own counter.
  bool device_wide = false;
  /// Nanoseconds per tick if the API or the ISA defines it; empty for a unit's counter.
  std::optional<double> tick_ns;
};

/// Atomics in one kind of memory besides those of 32-bit integers, which every device has.
struct WideAtomics {
  bool int64 = false;      ///< add, min, exchange, compare-exchange, and, or of 64-bit integers
  bool float_add = false;  ///< add of 32-bit floating-point numbers
};

/// Operations between the lanes of a subgroup, on 32-bit integers.
struct SubgroupOperations {
  bool vote = false;
  bool ballot = false;
  bool broadcast = false;
  bool shuffle = false;
  bool reduction = false;
};

/// A product of two matrices, added to a third, that a subgroup or a whole work-group computes with
/// one operation.
struct MatrixShape {
  std::uint32_t rows = 0;     ///< of the result
  std::uint32_t columns = 0;  ///< of the result
  std::uint32_t depth = 0;    ///< columns of the left factor
  std::string factors;        ///< their type: "fp16", "bf16", "tf32", "fp8_e4m3", "sint8", ...
  std::string sums;           ///< type of the result: "fp32", "sint32", ...
  /// Size of the work-group that computes it; empty if a subgroup does.
  std::optional<std::uint32_t> invocations{};

  bool operator==(const MatrixShape&) const = default;
};

/// Another device of the host, to which the API can connect a device.
struct PeerDevice {
  std::uint32_t index = 0;  ///< like DeviceInfo::index
  std::string name;
  std::optional<std::string> pci{};

  bool operator==(const PeerDevice&) const = default;
};

/// One device of one API as its driver describes it. An optional is empty if the driver does not
/// report the value or reports an impossible one (`lacks` has the reason). No field holds 0 or -1
/// for "unknown".
struct DeviceInfo {
  Api api = Api::opencl;
  std::uint32_t index = 0;  ///< position in this API's enumeration: selector "opencl:INDEX"
  /// The ICD manifest that lists this device; empty if all ICDs were loaded.
  std::string driver_manifest;
  std::string model;  ///< model of a simulated device: its selector after "sim:"; empty for others
  /// Index for open_opencl/open_vulkan: equal to index unless driver_manifest is set.
  std::uint32_t open_index = 0;

  std::string name;
  std::string vendor;           ///< "NVIDIA", "AMD", "Intel", else the driver's text
  std::uint32_t vendor_id = 0;  ///< PCI vendor, or Khronos vendor
  DeviceType type = DeviceType::other;
  /// OpenCL platform name; Vulkan driver name (VkPhysicalDeviceDriverProperties)
  std::string platform;
  std::string api_version;  ///< "3.0", "1.3.230"
  std::string driver;       ///< decoded per vendor, e.g. "580.159.04", "Mesa 22.3.6"

  std::optional<std::string> uuid;                ///< 32 hexadecimal digits
  std::optional<std::string> pci;                 ///< "0000:3b:00.0"
  std::optional<std::string> compute_capability;  ///< NVIDIA "9.0", AMD "gfx1030", Intel IP version
  std::optional<std::string> queue;               ///< Vulkan's, "family 2: compute, transfer"

  /// OpenCL: other devices of the platform, which can share a context. Vulkan: other devices of the
  /// device group.
  std::vector<PeerDevice> peers;

  /// SMs, CUs, WGPs, subslices or cores; limits/ has the name
  std::optional<Sourced<std::uint32_t>> units;
  std::optional<Sourced<double>> clock_mhz;           ///< the core clock the driver reports
  std::optional<std::uint64_t> memory_bytes;          ///< device memory
  std::optional<std::uint64_t> max_allocation_bytes;  ///< largest single buffer the driver promises
  /// An integrated GPU or a CPU: a copy between host and device stays within one memory.
  bool shares_host_memory = false;
  /// "global memory cache size" as reported; often not the size of a cache
  std::optional<std::uint64_t> cache_bytes;
  std::optional<std::uint32_t> cache_line_bytes;  ///< as reported
  std::uint64_t local_memory_bytes = 0;           ///< per work-group; 0 if it has none
  std::uint64_t constant_bytes = 0;               ///< largest constant array / uniform buffer range
  /// Uniform buffers that a kernel may have (KernelDesc::constant_buffers); empty: one.
  std::optional<std::uint32_t> constant_buffers;
  /// Largest texel buffer, in texels; 0 if it has none.
  std::uint64_t max_texel_elements = 0;
  /// Largest width and height of an image of two dimensions; empty: it has none.
  std::optional<std::uint32_t> max_image_side;
  std::uint64_t max_storage_bytes = 0;  ///< largest range of a storage binding
  std::uint32_t max_group_size = 0;     ///< invocations of one work-group along x
  std::uint64_t max_groups = 0;         ///< work-groups of one dispatch along x
  /// Parameter block: push constants / by-value struct.
  std::uint32_t max_parameter_bytes = 0;
  /// Smallest first; empty if the API does not report them.
  std::vector<std::uint32_t> subgroup_sizes;
  bool subgroup_size_control = false;  ///< KernelDesc::subgroup_size may be set
  /// Per work-group of required subgroup size; empty: any.
  std::optional<std::uint32_t> max_subgroups;
  std::uint32_t address_bits = 0;  ///< bits of a pointer in a kernel
  /// BindingKind::address works (always in OpenCL)
  bool buffer_addresses = false;
  bool int64 = false;        ///< 64-bit integers in kernels
  bool fp64 = false;         ///< 64-bit floating-point numbers in kernels
  bool fp16 = false;         ///< 16-bit floating-point numbers in kernels
  bool int16 = false;        ///< arithmetic of 16-bit integers in kernels
  bool int8 = false;         ///< arithmetic of 8-bit integers in kernels
  bool dot_product = false;  ///< dot products of 4 x 8-bit integers in a word
  SubgroupOperations subgroup_operations;
  std::vector<MatrixShape> matrix_shapes;  ///< offered to kernels of this API
  WideAtomics global_atomics;              ///< in buffers
  WideAtomics local_atomics;               ///< in local memory

  /// One tick of the device timer that times dispatches.
  std::optional<double> timer_period_ns;
  std::optional<std::uint32_t> timer_valid_bits;  ///< Vulkan's timestampValidBits; 64 in OpenCL
  std::optional<KernelClock> unit_clock;          ///< the counter of a unit, readable in a kernel
  std::optional<KernelClock> device_clock;        ///< a device-wide clock, readable in a kernel
  /// Register or function that gives the number of the executing unit.
  std::optional<std::string> unit_id;

  /// Iterations of all loops together after which an invocation stops silently (lavapipe before
  /// Mesa 25: 65 535).
  std::optional<std::uint64_t> max_loop_iterations;
  /// The kind of part of a card that this is, by other sources than the name: "MIG slice"; empty
  /// for a whole card. See part_of_card().
  std::string part;
  /// Why percycle can list this device but not run on it (RADV's null device, driver shims); empty
  /// if it can.
  std::string compile_only;
  /// One line per feature that this API lacks on this device or reports wrongly.
  std::vector<std::string> lacks;
};

/// Sets the index. Those of the peers move with it, because a driver lists all its devices in one
/// order.
void renumber(DeviceInfo& info, std::uint32_t index);

/// A platform, loader or driver whose enumeration failed.
struct EnumerationProblem {
  Api api = Api::opencl;
  std::string where;  ///< "loader", a platform name, a manifest path
  std::string message;
};

/// All devices and problems of one API on this machine.
struct Enumeration {
  std::vector<DeviceInfo> devices;
  std::vector<EnumerationProblem> problems;
};

}  // namespace percycle
