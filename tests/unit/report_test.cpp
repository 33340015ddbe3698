#include <doctest/doctest.h>

#include "report/show.hpp"
#include "report/table.hpp"
#include "report/tally.hpp"
#include "unit/store_examples.hpp"

namespace percycle {
namespace {

TEST_CASE("table: columns are as wide as their widest cell, counted in characters") {
  const Table table{{{"word", Align::left}, {"µs", Align::right}, {"", Align::left}},
                    {{{"a", "1.5", ""}, ""}, {{"longer", "100.25", "[1]"}, ""}, {{"µ"}, "failed: much longer than the columns"}}};
  CHECK(render(table, "  ") ==
        "  word        µs\n"
        "  a          1.5\n"
        "  longer  100.25  [1]\n"
        "  µ       failed: much longer than the columns\n");
  CHECK(display_width("µ±a") == 3);
}

Measurement plain(double ns, double mad, double cycles, double mhz) {
  Measurement measurement;
  measurement.time_source = "in-kernel clock";
  measurement.statistics["ns_per_op"] = {ns, mad, ns, ns, 5};
  measurement.statistics["device_ns_per_op"] = {ns + 1, mad, ns, ns, 5};
  measurement.statistics["cycles_per_op"] = {cycles, 0, cycles, cycles, 5};
  measurement.clock_mhz = Sourced<double>{mhz, Provenance::measured_in_kernel};
  return measurement;
}

PointRecord record(Point point, Outcome outcome, std::optional<Measurement> measurement) {
  return {"0123456789abcdef", {std::move(point), std::move(outcome), std::move(measurement)}};
}

TEST_CASE("show: the whole text of a small run") {
  LoadedFile file;
  file.headers = {examples::header()};
  Measurement warned = plain(200.04, 1.0002, 396.08, 1980.4);
  warned.warnings = {"device and host time disagree by 12 %", "clock moved"};
  Measurement also_warned = plain(16.5, 0.33, 32.67, 1980);
  also_warned.warnings = {"clock moved"};
  file.entries = {
      record(examples::point(65536), {}, also_warned),
      record(examples::point(1024), {Status::failed, "timed out"}, std::nullopt),
      record(examples::point(1048576), {}, warned),
      record(examples::point(536870912), {Status::unsupported, "needs 512 MiB, the device allocates 128 MiB\nsecond line"},
             std::nullopt),
      Started{"0123456789abcdef", examples::point(2048)},
      record(examples::point(1024), {}, plain(16.25, 0, 32.175, 1980)),
  };
  CHECK(show(file) ==
        R"(Some GPU (opencl 3.0, driver 580.159.04)
132 x SM (reported), measured 2026-11-21T09:30:00Z, preset quick, percycle 0.1.0 (abc1234)

latency: path=global, clock: measured-in-kernel, time: in-kernel clock
  footprint  ns/load  MAD %  n  cycles/load  clock MHz
      1 KiB    16.25   0.00  5        32.17       1980
     64 KiB    16.50   2.00  5        32.67       1980  [1]
      1 MiB    200.0   0.50  5        396.1       1980  [2] [1]
    512 MiB  unsupported: needs 512 MiB, the device allocates 128 MiB
  [1] clock moved
  [2] device and host time disagree by 12 %

5 points: 3 ok, 1 unsupported, 0 skipped, 0 failed, 0 invalid, 1 unfinished
)");
}

TEST_CASE("show: what differs between the points is a column, control and net included where any point has them") {
  LoadedFile file;
  file.headers = {examples::header()};
  file.headers[0].tool_commit.clear();
  file.headers[0].device.units.reset();
  const auto at = [](const char* space, std::int64_t lanes) {
    return Point{"atomics", {{"lanes", lanes}, {"space", std::string(space)}}};
  };
  Measurement net = plain(4, 0.04, 8, 2000);
  net.statistics["control_ns_per_op"] = {1.5, 0, 1.5, 1.5, 5};
  net.statistics["net_ns_per_op"] = {2.5, 0, 2.5, 2.5, 5};
  Measurement other;
  other.time_source = "host timer";
  other.statistics["ns_per_op"] = {1234.5, 0, 1, 1, 3};
  file.entries = {record(at("local", 32), {}, net), record(at("global", 32), {}, other),
                  record(at("local", 4), {Status::invalid, "sum 3, not 4"}, other)};
  CHECK(show(file) ==
        R"(Some GPU (opencl 3.0, driver 580.159.04)
measured 2026-11-21T09:30:00Z, preset quick, percycle 0.1.0

atomics
  space   lanes  ns/op  MAD %  n  cycles/op  clock MHz  clock               time             control ns/op  net ns/op
  global     32   1234   0.00  3                                            host timer
  local       4  invalid: sum 3, not 4
  local      32  4.000   1.00  5      8.000       2000  measured-in-kernel  in-kernel clock          1.500      2.500

3 points: 2 ok, 0 unsupported, 0 skipped, 0 failed, 1 invalid
)");
}

TEST_CASE("show: a simulated run says so at its top") {
  LoadedFile file;
  file.headers = {examples::simulated_header()};
  CHECK(show(file) ==
        "Simulated T4 (sim:t4, model 0011223344556677)\n"
        "132 x SM (reported), simulated 2026-11-21T09:30:00Z, not a measurement, preset quick, percycle 0.1.0 (abc1234)\n\n"
        "0 points: 0 ok, 0 unsupported, 0 skipped, 0 failed, 0 invalid\n");
}

TEST_CASE("show: a run without points has its heading and its totals") {
  LoadedFile file;
  file.headers = {examples::header()};
  CHECK(show(file) ==
        "Some GPU (opencl 3.0, driver 580.159.04)\n"
        "132 x SM (reported), measured 2026-11-21T09:30:00Z, preset quick, percycle 0.1.0 (abc1234)\n\n"
        "0 points: 0 ok, 0 unsupported, 0 skipped, 0 failed, 0 invalid\n");
  CHECK(show({}).empty());
}

}  // namespace
}  // namespace percycle
