#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "device/opencl/loader.hpp"

namespace percycle::opencl {

/// Without leading and trailing blanks and without doubled ones inside (drivers pad names).
std::string tidy(std::string_view text);

/// The platform's text, tidied and cut to kMostNameBytes; empty where it does not say.
std::string platform_text(cl_platform_id platform, cl_platform_info what);

/// Asks one device. Every query may go unanswered: drivers refuse what their version or extensions do not know.
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

  /// A number that is 0 where the driver does not say.
  template <typename T>
  T number(cl_device_info what) const {
    return value<T>(what).value_or(T{});
  }

  /// A number that cannot be 0: absent where the driver says 0 or nothing.
  template <typename T>
  std::optional<T> positive(cl_device_info what) const {
    const std::optional<T> answer = value<T>(what);
    return answer && *answer != T{} ? answer : std::nullopt;
  }

  /// Tidied, and but for the extensions cut to kMostNameBytes; empty where the driver does not say.
  std::string text(cl_device_info what) const;

  std::vector<std::size_t> sizes(cl_device_info what) const;

  /// Whether the device's extension string names `extension`.
  bool has(std::string_view extension) const { return extensions_.contains(extension); }

  /// CL_DEVICE_VERSION as 10 * major + minor, e.g. 12; 0 where it cannot be read.
  int version() const { return version_; }
  std::string version_text() const;

 private:
  cl_platform_id platform_;
  cl_device_id device_;
  std::set<std::string, std::less<>> extensions_;
  int version_ = 0;
};

}  // namespace percycle::opencl
