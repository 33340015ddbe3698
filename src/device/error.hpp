#pragma once

#include <stdexcept>
#include <string>

#include "core/api.hpp"

namespace percycle {

/// A call of a graphics or compute API that did not succeed. Caught in measure/ only.
class DeviceError : public std::runtime_error {
 public:
  /// What the caller can do about it.
  enum class Kind {
    build,          ///< the kernel did not compile; `log` says why
    out_of_memory,  ///< host or device memory
    lost,           ///< the device is gone; every handle of it is dead
    unsupported,    ///< something optional that only an open device can be asked for, and that it does not have
    other,
  };

  DeviceError(Api api, Kind kind, std::string call, std::string code, std::string log = {});

  Api api;
  Kind kind;
  std::string call;  ///< the API function, e.g. "vkQueueSubmit"
  std::string code;  ///< its symbolic result, e.g. "VK_ERROR_DEVICE_LOST"
  std::string log;   ///< the compiler's build log, cut to kMostLogBytes; empty where there is none
};

}  // namespace percycle
