#include "device/opencl/platforms.hpp"

#include <fmt/format.h>

#include "device/driver_answers.hpp"
#include "device/opencl/errors.hpp"
#include "device/opencl/loader.hpp"

namespace percycle::opencl {

std::vector<cl_platform_id> platforms() {
  cl_uint count = 0;
  check(functions().clGetPlatformIDs(0, nullptr, &count), "clGetPlatformIDs");
  check_count(Api::opencl, "clGetPlatformIDs", count);
  std::vector<cl_platform_id> ids(count);
  if (count > 0) check(functions().clGetPlatformIDs(count, ids.data(), nullptr), "clGetPlatformIDs");
  return ids;
}

std::vector<cl_device_id> devices(cl_platform_id platform) {
  cl_uint count = 0;
  const cl_int code = functions().clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count);
  if (code == CL_DEVICE_NOT_FOUND) return {};
  check(code, "clGetDeviceIDs");
  check_count(Api::opencl, "clGetDeviceIDs", count);
  std::vector<cl_device_id> ids(count);
  if (count > 0) check(functions().clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, ids.data(), nullptr), "clGetDeviceIDs");
  return ids;
}

DeviceQuery find_device(std::uint32_t open_index) {
  std::uint32_t first = 0;
  for (const cl_platform_id platform : platforms()) {
    std::vector<cl_device_id> ids;
    try {
      ids = devices(platform);
    } catch (const DeviceError&) {
      continue;  // enumerate_opencl numbers no device of a failing platform
    }
    if (open_index - first < ids.size()) return {platform, ids[open_index - first]};
    first += static_cast<std::uint32_t>(ids.size());
  }
  throw DeviceError(Api::opencl, DeviceError::Kind::other, "clGetDeviceIDs",
                    fmt::format("{} devices, none of index {}", first, open_index));
}

}  // namespace percycle::opencl
