#include <doctest/doctest.h>

#include "report/show.hpp"
#include "report/tally.hpp"
#include "report/text_table.hpp"
#include "unit/store_examples.hpp"

namespace percycle::report_test {
namespace {

TEST_CASE("table: columns are as wide as their widest cell, counted in characters") {
  const TextTable table{
      {{"word", Align::left}, {"µs", Align::right}, {"", Align::left}},
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
  CHECK(show(file, limits_catalogue()) ==
        R"(Some GPU (opencl 3.0, driver 580.159.04)
132 x SM (reported), measured 2026-11-21T09:30:00Z, preset quick, percycle 0.1.0 (abc1234)

latency: path=global, n: 5, clock MHz: 1980, clock: measured-in-kernel, time: in-kernel clock
  footprint  ns/load  MAD %  cycles/load
      1 KiB    16.25   0.00        32.17
     64 KiB    16.50   2.00        32.67  [1]
      1 MiB    200.0   0.50        396.1  [2] [1]
    512 MiB  unsupported: needs 512 MiB, the device allocates 128 MiB
  [1] clock moved
  [2] device and host time disagree by 12 %

measured clocks
  experiment  lowest MHz  highest MHz  % below the highest
  latency           1980         1980                  0.0

5 points: 3 ok, 1 unsupported, 1 unfinished
)");
}

TEST_CASE("show: values that differ between points are columns, control and net included if any point has them") {
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
  CHECK(show(file, limits_catalogue()) ==
        R"(Some GPU (opencl 3.0, driver 580.159.04)
measured 2026-11-21T09:30:00Z, preset quick, percycle 0.1.0

atomics
  space   lanes  ns/op  MAD %  n  cycles/op  clock MHz  clock               time             control ns/op  net ns/op
  global     32   1234   0.00  3                                            host timer
  local       4  invalid: sum 3, not 4
  local      32  4.000   1.00  5      8.000       2000  measured-in-kernel  in-kernel clock          1.500      2.500

measured clocks
  experiment  lowest MHz  highest MHz  % below the highest
  atomics           2000         2000                  0.0

3 points: 2 ok, 1 invalid
)");
}

TEST_CASE("show: a search for the best configuration shows only the best, with its bandwidth") {
  const auto at = [](std::int64_t width, std::int64_t group_size, const char* role) {
    return Point{
        "l1-bandwidth",
        {{"width", width}, {"group_size", group_size}, {"groups_per_unit", std::int64_t{2}}, {"role", std::string(role)}}};
  };
  const auto moved = [](double gb_per_s) {
    Measurement measurement = plain(3, 0.3, 6, 2000);
    measurement.statistics["gb_per_s"] = {gb_per_s, gb_per_s / 1000, 1, 1, 5};
    measurement.statistics["bytes_per_unit_cycle"] = {gb_per_s / 132 / 2, 0, 1, 1, 5};
    measurement.statistics["units"] = {132, 0, 132, 132, 5};
    return measurement;
  };
  LoadedFile file;
  file.headers = {examples::header()};
  file.entries = {record(at(4, 64, "search"), {}, moved(32000)),
                  record(at(4, 128, "search"), {}, moved(33900)),
                  record(at(4, 256, "search"), {Status::failed, "the kernel did not build"}, std::nullopt),
                  record(at(4, 128, "best"), {}, moved(33100)),
                  record(at(4, 64, "best"), {}, moved(33200)),
                  record(at(16, 64, "best"), {}, moved(33792)),
                  record({"l1-bandwidth", {{"form", std::string("chase")}}}, {}, plain(14.5, 0, 29, 2000))};
  const std::string text = show(file, limits_catalogue());
  CAPTURE(text);
  CHECK(text.find(
            R"(l1-bandwidth: n: 5, clock MHz: 2000, clock: measured-in-kernel, time: in-kernel clock
  form   width  role    group_size  groups_per_unit   GB/s  ns/load  MAD %  B/SM/cycle  % of limit  cycles/load
             4  best            64                2  33200            0.10       125.8     unknown
             4  search         256                2  failed: the kernel did not build
            16  best            64                2  33792            0.10       128.0     unknown
  chase                                                       14.50   0.00                                29.00
  more columns with --wide: limit GB/s, limit B/SM/cycle, limit, units
  not shown: 3 points of other configurations
)") != std::string::npos);
}

TEST_CASE("show: a rate of operations is first, followed by its cycles") {
  const auto done = [](double gops_per_s, std::int64_t sharers) {
    Measurement measurement = plain(3, 0.3, 6, 2000);
    measurement.statistics["gops_per_s"] = {gops_per_s, gops_per_s / 1000, 1, 1, 5};
    measurement.statistics["ops_per_unit_cycle"] = {gops_per_s / 2, 0, 1, 1, 5};
    measurement.statistics["units"] = {1, 0, 1, 1, 5};
    return record({"x-throughput", {{"scenario", std::string("words")}, {"sharers", sharers}}}, {}, std::move(measurement));
  };
  LoadedFile file;
  file.headers = {examples::header()};
  file.entries = {done(31.5, 1), done(1.25, 1024)};
  const std::string text = show(file, limits_catalogue());
  CAPTURE(text);
  CHECK(text.find(
            R"(x-throughput: scenario=words, MAD %: 0.10, n: 5, clock MHz: 2000, clock: measured-in-kernel, time: in-kernel clock,
    units: 1.000
  sharers  Gops/s  ops/SM/cycle
        1   31.50         15.75
     1024   1.250         0.625
)") != std::string::npos);
}

TEST_CASE("show: how far the clocks of a point differ, and how far the clock fell under load") {
  LoadedFile file;
  file.headers = {examples::header()};
  const auto at = [](const char* experiment, std::int64_t width) { return Point{experiment, {{"width", width}}}; };
  Measurement light = plain(4, 0, 8, 2000);
  light.clocks_mhz = {{2000, Provenance::measured_in_kernel}, {1990, Provenance::telemetry}, {2020, Provenance::reported}};
  light.telemetry = {{0, {.clock_mhz = 1990, .power_w = 90.4}}, {1e6, {.clock_mhz = 1990, .power_w = 120.4}}};
  Measurement heavy = plain(4, 0, 8, 1600);
  heavy.clocks_mhz = {{1600, Provenance::measured_in_kernel}};
  heavy.telemetry = {{0, {.temperature_c = 81}}, {1e6, {.temperature_c = 80}}};
  Measurement reported = plain(4, 0, 8, 3000);
  reported.clock_mhz = Sourced<double>{3000, Provenance::reported};
  file.entries = {record(at("light", 4), {}, light), record(at("heavy", 4), {}, heavy),
                  record(at("heavy", 8), {}, plain(4, 0, 8, 1800)), record(at("told", 4), {}, reported),
                  record(at("bad", 4), {Status::invalid, "wrong"}, light)};
  const std::string text = show(file, limits_catalogue());
  CAPTURE(text);
  CHECK(text.find(R"(light: width=4, clock: measured-in-kernel, time: in-kernel clock
  ns/op  MAD %  n  cycles/op  clock MHz  clocks differ %
  4.000   0.00  5      8.000       2000             1.50
)") != std::string::npos);
  CHECK(text.find(R"(
measured clocks
  experiment  lowest MHz  highest MHz  % below the highest  highest W  highest °C
  heavy             1600         1800                 20.0                     81
  light             2000         2000                  0.0        120

5 points)") != std::string::npos);
}

TEST_CASE("show: a simulated run says so at its top") {
  LoadedFile file;
  file.headers = {examples::simulated_header()};
  CHECK(show(file, limits_catalogue()) ==
        "Simulated T4 (sim:t4, model 0011223344556677)\n"
        "132 x SM (reported), simulated 2026-11-21T09:30:00Z, not a measurement, preset quick, percycle 0.1.0 (abc1234)\n\n"
        "0 points: 0 ok\n");
}

TEST_CASE("show: published figures are marked at the top and have the same table") {
  LoadedFile file;
  file.headers = {examples::published_header()};
  PointRecord record = examples::figure(65536, 96.5);
  record.result.measurement->statistics["cycles_per_op"].n = 7;
  record.result.measurement->statistics["ns_per_op"].median = 64;
  file.entries = {record, examples::figure(1024, 32)};
  CHECK(show(file, limits_catalogue()) ==
        R"(Some GPU (Somebody, OpenCL)
published in A. Author: A Paper, table 7 (2019); not measured by percycle
unit as printed: clock cycles; method: A walk of some kind.

latency: path=global
  footprint  ns/load  cycles/load
      1 KiB                 32.00
     64 KiB    64.00        96.50

2 published points
)");
  file.headers[0].publication->toolchain.clear();
  CHECK(show(file, limits_catalogue()).starts_with("Some GPU (Somebody)\npublished in "));
}

TEST_CASE("show: a published bandwidth has its document's units and clock, and the limit of the named device") {
  LoadedFile file;
  file.headers = {examples::published_header()};
  Header& header = file.headers[0];
  header.device.name = "W7000";
  header.device.units = Sourced<std::uint32_t>{20, Provenance::published};
  header.unit_name = "CU";
  header.publication->prose = true;
  PointRecord record = examples::figure(4096, 1);
  record.result.point = {"local-bandwidth", {{"form", "sweep"}}};
  Measurement& measurement = *record.result.measurement;
  measurement.statistics.clear();
  measurement.statistics["gb_per_s"].median = 1489.45;
  measurement.statistics["size_bytes"].median = 65536;
  measurement.clock_mhz = Sourced<double>{950, Provenance::published};
  measurement.warnings = {"a misprint"};
  file.entries = {record};
  CHECK(show(file, limits_catalogue()) ==
        R"(W7000 (Somebody, OpenCL)
published in A. Author: A Paper, table 7 (2019, prose); not measured by percycle
unit as printed: clock cycles; method: A walk of some kind.
20 x CU (published)

local-bandwidth: form=sweep, limit: catalogue, clock: published
  GB/s  B/CU/cycle  limit GB/s  limit B/CU/cycle  % of limit  clock MHz  size bytes
  1489       78.39        2432             128.0       61.24        950      64 KiB  [1]
  [1] a misprint

1 published point
)");
}

TEST_CASE("show: a run without points has its heading and its totals") {
  LoadedFile file;
  file.headers = {examples::header()};
  CHECK(show(file, limits_catalogue()) ==
        "Some GPU (opencl 3.0, driver 580.159.04)\n"
        "132 x SM (reported), measured 2026-11-21T09:30:00Z, preset quick, percycle 0.1.0 (abc1234)\n\n"
        "0 points: 0 ok\n");
  CHECK(show({}, limits_catalogue()).empty());
}

}  // namespace
}  // namespace percycle::report_test
