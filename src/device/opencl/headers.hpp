#pragma once

// The only includer of CL headers. It uses the prototypes for their types alone (decltype(&clFoo)):
// no loader is linked, so direct calls do not link. Newer headers (2023.12 on) honour
// CL_NO_PROTOTYPES in cl.h, hence the #undef.
#undef CL_NO_PROTOTYPES
// clCreateCommandQueue is the one way to make a queue in OpenCL 1.2 to 3.0.
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

namespace percycle::opencl {

// Queries of extensions. They are defined here because the supported distributions' headers differ
// in which of them they have. This one: cl_khr_device_uuid
inline constexpr cl_device_info kDeviceUuid = 0x106A;
inline constexpr std::size_t kUuidBytes = 16;
// cl_khr_pci_bus_info
inline constexpr cl_device_info kPciBusInfo = 0x410F;
struct PciBusInfo {
  cl_uint domain = 0;
  cl_uint bus = 0;
  cl_uint device = 0;
  cl_uint function = 0;
};
// cl_khr_kernel_clock
inline constexpr cl_device_info kKernelClockCapabilities = 0x1076;
inline constexpr cl_bitfield kKernelClockDevice = 1u << 0;
inline constexpr cl_bitfield kKernelClockWorkGroup = 1u << 1;
inline constexpr cl_bitfield kKernelClockSubGroup = 1u << 2;
// cl_ext_float_atomics
inline constexpr cl_device_info kSingleFpAtomicCapabilities = 0x4231;
inline constexpr cl_bitfield kGlobalFpAtomicAdd = 1u << 1;
inline constexpr cl_bitfield kLocalFpAtomicAdd = 1u << 17;
// cl_nv_device_attribute_query
inline constexpr cl_device_info kComputeCapabilityMajorNv = 0x4000;
inline constexpr cl_device_info kComputeCapabilityMinorNv = 0x4001;
inline constexpr cl_device_info kWarpSizeNv = 0x4003;
inline constexpr cl_device_info kPciBusNv = 0x4008;
// device in bits 3 and up, function in bits 0 to 2
inline constexpr cl_device_info kPciSlotNv = 0x4009;
inline constexpr cl_device_info kPciDomainNv = 0x400A;
// cl_amd_device_attribute_query
inline constexpr cl_device_info kTopologyAmd = 0x4037;
inline constexpr cl_device_info kBoardNameAmd = 0x4038;
inline constexpr cl_device_info kWavefrontWidthAmd = 0x4043;
inline constexpr cl_uint kTopologyTypePcieAmd = 1;
struct TopologyAmd {
  cl_uint type = 0;
  cl_uchar unused[17] = {};
  cl_uchar bus = 0;
  cl_uchar device = 0;
  cl_uchar function = 0;
};
static_assert(sizeof(TopologyAmd) == 24);
// cl_intel_device_attribute_query
inline constexpr cl_device_info kIpVersionIntel = 0x4250;
inline constexpr cl_device_info kSlicesIntel = 0x4252;
inline constexpr cl_device_info kSubSlicesPerSliceIntel = 0x4253;
// cl_intel_required_subgroup_size
inline constexpr cl_device_info kSubGroupSizesIntel = 0x4108;
inline constexpr cl_kernel_work_group_info kSpillMemSizeIntel = 0x4109;
inline constexpr cl_kernel_sub_group_info kCompileSubGroupSizeIntel = 0x410A;

}  // namespace percycle::opencl
