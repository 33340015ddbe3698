#include "report/bandwidth_limit.hpp"

#include <doctest/doctest.h>

#include "limits/limit_entry.hpp"
#include "report/integer_mix.hpp"
#include "report/show.hpp"
#include "unit/store_examples.hpp"

namespace percycle::bandwidth_limit_test {
namespace {

constexpr const char* kLimits = R"([sources]
paper = "A paper, table 1"

[[device]]
name = "Some GPU"
pattern = '^Some GPU$'
load = { value = 128, source = "paper", quoted = "128" }
texel = { value = 32, texel_bytes = [4], source = "paper", quoted = "32" }
local = { value = 64, source = "paper", quoted = "64" }
memory_gb_s = { value = 800, source = "paper", quoted = "800" }
l2 = { value = 48, source = "paper", quoted = "48" }
l2_device = { value = 4000, source = "paper", quoted = "4000" }
matrix_fp16 = { value = 1024, source = "paper", quoted = "1024" }
)";

LimitsCatalogue catalogue() { return parse_limit_entries(kLimits, "limits", Provenance::user); }

DeviceLimits some_limits() { return find_limits(catalogue(), "", {"Some GPU"}); }

Point l1(const char* path, std::int64_t width) { return {"l1-bandwidth", {{"path", std::string(path)}, {"width", width}}}; }

/// This many GB/s on 100 units at 2 GHz: a unit moves gb_s / 200 bytes per cycle. `counted`: value
/// of the units' own counters.
Measurement moved(double gb_s, std::optional<double> counted = std::nullopt) {
  Measurement measurement;
  measurement.time_source = "device timer";
  measurement.statistics["gb_per_s"] = {gb_s, gb_s / 1000, gb_s, gb_s, 5};
  measurement.statistics["units"] = {100, 0, 100, 100, 5};
  measurement.clock_mhz = Sourced<double>{2000, counted ? Provenance::measured_in_kernel : Provenance::reported};
  measurement.samples.resize(5);
  if (!counted) return measurement;
  measurement.statistics["bytes_per_unit_cycle"] = {*counted, 0, *counted, *counted, 5};
  for (Sample& sample : measurement.samples) {
    sample.groups = GroupClocks{};
    sample.groups->units = 100;
    sample.groups->groups_per_tick = 1e-5;
  }
  return measurement;
}

PointResult ok(Point point, Measurement measurement) { return {std::move(point), {}, std::move(measurement)}; }

/// For a GPU with 100 units, as its driver reports.
Header header() {
  Header header = examples::header();
  header.architecture.clear();
  header.device.type = DeviceType::gpu;
  header.device.units = Sourced<std::uint32_t>{100, Provenance::reported};
  return header;
}

TEST_CASE("each path and width has its own limit, an experiment without one none") {
  const DeviceLimits known = some_limits();
  const auto value = [&](const Point& point) {
    const auto limits = limits_of(point, known);
    return limits.size() == 1 ? limits[0].value : -static_cast<double>(limits.size());
  };
  CHECK(value(l1("global", 4)) == 128);
  CHECK(value(l1("texture", 4)) == 32);
  CHECK(value(l1("texture", 8)) == 0);
  CHECK(value({"local-bandwidth", {{"width", std::int64_t{16}}}}) == 64);
  CHECK(value({"dram-bandwidth", {{"op", std::string("read")}}}) == 800);
  CHECK(value({"cache-bandwidth", {{"mode", std::string("private")}}}) == -2);
  CHECK(value({"cache-bandwidth", {{"mode", std::string("shared")}}}) == 128);
  CHECK(value({"x-bandwidth", {{"width", std::int64_t{16}}}}) == 0);
  CHECK(value({"sustained", {{"load", std::string("matrix")}}}) == 1024);
  CHECK(value({"sustained", {{"load", std::string("l2")}}}) == 0);
  const auto touched = [](const char* level, std::int64_t bytes) {
    return Point{"access-pattern", {{"level", std::string(level)}, {"asked_bytes", std::int64_t{128}}, {"sectors_bytes", bytes}}};
  };
  CHECK(value(touched("dram", 128)) == 800);
  CHECK(value(touched("dram", 1024)) == 100);
  CHECK(value(touched("l2", 1024)) == -2);
}

TEST_CASE("a bandwidth against its limit: counted in the kernel where it was, else by clock and units") {
  const auto counted = hold_against_limit(ok(l1("global", 16), moved(25000, 126)), header(), some_limits());
  CHECK(counted.in_kernel);
  CHECK(*counted.gb_s == 25000);
  CHECK(*counted.bytes_per_unit_cycle == 126);
  CHECK(*counted.limit_bytes_per_unit_cycle == 128);
  CHECK(*counted.limit_gb_s == 128 * 2 * 100);
  CHECK(*counted.efficiency == 126.0 / 128);
  CHECK(*counted.units == Sourced<std::uint32_t>{100, Provenance::measured_in_kernel});
  CHECK(counted.suspect.empty());

  const auto divided = hold_against_limit(ok(l1("global", 16), moved(25000)), header(), some_limits());
  CHECK_FALSE(divided.in_kernel);
  CHECK(*divided.bytes_per_unit_cycle == 125);
  CHECK(*divided.efficiency == 125.0 / 128);
  CHECK(*divided.units == Sourced<std::uint32_t>{100, Provenance::reported});

  // One sample without notes of its groups: the figure depends on a clock.
  Measurement partly = moved(25000, 126);
  partly.samples[3].groups->groups_per_tick.reset();
  CHECK_FALSE(hold_against_limit(ok(l1("global", 16), partly), header(), some_limits()).in_kernel);
}

TEST_CASE("private slices: the whole L2's output binds if many units share it, one unit's intake if few do") {
  const Point point{"cache-bandwidth", {{"mode", std::string("private")}}};
  const auto all = hold_against_limit(ok(point, moved(7600, 38)), header(), some_limits());
  CHECK(*all.efficiency == doctest::Approx(3800.0 / 4000));
  CHECK(*all.limit_gb_s == doctest::Approx(8000));
  Measurement few = moved(92, 46);
  few.statistics["units"].median = 1;
  for (Sample& sample : few.samples) sample.groups->units = 1;
  const auto one = hold_against_limit(ok(point, few), header(), some_limits());
  CHECK(*one.efficiency == doctest::Approx(46.0 / 48));
  CHECK(*one.limit_bytes_per_unit_cycle == 48);
}

/// Passes through memory by this many groups of 16 KiB: 720 GB/s at 1.5 GHz by telemetry.
PointResult passes(std::uint64_t groups) {
  Measurement measurement = moved(720);
  measurement.statistics.erase("units");
  measurement.clock_mhz = Sourced<double>{1500, Provenance::telemetry};
  measurement.work = Work{.bytes_per_op = groups * 16384, .group_bytes_per_op = 16384};
  return ok({"dram-bandwidth", {{"op", std::string("read")}}}, measurement);
}

TEST_CASE("memory: bytes of a unit's cycle by all of the device's units and the clock that ran, the limit likewise") {
  const auto held = hold_against_limit(passes(65536), header(), some_limits());
  CHECK_FALSE(held.in_kernel);
  CHECK(*held.units == Sourced<std::uint32_t>{100, Provenance::reported});
  CHECK(*held.clock_mhz == Sourced<double>{1500, Provenance::telemetry});
  CHECK(*held.bytes_per_unit_cycle == doctest::Approx(4.8));
  CHECK(*held.limit_bytes_per_unit_cycle == doctest::Approx(800 / 150.0));
  CHECK(*held.limit_gb_s == 800);
  CHECK(*held.efficiency == 0.9);

  CHECK(hold_against_limit(passes(100), header(), some_limits()).units);
  // Fewer groups than units.
  const auto few = hold_against_limit(passes(99), header(), some_limits());
  CHECK_FALSE(few.units);
  CHECK_FALSE(few.bytes_per_unit_cycle);
  CHECK(*few.efficiency == 0.9);

  Header silent = header();
  silent.device.units.reset();
  CHECK_FALSE(hold_against_limit(passes(65536), silent, some_limits()).bytes_per_unit_cycle);
  PointResult without = passes(65536);
  without.measurement->clock_mhz.reset();
  CHECK_FALSE(hold_against_limit(without, header(), some_limits()).bytes_per_unit_cycle);

  PointResult transfer = passes(65536);
  transfer.point = {"transfer-bandwidth", {{"direction", std::string("to-device")}}};
  CHECK_FALSE(hold_against_limit(transfer, header(), some_limits()).units);
  CHECK_FALSE(hold_against_limit(transfer, header(), some_limits()).bytes_per_unit_cycle);
}

TEST_CASE("show: memory's bytes of a unit's cycle beside the bus's, with the clock that they are of; none of a transfer") {
  LoadedFile file;
  file.headers = {header()};
  file.entries.push_back(PointRecord{"0123456789abcdef", passes(65536)});
  PointResult transfer = passes(65536);
  transfer.point = {"transfer-bandwidth", {{"direction", std::string("to-device")}}};
  file.entries.push_back(PointRecord{"0123456789abcdef", transfer});
  const std::string text = show(file, catalogue(), {.width = TableWidth::wide});
  CAPTURE(text);
  CHECK(text.find(R"(dram-bandwidth: op=read, limit: user, clock: telemetry, time: device timer
   GB/s  MAD %  n  B/SM/cycle  limit GB/s  limit B/SM/cycle  % of limit  clock MHz
  720.0   0.10  5       4.800       800.0             5.333       90.00       1500
)") != std::string::npos);
  CHECK(
      text.find(
          R"(transfer-bandwidth: direction=to-device, clock: telemetry, time: device timer, unknown: B/SM/cycle, limit GB/s, limit B/SM/cycle, % of limit, limit
   GB/s  MAD %  n  clock MHz
  720.0   0.10  5       1500
)") != std::string::npos);
}

TEST_CASE("units that the driver counts otherwise are counted as the architecture does") {
  Header rdna = header();
  rdna.architecture = "RDNA2";
  rdna.device.vendor = "AMD";
  rdna.device.platform = "rusticl";  // counts CUs, of which two are a WGP
  const auto held = hold_against_limit(ok(l1("global", 16), moved(25000)), rdna, some_limits());
  CHECK(*held.units == Sourced<std::uint32_t>{50, Provenance::reported});
  CHECK(*held.bytes_per_unit_cycle == 250);
}

TEST_CASE("unknown values are absent") {
  Measurement no_units = moved(25000);
  no_units.statistics.erase("units");
  const auto without = hold_against_limit(ok(l1("global", 16), no_units), header(), some_limits());
  CHECK(*without.gb_s == 25000);
  CHECK_FALSE(without.units);
  CHECK_FALSE(without.bytes_per_unit_cycle);
  CHECK_FALSE(without.efficiency);
  CHECK(*without.limit_bytes_per_unit_cycle == 128);

  const auto no_limit = hold_against_limit(ok(l1("texture", 8), moved(25000)), header(), some_limits());
  CHECK(*no_limit.bytes_per_unit_cycle == 125);
  CHECK_FALSE(no_limit.limit_bytes_per_unit_cycle);
  CHECK_FALSE(no_limit.efficiency);

  CHECK_FALSE(hold_against_limit({l1("global", 4), {}, std::nullopt}, header(), some_limits()).gb_s);
  Measurement chase;
  chase.clock_mhz = Sourced<double>{2000, Provenance::reported};
  CHECK_FALSE(hold_against_limit(ok(l1("global", 4), chase), header(), some_limits()).clock_mhz);
}

TEST_CASE("show: bandwidths beside their limits; more than the limit is suspect, unknown stays unknown") {
  LoadedFile file;
  file.headers = {header()};
  const auto add = [&](Point point, Measurement measurement) {
    point.parameters["group_size"] = std::int64_t{256};
    point.parameters["unroll"] = point.parameters["width"];
    point.parameters["role"] = std::string("best");
    file.entries.push_back(PointRecord{"0123456789abcdef", ok(std::move(point), std::move(measurement))});
  };
  add(l1("global", 4), moved(25596, 127.98));
  add(l1("global", 16), moved(25600));
  Measurement suspicious = moved(6400, 40);
  suspicious.warnings = {"clock moved"};
  add(l1("texture", 4), suspicious);
  add(l1("texture", 8), moved(12800));
  Measurement no_clock = moved(12800);
  no_clock.clock_mhz.reset();
  add(l1("texture", 16), no_clock);
  const std::string text = show(file, catalogue(), {.width = TableWidth::wide});
  CAPTURE(text);
  CHECK(text.find(R"(l1-bandwidth: role=best group_size=256, MAD %: 0.10, n: 5, time: device timer, units: 100.0
  path     width  unroll   GB/s  B/SM/cycle  limit GB/s  limit B/SM/cycle  % of limit  limit    clock MHz  clock
  global       4       4  25596       128.0       25600             128.0       99.98  user          2000  measured-in-kernel
  global      16      16  25600       128.0       25600             128.0      100.00  user          2000  reported
  texture      4       4   6400       40.00        6400             32.00      125.00  user          2000  measured-in-kernel  [1] [2]
  texture      8       8  12800       64.00     unknown           unknown     unknown  unknown       2000  reported
  texture     16      16  12800     unknown     unknown           unknown     unknown  unknown
  [1] clock moved
  [2] suspect: 125 % of the limit: a wrong limit or elided work
)") != std::string::npos);

  file.entries.resize(2);  // of an unlisted device
  file.headers[0].device.name = "Another GPU";
  const std::string other = show(file, catalogue(), {.width = TableWidth::wide});
  CAPTURE(other);
  CHECK(
      other.find(
          R"(l1-bandwidth: path=global role=best group_size=256, MAD %: 0.10, n: 5, B/SM/cycle: 128.0, clock MHz: 2000, time: device timer, units: 100.0, unknown: limit GB/s, limit B/SM/cycle, % of limit, limit
  width  unroll   GB/s  clock
      4       4  25596  measured-in-kernel
)") != std::string::npos);
}

/// Additions at 96 results per unit and cycle, with this many IMAD and IADD3 in a turn.
Measurement added(std::uint64_t multiply_adds, std::uint64_t additions) {
  Measurement measurement = moved(19200);
  measurement.statistics["gops_per_s"] = {19200, 1, 19200, 19200, 5};
  measurement.statistics.erase("gb_per_s");
  measurement.codegen.emplace();
  measurement.codegen->form = "SASS";
  measurement.codegen->counts.emplace();
  measurement.codegen->counts->alu = multiply_adds + additions;
  measurement.codegen->counts->instructions = {{"IADD3", additions}, {"IMAD.IADD", multiply_adds}};
  return measurement;
}

TEST_CASE("additions that are multiply-adds in the machine code have the limit of both kinds of units") {
  const std::string text = std::string(kLimits) + R"(int32 = { value = 64, source = "paper", quoted = "64" }
int32_mul = { value = 32, source = "paper", quoted = "32" }
)";
  const DeviceLimits known = find_limits(parse_limit_entries(text, "limits", Provenance::user), "", {"Some GPU"});
  const Point point{"arithmetic-throughput", {{"operation", std::string("int32-add")}}};
  const auto limit = [&](std::uint64_t multiply_adds, std::uint64_t additions) {
    return hold_against_limit(ok(point, added(multiply_adds, additions)), header(), known).limit_bytes_per_unit_cycle.value_or(0);
  };
  CHECK(limit(100, 200) == 96);  // both kinds of units are busy all the time
  CHECK(limit(100, 100) == 64);  // multiply-adds are in the way
  CHECK(limit(100, 1000) == doctest::Approx(70.4));
  CHECK(limit(5, 1000) == 64);  // moves of the loop
  CHECK(hold_against_limit(ok(point, added(100, 200)), header(), known).efficiency == doctest::Approx(1));
  CHECK(integer_mix(added(100, 200)) == IntegerMix{200, 100, 300});
  Measurement with_loop = added(100, 100);
  with_loop.codegen->counts->alu += 4;  // they take time, but are no results
  with_loop.codegen->counts->instructions.push_back({"ISETP.GE.U32.AND", 4});
  CHECK(integer_mix(with_loop) == IntegerMix{104, 100, 200});
  CHECK(hold_against_limit(ok(point, with_loop), header(), known).limit_bytes_per_unit_cycle == 64);
  CHECK_FALSE(integer_mix(added(5, 1000)));
  CHECK_FALSE(integer_mix(moved(1)));
}

}  // namespace
}  // namespace percycle::bandwidth_limit_test
