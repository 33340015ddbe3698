#include "device/opencl/describe.hpp"
#include "device/opencl/loader.hpp"
#include "device/opencl/opencl.hpp"
#include "device/opencl/platforms.hpp"

namespace percycle {
namespace {

/// Devices are numbered over all platforms. A device whose description fails keeps its number, so
/// that open_opencl counts the same.
void enumerate_platform(cl_platform_id platform, std::uint32_t& index, const EnumerationSink& sink) {
  const std::string name = opencl::platform_text(platform, CL_PLATFORM_NAME);
  const auto problem = [&](std::string reason) {
    sink.problem({.api = Api::opencl, .where = name.empty() ? "a platform without a name" : name, .message = std::move(reason)});
  };
  try {
    const std::vector<cl_device_id> devices = opencl::devices(platform);
    if (devices.empty()) problem("the platform offers no device");
    for (const cl_device_id device : devices) sink.device(opencl::describe(opencl::DeviceQuery(platform, device), index++));
  } catch (const DeviceError& error) {
    problem(error.what());
  }
}

}  // namespace

void enumerate_opencl(const EnumerationSink& sink) {
  if (const std::string& problem = opencl::loader_problem(); !problem.empty()) {
    sink.problem({.api = Api::opencl, .where = "loader", .message = problem});
    return;
  }
  try {
    std::uint32_t index = 0;
    for (const cl_platform_id platform : opencl::platforms()) enumerate_platform(platform, index, sink);
  } catch (const DeviceError& error) {
    sink.problem({.api = Api::opencl, .where = "loader", .message = error.what()});
  }
}

}  // namespace percycle
