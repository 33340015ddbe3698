#pragma once

#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "device/opencl/opencl.hpp"
#include "device/vulkan/vulkan.hpp"
#include "fake_device.hpp"
#include "measure/caching_device.hpp"

namespace percycle {

/// The devices of an API that can run kernels.
inline const std::vector<DeviceInfo>& devices(Api api) {
  const auto enumerate = [](Api wanted) {
    std::vector<DeviceInfo> found;
    const EnumerationSink sink{.device =
                                   [&](DeviceInfo info) {
                                     if (info.compile_only.empty()) found.push_back(std::move(info));
                                   },
                               .problem = [](const EnumerationProblem&) {}};
    wanted == Api::opencl ? enumerate_opencl(sink) : enumerate_vulkan(sink);
    return found;
  };
  static const std::vector<DeviceInfo> opencl = enumerate(Api::opencl);
  static const std::vector<DeviceInfo> vulkan = enumerate(Api::vulkan);
  return api == Api::opencl ? opencl : vulkan;
}

/// Opens each device that can run kernels and passes it to `check`.
inline void on_every_device(const std::function<void(Device&)>& check) {
  for (const Api api : {Api::opencl, Api::vulkan}) {
    for (const DeviceInfo& info : devices(api)) {
      const std::string selector = std::string(to_string(api)) + ":" + std::to_string(info.index) + " " + info.name;
      CAPTURE(selector);
      CachingDevice device(api == Api::opencl ? open_opencl(info.open_index) : open_vulkan(info.open_index));
      check(device);
    }
  }
}

/// The host's replacement for a device: it runs the kernels' emulations.
inline fake::FakeDevice host_like(const DeviceInfo& info) {
  fake::Script script;
  script.info = info;
  return fake::FakeDevice(script);
}

}  // namespace percycle
