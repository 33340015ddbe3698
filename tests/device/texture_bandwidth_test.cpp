// The kernel of texture-bandwidth ends as the host expects on every device of both APIs: every
// format and block, apart, and with the rows of 64 lanes.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "described_device.hpp"
#include "every_device.hpp"
#include "experiments/experiment.hpp"

namespace percycle::texture_bandwidth_test {
namespace {

Point point(const std::string& format, std::int64_t width, const std::string& block, std::int64_t stride) {
  return {"texture-bandwidth",
          {{"test", std::string("stride")},
           {"format", format},
           {"width", width},
           {"block", block},
           {"stride", stride},
           {"footprint", 1024 * width * stride},
           {"group_size", std::int64_t{64}},
           {"groups_per_unit", std::int64_t{1}}}};
}

Point filtered(const std::string& format, std::int64_t width, const std::string& filter) {
  Point example = point(format, width, "4x8", 1);
  example.parameters.erase("block");
  example.parameters.erase("stride");
  example.parameters["test"] = std::string("filter");
  example.parameters["filter"] = filter;
  return example;
}

/// A device whose subgroups have that many lanes, as far as experiments can tell.
class LanesDevice final : public DescribedDevice {
 public:
  LanesDevice(Device& device, std::uint32_t lanes) : DescribedDevice(device, described(device.info(), lanes)) {}

 private:
  static DeviceInfo described(DeviceInfo info, std::uint32_t lanes) {
    info.units = Sourced<std::uint32_t>{2, Provenance::reported};
    info.subgroup_sizes = {lanes};
    info.subgroup_size_control = false;
    return info;
  }
};

TEST_CASE("texture bandwidth: the kernel ends as the host expects on every device, and other texels are caught") {
  const Experiment& experiment = *find_experiment("texture-bandwidth");
  on_every_device([&](Device& real) {
    for (const std::uint32_t lanes : {32u, 64u}) {
      CAPTURE(lanes);
      LanesDevice device(real, lanes);
      for (const Point& each :
           {point("r32-uint", 4, "32x1", 1), point("r32-uint", 4, "8x4", 4), point("rg32-uint", 8, "4x8", 1),
            point("rgba32-uint", 16, "1x32", 2), point("rgba16-uint", 8, "8x4", 1), point("rgba16-float", 8, "4x8", 1),
            point("rgba8-uint", 4, "1x32", 1), point("rgba8-unorm", 4, "32x1", 2), point("r32-float", 4, "8x4", 1),
            point("rgba32-float", 16, "4x8", 1), point("r8-unorm", 1, "4x8", 1), filtered("r8-unorm", 1, "linear"),
            filtered("rgba8-unorm", 4, "nearest"), filtered("rgba8-unorm", 4, "linear"), filtered("rgba16-float", 8, "linear"),
            filtered("r32-float", 4, "nearest"), filtered("rgba32-float", 16, "linear")}) {
        CAPTURE(to_string(each));
        REQUIRE_FALSE(experiment.unsupported(device.info(), each));
        try {
          Trial trial = experiment.prepare(device, each, 7);
          for (const std::uint32_t loops : {0u, 1u, 3u}) {
            trial.timed.dispatch.parameters.at("loops") = loops;
            device.run(trial.timed.dispatch);
            const Outcome outcome = trial.timed.verify(device, loops);
            CHECK_MESSAGE(outcome.status == Status::ok, outcome.reason);
            CHECK(trial.timed.verify(device, loops + 1).status == Status::invalid);
          }
          trial.timed.dispatch.bindings[0] = experiment.prepare(device, each, 8).timed.dispatch.bindings[0];
          device.run(trial.timed.dispatch);
          CHECK(trial.timed.verify(device, 3).status == Status::invalid);
        } catch (const DeviceError& error) {
          CHECK_MESSAGE(error.kind == DeviceError::Kind::unsupported, error.what());
          CHECK((device.info().api == Api::opencl && word(each.parameters, "format") == "rg32-uint"));
        }
      }
    }
  });
}

}  // namespace
}  // namespace percycle::texture_bandwidth_test
