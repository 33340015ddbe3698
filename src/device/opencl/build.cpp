#include "device/opencl/build.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <string>

#include "device/driver_answers.hpp"
#include "device/identity.hpp"
#include "device/opencl/errors.hpp"
#include "device/opencl/source.hpp"
#include "device/rules.hpp"

namespace percycle::opencl {
namespace {

std::string build_log(cl_program program, cl_device_id device) {
  std::size_t bytes = 0;
  if (functions().clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &bytes) != CL_SUCCESS) return {};
  if (bytes > kMostBinaryBytes) return fmt::format("(a build log of {} bytes was not read)", bytes);
  std::string log(bytes, '\0');
  if (functions().clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, bytes, log.data(), nullptr) != CL_SUCCESS)
    return {};
  log.resize(log.find_last_not_of(std::string_view("\0 \n", 3)) + 1);
  return log;
}

/// The lowest version with the needed features: clang declares functions of subgroups and of
/// cl_khr_kernel_clock from 2.0 on; cl_khr_kernel_clock and cl_ext_float_atomics are specified
/// against 3.0.
const char* language_version(const DeviceQuery& query, const Clocks& clocks, const KernelDesc& desc) {
  const bool ptx = clocks.unit == ClockSource::ptx;
  if (desc.float_atomics && !ptx) return "-cl-std=CL3.0";
  if (!clocks.needs_khr() && (!desc.later_opencl_c || ptx)) return "-cl-std=CL1.2";
  return query.version() >= 30 ? "-cl-std=CL3.0" : "-cl-std=CL2.0";
}

std::string build_options(const DeviceQuery& query, const Clocks& clocks, const KernelDesc& desc) {
  const std::string version = language_version(query, clocks, desc);
  return desc.optimize ? version : version + " -cl-opt-disable";
}

Program build_program(const DeviceQuery& query, cl_context context, const std::string& options, const std::string& source) {
  const Functions& cl = functions();
  cl_int code = CL_SUCCESS;
  const char* text = source.data();
  const std::size_t length = source.size();
  Program program(cl.clCreateProgramWithSource(context, 1, &text, &length, &code));
  check_made(code, program, "clCreateProgramWithSource", "program");
  const cl_device_id device = query.device();
  code = cl.clBuildProgram(program.get(), 1, &device, options.c_str(), nullptr, nullptr);
  if (code != CL_SUCCESS) fail(code, "clBuildProgram", build_log(program.get(), device));
  return program;
}

void check_argument_count(const KernelDesc& desc, cl_kernel kernel) {
  cl_uint count = 0;
  check(functions().clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof(count), &count, nullptr), "clGetKernelInfo");
  const std::size_t described = desc.bindings.size() + (desc.parameters.empty() ? 0 : 1);
  if (count != described) {
    throw std::invalid_argument(
        fmt::format("kernel '{}' takes {} arguments, its description gives {}", desc.name, count, described));
  }
}

/// One number of clGetKernelSubGroupInfo; empty if the driver is too old for the call.
std::optional<std::uint32_t> subgroup_number(const DeviceQuery& query, cl_kernel kernel, cl_kernel_sub_group_info key,
                                             std::size_t local_size) {
  // A loader may have the function while the driver's table holds a null pointer for it: the
  // driver's version decides.
  if (functions().clGetKernelSubGroupInfo == nullptr || query.version() < 21) return std::nullopt;
  if (query.number<cl_uint>(CL_DEVICE_MAX_NUM_SUB_GROUPS) == 0) return std::nullopt;
  const bool by_range = key == CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE;
  std::size_t answer = 0;
  const cl_int code = functions().clGetKernelSubGroupInfo(kernel, query.device(), key, by_range ? sizeof(local_size) : 0,
                                                          by_range ? &local_size : nullptr, sizeof(answer), &answer, nullptr);
  if (code != CL_SUCCESS || answer == 0) return std::nullopt;
  return static_cast<std::uint32_t>(answer);
}

void check_subgroup_size(const DeviceQuery& query, const KernelDesc& desc, cl_kernel kernel) {
  if (!desc.subgroup_size) return;
  const auto compiled = subgroup_number(query, kernel, kCompileSubGroupSizeIntel, desc.local_size);
  if (compiled && *compiled != *desc.subgroup_size) {
    throw DeviceError(Api::opencl, DeviceError::Kind::other, "clGetKernelSubGroupInfo",
                      fmt::format("subgroup size {} instead of {}", *compiled, *desc.subgroup_size));
  }
}

template <typename T>
std::optional<T> work_group_number(const DeviceQuery& query, cl_kernel kernel, cl_kernel_work_group_info key) {
  T answer{};
  const cl_int code = functions().clGetKernelWorkGroupInfo(kernel, query.device(), key, sizeof(answer), &answer, nullptr);
  return code == CL_SUCCESS ? std::optional(answer) : std::nullopt;
}

/// A compiled kernel may allow smaller work-groups than the device, e.g. for its registers.
/// NVIDIA's driver (580.159, H200) answers 256 for kernels that it runs with 1024.
void check_kernel_limit(const DeviceQuery& query, const KernelDesc& desc, cl_kernel kernel) {
  if (query.has("cl_nv_device_attribute_query")) return;
  const auto most = work_group_number<std::size_t>(query, kernel, CL_KERNEL_WORK_GROUP_SIZE);
  if (most && *most > 0) check_group_limit(desc, Api::opencl, *most);
}

}  // namespace

std::shared_ptr<OpenclKernel> build_kernel(const DeviceQuery& query, cl_context context, const Clocks& clocks,
                                           const KernelDesc& desc) {
  const Program program = build_program(query, context, build_options(query, clocks, desc), program_source(desc, clocks));
  cl_int code = CL_SUCCESS;
  KernelHandle kernel(functions().clCreateKernel(program.get(), desc.name.c_str(), &code));
  check_made(code, kernel, "clCreateKernel", "kernel");
  check_argument_count(desc, kernel.get());
  check_subgroup_size(query, desc, kernel.get());
  check_kernel_limit(query, desc, kernel.get());
  return std::make_shared<OpenclKernel>(std::move(kernel), desc);
}

std::optional<CodeInfo> code_info(const DeviceQuery& query, const DeviceInfo& info, const OpenclKernel& kernel) {
  CodeInfo code;
  code.subgroup_size = subgroup_number(query, kernel.kernel(), CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, kernel.local_size());
  if (!code.subgroup_size && (gpu_vendor(info) == "NVIDIA" || gpu_vendor(info) == "AMD")) {
    // The multiple is the warp or wavefront on these two; elsewhere it is a hint that may differ
    // from the subgroup.
    const auto multiple = work_group_number<std::size_t>(query, kernel.kernel(), CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE);
    if (multiple && *multiple > 1) code.subgroup_size = static_cast<std::uint32_t>(*multiple);
  }
  const auto add = [&](const char* name, cl_kernel_work_group_info key) {
    if (const auto bytes = work_group_number<cl_ulong>(query, kernel.kernel(), key)) code.statistics[name] = *bytes;
  };
  add("CL_KERNEL_PRIVATE_MEM_SIZE", CL_KERNEL_PRIVATE_MEM_SIZE);
  add("CL_KERNEL_LOCAL_MEM_SIZE", CL_KERNEL_LOCAL_MEM_SIZE);
  if (query.has("cl_intel_required_subgroup_size")) add("CL_KERNEL_SPILL_MEM_SIZE_INTEL", kSpillMemSizeIntel);
  if (!code.subgroup_size && code.statistics.empty()) return std::nullopt;
  return code;
}

std::vector<CodeBinary> code_binaries(const OpenclKernel& kernel) {
  const Functions& cl = functions();
  cl_program program = nullptr;
  check(cl.clGetKernelInfo(kernel.kernel(), CL_KERNEL_PROGRAM, sizeof(program), &program, nullptr), "clGetKernelInfo");
  std::size_t size = 0;  // for the context's one device
  check(cl.clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, nullptr), "clGetProgramInfo");
  if (size == 0) return {};
  check_size(Api::opencl, "clGetProgramInfo", size);
  std::string bytes(size, '\0');
  auto* to = reinterpret_cast<unsigned char*>(bytes.data());
  check(cl.clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(to), static_cast<void*>(&to), nullptr), "clGetProgramInfo");
  return {{"program binary", std::move(bytes), kernel.is_optimized()}};
}

}  // namespace percycle::opencl
