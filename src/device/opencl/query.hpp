#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "device/opencl/loader.hpp"

namespace percycle::opencl {

/// The text without leading, trailing and doubled blanks (drivers pad names).
std::string tidy(std::string_view text);

/// The platform's text, tidied and cut to kMostNameBytes; empty if it is not reported.
std::string platform_text(cl_platform_id platform, cl_platform_info what);

/// Queries one device. Every query may fail: drivers refuse those that their version or extensions
/// lack.
class DeviceQuery {
 public:
  DeviceQuery(cl_platform_id platform, cl_device_id device);

  cl_platform_id platform() const { return platform_; }
  cl_device_id device() const { return device_; }

  template <typename T>
  std::optional<T> value(cl_device_info what) const {
    T answer{};
    if (functions().clGetDeviceInfo(device_, what, sizeof(T), &answer, nullptr) != CL_SUCCESS) return std::nullopt;
    return answer;
  }

  /// The number, 0 if the driver does not report it.
  template <typename T>
  T number(cl_device_info what) const {
    return value<T>(what).value_or(T{});
  }

  /// A number that cannot be 0: empty if the driver reports 0 or nothing.
  template <typename T>
  std::optional<T> positive(cl_device_info what) const {
    const std::optional<T> answer = value<T>(what);
    return answer && *answer != T{} ? answer : std::nullopt;
  }

  /// Tidied and, except for the extensions, cut to kMostNameBytes; empty if the driver does not
  /// report it.
  std::string text(cl_device_info what) const;

  std::vector<std::size_t> sizes(cl_device_info what) const;

  /// Whether the device's extension string names `extension`.
  bool has(std::string_view extension) const { return extensions_.contains(extension); }

  /// CL_DEVICE_VERSION as 10 * major + minor, e.g. 12; 0 if it cannot be read.
  int version() const { return version_; }
  std::string version_text() const;

 private:
  cl_platform_id platform_;
  cl_device_id device_;
  std::set<std::string, std::less<>> extensions_;
  int version_ = 0;
};

}  // namespace percycle::opencl
