#pragma once

#include <stdexcept>
#include <string>

#include "core/api.hpp"

namespace percycle {

/// A failed call of a graphics or compute API. Caught in measure/ only.
class DeviceError : public std::runtime_error {
 public:
  /// The kind of failure, which determines the caller's reaction.
  enum class Kind {
    build,          ///< the kernel did not compile; `log` has the reason
    out_of_memory,  ///< host or device memory
    lost,           ///< the device is gone, and all its handles with it
    unsupported,    ///< an optional feature that only an open device can report, and that it lacks
    other,
  };

  DeviceError(Api api, Kind kind, std::string call, std::string code, std::string log = {});

  Api api;
  Kind kind;
  std::string call;  ///< the API function, e.g. "vkQueueSubmit"
  std::string code;  ///< its symbolic result, e.g. "VK_ERROR_DEVICE_LOST"; empty: `log` tells
  std::string log;   ///< build log, cut to kMostLogBytes; may be empty
};

}  // namespace percycle
