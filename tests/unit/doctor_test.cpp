#include "session/doctor.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "check_words.hpp"
#include "session/machine_checks.hpp"

namespace percycle::doctor_test {
namespace {

DeviceInfo gpu(Api api, std::uint32_t index, const std::string& driver) {
  DeviceInfo device;
  device.api = api;
  device.index = index;
  device.type = DeviceType::gpu;
  device.vendor = "NVIDIA";
  device.name = "Some GPU";
  device.driver = driver;
  return device;
}

std::string names_of(const std::vector<DeviceCheck>& checks) {
  std::string names;
  for (const DeviceCheck& check : checks) names += std::string(to_string(check.verdict)) + " " + check.name + "; ";
  return names;
}

TEST_CASE("doctor: a quarter of the cores makes a machine busy") {
  CHECK(load_check(0.24).verdict == CheckVerdict::good);
  CHECK(load_check(0.25).verdict == CheckVerdict::doubtful);
  CHECK(load_check(std::nullopt).verdict == CheckVerdict::missing);
}

TEST_CASE("doctor: a sound machine has no check of its drivers") {
  const Enumeration sound{{gpu(Api::opencl, 0, "1"), gpu(Api::vulkan, 0, "1")}, {}};
  CHECK(names_of(driver_checks(sound, {}, {}, "CPU")).empty());
}

TEST_CASE("doctor: faults of drivers, closed nodes, missing GPUs and cards that appear twice are named") {
  Enumeration twice{{gpu(Api::opencl, 0, "1"), gpu(Api::opencl, 1, "2")}, {}};
  for (DeviceInfo& device : twice.devices) device.pci = "0000:3b:00.0";
  CHECK(names_of(driver_checks(twice, {}, {}, "CPU")) == "doubtful duplicates; ");
  Enumeration none;
  none.problems.push_back({Api::opencl, "/etc/OpenCL/vendors/some.icd", "cannot open it"});
  const auto checks = driver_checks(none, {"/dev/dri/renderD128"}, {}, "CPU");
  CHECK(names_of(checks) == "missing drivers; missing permissions; missing GPU; ");
  Diagnosis diagnosis;
  diagnosis.machine = checks;
  diagnosis.devices.push_back({gpu(Api::vulkan, 0, "1.2"), {{"units", CheckVerdict::good, "24 by the driver, 24 by time"}}});
  CHECK_WORDS("doctor.text", diagnosis_text(diagnosis));
  CHECK(diagnosis_json(diagnosis)["devices"][0]["checks"][0]["verdict"] == "good");
}

}  // namespace
}  // namespace percycle::doctor_test
