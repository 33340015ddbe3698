#include "device/opencl/query.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <sstream>

#include "device/driver_answers.hpp"

namespace percycle::opencl {

std::string tidy(std::string_view text) {
  std::istringstream words{std::string(text.substr(0, text.find('\0')))};
  std::string result;
  for (std::string word; words >> word;) result += (result.empty() ? "" : " ") + word;
  return result;
}

std::string platform_text(cl_platform_id platform, cl_platform_info key) {
  std::size_t bytes = 0;
  if (functions().clGetPlatformInfo(platform, key, 0, nullptr, &bytes) != CL_SUCCESS || bytes > kMostTextBytes) return {};
  std::string text(bytes, '\0');
  if (functions().clGetPlatformInfo(platform, key, bytes, text.data(), nullptr) != CL_SUCCESS) return {};
  return cut_text(tidy(text), kMostNameBytes);
}

DeviceQuery::DeviceQuery(cl_platform_id platform, cl_device_id device) : platform_(platform), device_(device) {
  std::istringstream words(text(CL_DEVICE_EXTENSIONS));
  for (std::string word; words >> word;) extensions_.insert(word);
  int major = 0;
  int minor = 0;
  if (std::sscanf(text(CL_DEVICE_VERSION).c_str(), "OpenCL %d.%d", &major, &minor) == 2) version_ = 10 * major + minor;
}

std::string DeviceQuery::text(cl_device_info key) const {
  std::size_t bytes = 0;
  if (functions().clGetDeviceInfo(device_, key, 0, nullptr, &bytes) != CL_SUCCESS || bytes > kMostTextBytes) return {};
  std::string text(bytes, '\0');
  if (functions().clGetDeviceInfo(device_, key, bytes, text.data(), nullptr) != CL_SUCCESS) return {};
  return key == CL_DEVICE_EXTENSIONS ? tidy(text) : cut_text(tidy(text), kMostNameBytes);
}

std::vector<std::size_t> DeviceQuery::sizes(cl_device_info key) const {
  std::size_t bytes = 0;
  if (functions().clGetDeviceInfo(device_, key, 0, nullptr, &bytes) != CL_SUCCESS || bytes > kMostTextBytes) return {};
  std::vector<std::size_t> values(bytes / sizeof(std::size_t));
  if (functions().clGetDeviceInfo(device_, key, values.size() * sizeof(std::size_t), values.data(), nullptr) != CL_SUCCESS)
    return {};
  return values;
}

std::string DeviceQuery::version_text() const { return fmt::format("{}.{}", version_ / 10, version_ % 10); }

}  // namespace percycle::opencl
