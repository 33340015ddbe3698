#include "report/spoiling_checks.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace percycle::spoiling_checks_test {
namespace {

constexpr const char* kMade = "2026-11-21T09:30:00Z";

std::vector<std::string> spoiling(std::vector<DeviceCheck> checks) {
  Header header;
  header.checks = std::move(checks);
  std::vector<std::string> names;
  for (const SpoilingCheck& check : spoiling_checks(header)) names.push_back(check.name + ": " + check.text);
  return names;
}

}  // namespace

TEST_CASE("spoiling checks: the doubtful ones of the run") {
  CHECK(spoiling({{"load", CheckVerdict::good, "idle"},
                  {"timer", CheckVerdict::doubtful, "too slow"},
                  {"telemetry", CheckVerdict::missing, "none"}}) == std::vector<std::string>{"timer: too slow"});
}

TEST_CASE("spoiling checks: those of doctor have its date, and are left out if the run checked again") {
  CHECK(spoiling({{"timer", CheckVerdict::good, "right now"},
                  {"timer", CheckVerdict::doubtful, "too slow", kMade},
                  {"clock", CheckVerdict::doubtful, "two differ", kMade},
                  {"units", CheckVerdict::good, "2", kMade}}) ==
        std::vector<std::string>{"clock (doctor, 2026-11-21): two differ"});
}

}  // namespace percycle::spoiling_checks_test
