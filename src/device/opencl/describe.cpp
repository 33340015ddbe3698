#include "device/opencl/describe.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "core/clock_range.hpp"
#include "core/figures.hpp"
#include "device/driver_answers.hpp"
#include "device/opencl/clocks.hpp"
#include "device/opencl/identify.hpp"
#include "device/opencl/intel_units.hpp"
#include "device/opencl/matrix_shapes.hpp"
#include "device/opencl/platforms.hpp"
#include "device/opencl/rusticl.hpp"
#include "device/subgroup_sizes.hpp"
#include "device/wgp_mode.hpp"

namespace percycle::opencl {
namespace {

constexpr std::size_t kMostParameterBytes = 1024;

DeviceType device_type(const DeviceQuery& query) {
  const auto types = query.number<cl_device_type>(CL_DEVICE_TYPE);
  // CPU first: a simulator such as Oclgrind reports every type at once.
  if ((types & CL_DEVICE_TYPE_CPU) != 0) return DeviceType::cpu;
  return (types & CL_DEVICE_TYPE_GPU) != 0 ? DeviceType::gpu : DeviceType::other;
}

std::optional<Sourced<std::uint32_t>> reported(std::uint32_t count) {
  return Sourced<std::uint32_t>{count, Provenance::reported};
}

/// CL_DEVICE_MAX_COMPUTE_UNITS if it counts units in percycle's sense, else a better query.
std::optional<Sourced<std::uint32_t>> units(const DeviceQuery& query, const DeviceInfo& info, std::vector<std::string>& lacks) {
  const auto compute_units = query.positive<cl_uint>(CL_DEVICE_MAX_COMPUTE_UNITS);
  if (!compute_units) {
    lacks.emplace_back("units: the driver reports no compute units");
    return std::nullopt;
  }
  if (is_llvmpipe(info)) {
    lacks.push_back(fmt::format("units: {} is a constant of llvmpipe, not a number of cores", *compute_units));
    return std::nullopt;
  }
  if (info.type == DeviceType::cpu) {
    lacks.emplace_back("units: CL_DEVICE_MAX_COMPUTE_UNITS counts hardware threads, which may share a core");
    return reported(*compute_units);
  }
  // iris_screen.c counts subslices.
  if (info.type == DeviceType::gpu && info.vendor == "Intel" && !is_rusticl(info)) {
    IntelCounts counts{
        .name = info.name, .execution_units = *compute_units, .ip_version = {}, .slices = {}, .sub_slices_per_slice = {}};
    if (query.has("cl_intel_device_attribute_query")) {
      counts.ip_version = query.positive<cl_uint>(kIpVersionIntel);
      counts.slices = query.positive<cl_uint>(kSlicesIntel);
      counts.sub_slices_per_slice = query.positive<cl_uint>(kSubSlicesPerSliceIntel);
    }
    const IntelUnits found = intel_units(counts);
    if (!found.lack.empty()) lacks.push_back(found.lack);
    return found.count ? reported(*found.count) : std::nullopt;
  }
  if (info.platform == "clvk" && *compute_units == 1) {
    lacks.emplace_back("units: clvk reports 1 compute unit for every device");
    return std::nullopt;
  }
  // gfx10 and later: RDNA
  if (info.compute_capability && info.compute_capability->starts_with("gfx1")) {
    if (wgp_mode_asked() != "cu") {
      lacks.emplace_back(
          "units: compute units count as WGPs, unless something else than GPU_ENABLE_WGP_MODE configures the driver");
    }
    return reported(work_group_processors(*compute_units));
  }
  return reported(*compute_units);
}

constexpr cl_ulong kNvidiaConstantReserve = 1024;

void describe_memory(const DeviceQuery& query, DeviceInfo& info) {
  info.memory_bytes = query.positive<cl_ulong>(CL_DEVICE_GLOBAL_MEM_SIZE);
  info.shares_host_memory = info.type == DeviceType::cpu || query.positive<cl_bool>(CL_DEVICE_HOST_UNIFIED_MEMORY).has_value();
  if (!info.memory_bytes) info.lacks.emplace_back("memory size: the driver reports 0");
  info.max_allocation_bytes = query.positive<cl_ulong>(CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  if (!info.max_allocation_bytes) info.lacks.emplace_back("largest allocation: the driver reports 0");
  info.max_storage_bytes = info.max_allocation_bytes.value_or(0);
  info.cache_bytes = query.positive<cl_ulong>(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE);
  if (!info.cache_bytes) info.lacks.emplace_back("cache size: the driver reports 0");
  info.cache_line_bytes = query.positive<cl_uint>(CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE);
  if (!info.cache_line_bytes) info.lacks.emplace_back("cache line size: the driver reports 0");

  const auto local = query.number<cl_device_local_mem_type>(CL_DEVICE_LOCAL_MEM_TYPE);
  if (local != CL_NONE) info.local_memory_bytes = query.number<cl_ulong>(CL_DEVICE_LOCAL_MEM_SIZE);
  // rusticl says so of every device.
  if (local == CL_GLOBAL && !is_rusticl(info)) info.lacks.emplace_back("local memory: the driver emulates it in global memory");
  info.constant_bytes = query.number<cl_ulong>(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE);
  if (info.vendor == "NVIDIA" && info.constant_bytes > kNvidiaConstantReserve) {
    // ptxas 13 refuses an array of the whole 64 KiB: "uses too much global constant data (0x10010
    // bytes, 0x10000 max)".
    info.constant_bytes -= kNvidiaConstantReserve;
    info.lacks.emplace_back("constants: the compiler uses part of the reported bank; percycle leaves it 1 KiB");
  }

  if (query.number<cl_bool>(CL_DEVICE_IMAGE_SUPPORT) == CL_TRUE) {
    info.max_texel_elements = query.number<std::size_t>(CL_DEVICE_IMAGE_MAX_BUFFER_SIZE);
    const std::size_t side =
        std::min(query.number<std::size_t>(CL_DEVICE_IMAGE2D_MAX_WIDTH), query.number<std::size_t>(CL_DEVICE_IMAGE2D_MAX_HEIGHT));
    if (side > 0) info.max_image_side = static_cast<std::uint32_t>(std::min<std::size_t>(side, UINT32_MAX));
  }
  if (info.max_texel_elements == 0) info.lacks.emplace_back("texel buffers: the driver supports no images");
}

/// The work-items of the largest work-group of one dimension; 0 if a driver allows none in one
/// dimension.
std::size_t largest_group(const DeviceQuery& query) {
  const auto group = query.number<std::size_t>(CL_DEVICE_MAX_WORK_GROUP_SIZE);
  const std::vector<std::size_t> items = query.sizes(CL_DEVICE_MAX_WORK_ITEM_SIZES);
  if (items.empty()) return group;
  return std::ranges::min(items) == 0 ? 0 : std::min(group, items.front());
}

void describe_dispatch(const DeviceQuery& query, DeviceInfo& info) {
  const std::size_t group = largest_group(query);
  info.max_group_size = static_cast<std::uint32_t>(std::min<std::size_t>(group, std::numeric_limits<std::uint32_t>::max()));
  // OpenCL has no query for it. NVIDIA's grids have 2^31 - 1 groups. Elsewhere all work-items
  // together stay below 2^32, the capacity of AMD's dispatch packets.
  info.max_groups = info.vendor == "NVIDIA" ? std::numeric_limits<std::int32_t>::max()
                                            : std::numeric_limits<std::uint32_t>::max() / std::max(info.max_group_size, 1u);
  // The limit covers all arguments; half of it leaves room for the buffers' pointers.
  const auto arguments = query.number<std::size_t>(CL_DEVICE_MAX_PARAMETER_SIZE);
  info.max_parameter_bytes = static_cast<std::uint32_t>(std::min(arguments / 2, kMostParameterBytes));
  info.address_bits = query.number<cl_uint>(CL_DEVICE_ADDRESS_BITS);
  info.buffer_addresses = true;
  info.int64 = query.text(CL_DEVICE_PROFILE) == "FULL_PROFILE" || query.has("cles_khr_int64");
}

/// Operations that need an extension, or PTX in its place.
void describe_arithmetic(const DeviceQuery& query, DeviceInfo& info) {
  info.fp64 = query.has("cl_khr_fp64");
  info.fp16 = query.has("cl_khr_fp16");
  info.int16 = true;
  info.int8 = true;
  info.dot_product = query.has("cl_khr_integer_dot_product");
  const bool subgroups = query.has("cl_khr_subgroups") && query.version() >= 20;
  const bool ballot = subgroups && query.has("cl_khr_subgroup_ballot");
  const bool shuffle = subgroups && query.has("cl_khr_subgroup_shuffle");
  info.subgroup_operations = {
      .vote = subgroups, .ballot = ballot, .broadcast = subgroups, .shuffle = shuffle, .reduction = subgroups};
  if (find_clocks(query, info.type).unit != ClockSource::ptx) return;
  // PTX ISA: add.f16 from sm_53 on, dp4a from sm_61, redux.sync from sm_80.
  const auto major = query.number<cl_uint>(kComputeCapabilityMajorNv);
  const cl_uint capability = 10 * major + query.number<cl_uint>(kComputeCapabilityMinorNv);
  info.fp16 = capability >= 53;
  info.dot_product = capability >= 61;
  info.subgroup_operations = {.vote = true, .ballot = true, .broadcast = true, .shuffle = true, .reduction = capability >= 80};
}

void describe_atomics(const DeviceQuery& query, DeviceInfo& info) {
  const bool int64 = info.int64 && query.has("cl_khr_int64_base_atomics") && query.has("cl_khr_int64_extended_atomics");
  // PTX ISA, "atom": add of .f32 in .global and .shared memory on every device with this OpenCL
  // (sm_20 and later).
  const bool ptx = find_clocks(query, info.type).unit == ClockSource::ptx;
  // The extension's functions need OpenCL C 3.0.
  const bool extension = query.has("cl_ext_float_atomics") && query.version() >= 30;
  const auto able = extension ? query.number<cl_bitfield>(kSingleFpAtomicCapabilities) : 0;
  info.global_atomics = {int64, ptx || (able & kGlobalFpAtomicAdd) != 0};
  info.local_atomics = {int64, ptx || (able & kLocalFpAtomicAdd) != 0};
}

/// PoCL lets kernels of a CPU have subgroups of any size. Without a choice a whole work-group is
/// one.
void choose_subgroup_size(const DeviceQuery& query, DeviceInfo& info) {
  constexpr cl_uint kUsualWidth = 8;
  const cl_uint width = query.positive<cl_uint>(CL_DEVICE_NATIVE_VECTOR_WIDTH_INT).value_or(kUsualWidth);
  const std::uint32_t chosen = cpu_subgroup_size(info.subgroup_sizes, std::max(width, 2u)).value();
  info.lacks.push_back(fmt::format("subgroup size: the driver offers {}; percycle takes {}, the width of the CPU's vectors",
                                   fmt::join(info.subgroup_sizes, ", "), chosen));
  info.subgroup_sizes = {chosen};
}

void describe_subgroups(const DeviceQuery& query, DeviceInfo& info) {
  if (query.has("cl_intel_required_subgroup_size")) {
    const std::vector<std::size_t> stated = query.sizes(kSubGroupSizesIntel);
    info.subgroup_sizes = possible_subgroup_sizes({stated.begin(), stated.end()}, info.lacks);
    info.subgroup_size_control = !info.subgroup_sizes.empty();
    if (info.type == DeviceType::cpu && info.subgroup_sizes.size() > 1) choose_subgroup_size(query, info);
  } else if (query.has("cl_nv_device_attribute_query")) {
    if (const auto warp = query.positive<cl_uint>(kWarpSizeNv)) info.subgroup_sizes.push_back(*warp);
  } else if (query.has("cl_amd_device_attribute_query") && info.type == DeviceType::gpu) {
    if (const auto wavefront = query.positive<cl_uint>(kWavefrontWidthAmd)) info.subgroup_sizes.push_back(*wavefront);
  }
  if (!info.subgroup_sizes.empty()) return;
  info.lacks.emplace_back(
      info.type == DeviceType::cpu
          ? "subgroups: the device has none; work-items of a group run in turn, or in vector lanes that the compiler chooses"
          : "subgroup sizes: the driver reports none");
}

/// Needs the subgroup sizes.
void describe_matrices(const DeviceQuery& query, DeviceInfo& info) {
  if (query.has("cl_intel_subgroup_matrix_multiply_accumulate") && !info.subgroup_sizes.empty())
    info.matrix_shapes = intel_matrix_shapes(info.subgroup_sizes.front());
  if (find_clocks(query, info.type).unit != ClockSource::ptx) return;
  const auto major = query.number<cl_uint>(kComputeCapabilityMajorNv);
  info.matrix_shapes = ptx_matrix_shapes(10 * major + query.number<cl_uint>(kComputeCapabilityMinorNv));
}

void describe_clocks(const DeviceQuery& query, DeviceInfo& info) {
  const auto mhz = query.number<cl_uint>(CL_DEVICE_MAX_CLOCK_FREQUENCY);
  if (const std::string_view driver = constant_clock_of(info); !driver.empty()) {
    info.lacks.push_back(fmt::format("clock: {} {} is a constant of {}, not the core's clock", mhz, unit_text::kMhz, driver));
  } else if (is_possible_clock(mhz)) {
    info.clock_mhz = Sourced<double>{static_cast<double>(mhz), Provenance::reported};
  } else {
    info.lacks.push_back(fmt::format("clock: the driver reports {} {}", mhz, unit_text::kMhz));
  }
  if (const auto period = query.positive<std::size_t>(CL_DEVICE_PROFILING_TIMER_RESOLUTION)) {
    info.timer_period_ns = static_cast<double>(*period);
    info.timer_valid_bits = 64;
  } else {
    info.lacks.emplace_back("timer resolution: the driver reports 0");
  }
  const Clocks clocks = find_clocks(query, info.type);
  info.unit_clock = unit_clock(clocks);
  if (!info.unit_clock) info.lacks.emplace_back("unit clock: OpenCL C cannot read a unit's counter here");
  info.device_clock = device_clock(clocks);
  if (!info.device_clock) info.lacks.emplace_back("device clock: OpenCL C cannot read a device-wide clock here");
  info.unit_id = unit_id(clocks);
  if (!info.unit_id) info.lacks.emplace_back("unit number: OpenCL C cannot read the number of a unit here");
}

std::string why_compile_only(const DeviceQuery& query) {
  if (query.number<cl_bool>(CL_DEVICE_AVAILABLE) != CL_TRUE) return "the driver says that the device is not available";
  if (query.number<cl_bool>(CL_DEVICE_COMPILER_AVAILABLE) != CL_TRUE) return "the driver has no OpenCL C compiler for it";
  if (query.version() < 12) return "the device has OpenCL " + query.version_text() + "; percycle needs 1.2";
  if (largest_group(query) == 0) return kNoGroups;
  return {};
}

/// The other devices of the platform, each with what identifies it, its index and compile_only.
std::vector<DeviceInfo> neighbours(const DeviceQuery& query, std::uint32_t index) {
  const std::vector<cl_device_id> all = devices(query.platform());
  const auto self = static_cast<std::uint32_t>(std::ranges::find(all, query.device()) - all.begin());
  std::vector<DeviceInfo> others;
  for (std::uint32_t i = 0; i < all.size() && self < all.size(); ++i) {
    if (all[i] == query.device()) continue;
    const DeviceQuery other(query.platform(), all[i]);
    DeviceInfo& info = others.emplace_back();
    info.index = index + i - self;
    info.type = device_type(other);
    info.compile_only = why_compile_only(other);
    identify(other, info);
  }
  return others;
}

/// An address or a UUID that a platform gives to several devices names none of them. Four MI300A of
/// one board differ in the PCI domain alone, which AMD's driver does not state.
void drop_shared_identity(DeviceInfo& info, const std::vector<DeviceInfo>& others) {
  const auto drop = [&](std::optional<std::string> DeviceInfo::*member, std::string_view name) {
    const auto same = [&](const DeviceInfo& other) { return other.*member == info.*member; };
    const auto count = info.*member ? std::ranges::count_if(others, same) : 0;
    if (count == 0) return;
    info.lacks.push_back(fmt::format("{}: the driver gives {} to {} devices", name, *(info.*member), count + 1));
    (info.*member).reset();
  };
  drop(&DeviceInfo::uuid, "UUID");
  drop(&DeviceInfo::pci, "PCI address");
}

/// Devices of one platform can share a context.
std::vector<PeerDevice> peers(const std::vector<DeviceInfo>& others) {
  std::vector<PeerDevice> found;
  for (const DeviceInfo& other : others) {
    if (other.compile_only.empty()) found.push_back({.index = other.index, .name = other.name, .pci = other.pci});
  }
  return found;
}

}  // namespace

DeviceInfo describe(const DeviceQuery& query, std::uint32_t index) {
  DeviceInfo info;
  info.api = Api::opencl;
  info.index = index;
  info.open_index = index;
  info.type = device_type(query);
  identify(query, info);
  info.units = units(query, info, info.lacks);
  describe_memory(query, info);
  describe_dispatch(query, info);
  describe_arithmetic(query, info);
  describe_atomics(query, info);
  describe_subgroups(query, info);
  describe_matrices(query, info);
  describe_clocks(query, info);
  info.compile_only = why_compile_only(query);
  const std::vector<DeviceInfo> others = neighbours(query, index);
  drop_shared_identity(info, others);
  if (info.compile_only.empty()) info.peers = peers(others);
  return info;
}

}  // namespace percycle::opencl
