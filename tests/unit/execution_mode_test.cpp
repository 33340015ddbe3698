#include "experiments/common/execution_mode.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "check_words.hpp"
#include "core/error.hpp"
#include "device/wgp_mode.hpp"
#include "fake_device.hpp"
#include "platform/environment.hpp"
#include "session/driver_environment.hpp"
#include "test_system.hpp"

namespace percycle::execution_mode_test {
namespace {

constexpr const char* kKernelBandwidths[] = {"l1-bandwidth", "local-bandwidth", "cache-bandwidth", "dram-bandwidth"};

/// From a small plan, so that preparing it is quick.
std::vector<Point> planned(const char* name, const DeviceInfo& device, const std::string& subgroup_size,
                           Preset preset = Preset::quick) {
  const std::vector<const Experiment*> one{find_experiment(name)};
  std::map<std::string, std::string> set{{"subgroup_size", subgroup_size}};
  if (std::string(name) == "cache-bandwidth") set["max_footprint"] = set["units_footprint"] = "256K";
  if (std::string(name) == "dram-bandwidth") set["footprint"] = "2M";
  return one.front()->plan(device, make_options(one, set, preset, 1).front(), {});
}

/// The first point of the plan, prepared.
Trial prepared(const char* name, const DeviceInfo& device, const std::string& subgroup_size) {
  fake::Script script;
  script.info = device;
  fake::FakeDevice fake(script);
  return find_experiment(name)->prepare(fake, planned(name, device, subgroup_size).front(), 1);
}

TEST_CASE("execution mode: every experiment of a kernel's bandwidth takes a subgroup size, in every point of its plan") {
  DeviceInfo device = fake::gpu();
  for (const char* name : kKernelBandwidths) {
    CAPTURE(name);
    for (const Point& point : planned(name, device, "auto")) CHECK_FALSE(required_subgroup_size(point));
    for (const Point& point : planned(name, device, "16")) {
      CHECK(required_subgroup_size(point) == 16u);
      CHECK_WORDS("device.fixed-subgroup-size", find_experiment(name)->unsupported(device, point));
    }
    DeviceInfo choosing = device;
    choosing.subgroup_size_control = true;
    choosing.subgroup_sizes = {16, 32};
    for (const Point& point : planned(name, choosing, "16")) CHECK_FALSE(find_experiment(name)->unsupported(choosing, point));
    CHECK_WORDS("device.no-subgroup-size-8", find_experiment(name)->unsupported(choosing, planned(name, choosing, "8").front()));
  }
}

TEST_CASE("execution mode: a device with few subgroups per work-group gets work-groups that fit") {
  DeviceInfo device = fake::gpu();
  device.subgroup_size_control = true;
  device.subgroup_sizes = {8, 32};
  device.max_subgroups = 32;
  CHECK(largest_group(device, std::nullopt) == 1024);
  CHECK(largest_group(device, 8) == 256);
  CHECK(largest_group(device, 32) == 1024);
  CHECK_FALSE(group_unsupported(device, 256, 8));
  CHECK_WORDS("execution-mode.group-size-256", group_unsupported(device, 257, 8));
  CHECK_FALSE(group_unsupported(device, 1024, std::nullopt));
  CHECK_WORDS("device.group-size-1024", group_unsupported(device, 1025, std::nullopt));
  for (const char* name : kKernelBandwidths) {
    for (const Preset preset : {Preset::quick, Preset::standard}) {
      const auto points = planned(name, device, "8", preset);
      for (const Point& point : points) {
        CAPTURE(to_string(point));
        CHECK_FALSE(find_experiment(name)->unsupported(device, point));
      }
    }
  }
}

TEST_CASE("execution mode: a chosen mode is in the kernel and the record, others are observed or unknown") {
  DeviceInfo device = fake::gpu();
  device.subgroup_size_control = true;
  device.subgroup_sizes = {16, 32};
  DeviceInfo silent = fake::gpu();
  silent.subgroup_sizes.clear();
  for (const char* name : kKernelBandwidths) {
    CAPTURE(name);
    const Trial chosen = prepared(name, device, "32");
    CHECK(dynamic_cast<fake::FakeKernel&>(*chosen.timed.dispatch.kernel).desc.subgroup_size == 32u);
    CHECK(chosen.observed.at("subgroup_size") == "32");
    CHECK_FALSE(chosen.observed.contains("wgp_mode"));
    const Trial observed = prepared(name, device, "auto");
    CHECK_FALSE(dynamic_cast<fake::FakeKernel&>(*observed.timed.dispatch.kernel).desc.subgroup_size);
    CHECK(observed.observed.at("subgroup_size") == "16");
    CHECK(prepared(name, silent, "auto").observed.at("subgroup_size") == "unknown");
  }
}

TEST_CASE("execution mode: AMD's wgp_mode comes from OpenCL's environment; Vulkan does not report it") {
  DeviceInfo opencl = fake::gpu();
  opencl.vendor = "AMD";
  DeviceInfo vulkan = fake::gpu(Api::vulkan);
  vulkan.vendor = "AMD";
  set_environment_variable("GPU_ENABLE_WGP_MODE", "0");
  for (const char* name : kKernelBandwidths) {
    CAPTURE(name);
    CHECK(prepared(name, opencl, "auto").observed.at("wgp_mode") == "cu");
    CHECK(prepared(name, vulkan, "auto").observed.at("wgp_mode") == "unknown");
  }
  test_system::unset_variable("GPU_ENABLE_WGP_MODE");
  CHECK(prepared("dram-bandwidth", opencl, "auto").observed.at("wgp_mode") == "unknown");
}

TEST_CASE("execution mode: a compute unit of AMD's OpenCL is half a WGP in CU mode, else a WGP") {
  CHECK(work_group_processors(40) == 40);
  set_environment_variable("GPU_ENABLE_WGP_MODE", "1");
  CHECK(work_group_processors(40) == 40);
  set_environment_variable("GPU_ENABLE_WGP_MODE", "0");
  CHECK(work_group_processors(80) == 40);
  test_system::unset_variable("GPU_ENABLE_WGP_MODE");
}

TEST_CASE("execution mode: wgp_mode applies only to AMD's OpenCL on RDNA, and to all kernels of a run") {
  DeviceInfo rdna = fake::gpu();
  rdna.vendor = "AMD";
  rdna.compute_capability = "gfx1030";
  DeviceInfo gcn = rdna;
  gcn.compute_capability = "gfx803";
  DeviceInfo vulkan = rdna;
  vulkan.api = Api::vulkan;
  for (const char* name : kKernelBandwidths) {
    CAPTURE(name);
    const std::vector<const Experiment*> one{find_experiment(name)};
    const Point point = one.front()->plan(rdna, make_options(one, {{"wgp_mode", "cu"}}, Preset::quick, 1).front(), {}).front();
    CHECK(word(point.parameters, "wgp_mode") == "cu");
    CHECK_FALSE(wgp_mode_unsupported(rdna, point));
    for (const DeviceInfo& other : {gcn, vulkan, fake::gpu()})
      CHECK_WORDS("execution-mode.rdna-only", one.front()->unsupported(other, point));
  }
  for (const auto& [mode, setting] : {std::pair{"cu", "0"}, {"wgp", "1"}}) {
    export_wgp_mode({{"wgp_mode", mode}});
    CHECK(environment_variable("GPU_ENABLE_WGP_MODE") == setting);
    CHECK(wgp_mode_asked() == mode);
  }
  export_wgp_mode({{"wgp_mode", "auto"}, {"path", "global"}});
  CHECK(wgp_mode_asked() == "wgp");  // as it was
  test_system::unset_variable("GPU_ENABLE_WGP_MODE");
  export_wgp_mode({});
  CHECK_FALSE(wgp_mode_asked());
  CHECK_THROWS_WITH_AS(export_wgp_mode({{"l1-bandwidth.wgp_mode", "cu"}}),
                       "--set l1-bandwidth.wgp_mode=cu: wgp_mode holds for a whole run", UsageError);
}

}  // namespace
}  // namespace percycle::execution_mode_test
