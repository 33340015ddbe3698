#include "measure/unit_count.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "session/device_checks.hpp"
#include "sim/model.hpp"
#include "sim/sim.hpp"

namespace percycle::unit_count_test {
namespace {

double rounds(std::uint32_t groups, std::uint32_t units) { return static_cast<double>((groups + units - 1) / units); }

TEST_CASE("unit count: the number after which a work-group more takes twice the time") {
  for (const std::uint32_t units : {1u, 2u, 3u, 5u, 8u, 24u, 40u, 132u, 256u, 4096u}) {
    CAPTURE(units);
    const auto counted = count_units([&](std::uint32_t groups) { return 7 * rounds(groups, units); });
    REQUIRE(counted);
    CHECK(counted->count == units);
    CHECK(counted->confidence > 0.9);
  }
}

TEST_CASE("unit count: a disturbed dispatch changes nothing, as most are not") {
  std::uint32_t calls = 0;
  const auto counted = count_units([&](std::uint32_t groups) { return rounds(groups, 24) * (++calls % 3 == 0 ? 3 : 1); });
  REQUIRE(counted);
  CHECK(counted->count == 24);
  CHECK(counted->confidence > 0.9);
}

TEST_CASE("unit count: without a second step nobody is sure") {
  // Two work-groups of a unit hide each other's waits, and three do not.
  const auto counted = count_units([](std::uint32_t groups) { return std::max(1.0, groups / 24.0); });
  REQUIRE(counted);
  CHECK(counted->confidence < 0.7);
  CHECK_FALSE(count_units([](std::uint32_t) { return 1.0; }));
}

/// The checks of a simulated V100, which has 80 units, whose driver states another number.
DeviceChecks check_v100(std::uint32_t reported, DeviceType type = DeviceType::gpu) {
  sim::Model model = sim::parse_model(sim::shipped_model_text("v100"), "v100");
  model.reported_units = reported;
  model.type = type;
  CorrectedDevice device(open_sim(std::move(model), "sim:v100"), std::nullopt);
  TimerCheck timer(device, device);
  DeviceChecks checked = check_device(device, device, timer);
  CHECK(device.info().units->value == checked.units.value_or(reported));
  return checked;
}

TEST_CASE("unit count: a wrong number of the driver is replaced by the number that time shows") {
  for (const std::uint32_t wrong : {160u, 40u, 66u}) {
    CAPTURE(wrong);
    const DeviceChecks checked = check_v100(wrong);
    CHECK(checked.units == 80);
    REQUIRE(checked.checks.size() == 1);
    CHECK(checked.checks[0].name == "units");
    CHECK(checked.checks[0].verdict == CheckVerdict::doubtful);
    CHECK(checked.warnings.size() == 1);
  }
}

TEST_CASE("unit count: a right number stays, and the number of a CPU stays always") {
  const DeviceChecks right = check_v100(80);
  CHECK_FALSE(right.units);
  CHECK(right.checks.at(0).verdict == CheckVerdict::good);
  CHECK(right.warnings.empty());
  const DeviceChecks cpu = check_v100(40, DeviceType::cpu);
  CHECK_FALSE(cpu.units);
  CHECK(cpu.checks.at(0).verdict == CheckVerdict::missing);
}

}  // namespace
}  // namespace percycle::unit_count_test
