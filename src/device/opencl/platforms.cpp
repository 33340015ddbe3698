#include "device/opencl/platforms.hpp"

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

}  // namespace percycle::opencl
