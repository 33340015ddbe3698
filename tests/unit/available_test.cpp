#include "session/available.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/error.hpp"
#include "device/selector.hpp"
#include "unit/store_examples.hpp"

namespace percycle::available_test {
namespace {

/// A machine with one device that counts its enumerations.
struct Machine {
  std::vector<std::string> available(const std::vector<std::string>& selectors) {
    std::vector<std::string> names;
    const Enumeration all = percycle::available(selectors, [this] {
      ++enumerations;
      Enumeration one;
      one.devices.emplace_back();
      return one;
    });
    for (const DeviceInfo& info : all.devices) names.push_back(selector(info));
    return names;
  }

  int enumerations = 0;
};

using Names = std::vector<std::string>;

TEST_CASE("available: selectors of simulated devices only wait for no driver") {
  Machine machine;
  CHECK(machine.available({"sim:t4", "sim:v100", "sim:t4"}) == Names{"sim:t4", "sim:v100"});
  CHECK(machine.enumerations == 0);
}

TEST_CASE("available: named simulated devices follow the drivers' devices") {
  Machine machine;
  CHECK(machine.available({}) == Names{"opencl:0"});
  CHECK(machine.available({"H200"}) == Names{"opencl:0"});
  CHECK(machine.available({"sim:t4", "opencl:0"}) == Names{"opencl:0", "sim:t4"});
  CHECK(machine.enumerations == 3);
}

TEST_CASE("available: an unknown model is refused before any driver is queried") {
  Machine machine;
  const examples::Folder folder;
  CHECK_THROWS_AS(machine.available({"opencl:0", "sim:t5"}), UsageError);
  CHECK_THROWS_AS(machine.available({"sim:" + (folder / "none.toml").string()}), UsageError);
  CHECK_THROWS_AS(machine.available({"sim:"}), UsageError);
  CHECK(machine.enumerations == 0);
}

}  // namespace
}  // namespace percycle::available_test
