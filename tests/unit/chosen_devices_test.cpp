#include "session/chosen_devices.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "check_words.hpp"
#include "device/selector.hpp"

namespace percycle::chosen_devices_test {
namespace {

DeviceInfo device(Api api, std::uint32_t index, std::string pci, std::string platform = "its driver") {
  DeviceInfo info;
  info.api = api;
  info.index = index;
  info.type = DeviceType::gpu;
  info.vendor = "AMD";
  info.name = "A card";
  info.platform = std::move(platform);
  info.pci = std::move(pci);
  return info;
}

DeviceInfo cpu(std::uint32_t index) {
  DeviceInfo info = device(Api::opencl, index, "");
  info.type = DeviceType::cpu;
  return info;
}

/// "opencl:0 opencl:1" for each card and API.
std::vector<std::string> chosen(const std::vector<DeviceInfo>& devices) {
  std::vector<std::string> lines;
  for (const CardDrivers& same : once_per_card(devices, group_by_card(devices, "a CPU"))) {
    std::string line;
    for (const DeviceInfo& info : same) line += (line.empty() ? "" : " ") + selector(info);
    lines.push_back(line);
  }
  return lines;
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("chosen devices: the drivers of one API that show one card go together") {
  CHECK(chosen({device(Api::opencl, 0, "0000:03:00.0"), device(Api::opencl, 1, "0000:04:00.0"),
                device(Api::opencl, 2, "0000:03:00.0", "rusticl"), device(Api::vulkan, 0, "0000:03:00.0")}) ==
        Lines{"opencl:0 opencl:2", "opencl:1", "vulkan:0"});
}

TEST_CASE("chosen devices: a translation layer comes last") {
  CHECK(chosen({device(Api::vulkan, 0, "0000:03:00.0", "Dozen"), device(Api::vulkan, 1, "0000:03:00.0")}) ==
        Lines{"vulkan:1 vulkan:0"});
}

TEST_CASE("chosen devices: each driver of a CPU is measured") {
  CHECK(chosen({cpu(0), cpu(1)}) == Lines{"opencl:0", "opencl:1"});
}

TEST_CASE("chosen devices: the others are named with the option that measures them") {
  const DeviceInfo first = device(Api::opencl, 0, "0000:03:00.0");
  CHECK(same_card_note({first}, first).empty());
  CHECK_WORDS("same-card.two-others", same_card_note({first, device(Api::opencl, 1, "0000:03:00.0", "rusticl"),
                                                      device(Api::opencl, 2, "0000:03:00.0", "Clover")},
                                                     first));
}

}  // namespace percycle::chosen_devices_test
