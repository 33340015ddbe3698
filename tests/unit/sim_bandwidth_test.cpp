#include <doctest/doctest.h>

#include <atomic>
#include <numeric>
#include <string>

#include "measure/measurer.hpp"
#include "sim/sim.hpp"
#include "sim_examples.hpp"

namespace percycle::sim::sim_bandwidth_test {
namespace {

/// `small` at 1.5 GHz with 64 B per cycle from each first level, 40 by texture, and counters of
/// cycles.
Model model() {
  Model model = examples::small();
  model.caches[0].bytes_per_cycle = 64;
  model.caches.push_back({.name = "T1",
                          .size_bytes = 4 * kKiB,
                          .line_bytes = 128,
                          .sector_bytes = 32,
                          .ways = 4,
                          .scope = Scope::unit,
                          .bytes_per_cycle = 40});
  model.paths.push_back(
      {.path = MemoryPath::texture, .hops = {examples::hop(2, 80), examples::hop(1, 260)}, .memory_latency_cycles = 700});
  model.clock.mhz = 1500;
  model.unit_clock = UnitClock{};
  return model;
}

Point l1(const std::string& path, std::int64_t width) {
  return {"l1-bandwidth",
          {{"path", path},
           {"variant", std::string("plain")},
           {"width", width},
           {"footprint", std::int64_t{4096}},
           {"unroll", std::int64_t{4}},
           {"loads", std::int64_t{32}},
           {"group_size", std::int64_t{256}},
           {"groups_per_unit", std::int64_t{2}}}};
}

Point local(const std::string& form, std::int64_t width, std::int64_t stride) {
  Point point{"local-bandwidth", {{"form", form}, {"width", width}, {"stride", stride}}};
  if (form == "chase") return point;
  point.parameters.insert({{"unroll", std::int64_t{8}}, {"group_size", std::int64_t{256}}, {"groups_per_unit", std::int64_t{4}}});
  return point;
}

struct Measuring {
  explicit Measuring(const Model& model) : device(open_sim(model, "test")) {}

  Measurement operator()(const Point& point) {
    Protocol protocol;
    protocol.stopping = {.min_samples = 3, .max_samples = 3, .relative_error = 1};
    protocol.shortest_sample_ns = 1e5;
    protocol.longest_target_ns = 1e6;
    protocol.settle_ns = 1e5;
    const PointResult result = measurer.measure(*find_experiment(point.experiment), point, protocol, 7).result;
    REQUIRE_MESSAGE(result.outcome.status == Status::ok, result.outcome.reason);
    return result.measurement.value();
  }

  std::unique_ptr<Device> device;
  std::atomic<bool> stop{false};
  Measurer measurer{*device, stop};
};

double value(const Measurement& measurement, const char* name) { return measurement.statistics.at(name).median; }

TEST_CASE("sim bandwidth: the modelled bytes per cycle of the first level are recovered within 1 %") {
  Measuring measuring(model());
  for (const auto& pair : {std::pair{"global", 64.0}, {"texture", 40.0}}) {
    const auto& path = pair.first;
    const auto& bytes = pair.second;
    for (const std::int64_t width : {4, 8, 16}) {
      CAPTURE(path);
      CAPTURE(width);
      const auto m = measuring(l1(path, width));
      CHECK(value(m, "bytes_per_unit_cycle") == doctest::Approx(bytes).epsilon(0.01));
      CHECK(value(m, "gb_per_s") == doctest::Approx(bytes * 4 * 1.5).epsilon(0.01));
      CHECK(value(m, "units") == 4);
      CHECK(value(m, "groups_at_once") == doctest::Approx(2));
      CHECK(m.clock_mhz->value == doctest::Approx(1500).epsilon(0.01));
      CHECK(m.clock_mhz->provenance == Provenance::measured_in_kernel);
    }
  }
}

TEST_CASE("sim bandwidth: each further busy unit adds its bytes and leaves the clock unchanged") {
  const auto on_units = [](Point point, std::int64_t groups) {
    point.parameters.erase("groups_per_unit");
    point.parameters["test"] = "units";
    point.parameters["groups"] = groups;
    return point;
  };
  Measuring measuring(model());
  for (const std::int64_t groups : {1, 2, 3, 4}) {
    CAPTURE(groups);
    const auto units = static_cast<double>(groups);
    const auto check = [&](const Point& point, double bytes) {
      const Measurement measured = measuring(on_units(point, groups));
      CHECK(value(measured, "units") == units);
      CHECK(value(measured, "bytes_per_unit_cycle") == doctest::Approx(bytes).epsilon(0.01));
      CHECK(value(measured, "gb_per_s") == doctest::Approx(bytes * units * 1.5).epsilon(0.01));
      CHECK(measured.clock_mhz->value == doctest::Approx(1500).epsilon(0.01));
      CHECK(measured.samples.front().timing.device_ns.value() > 40e6);
    };
    check(l1("global", 16), 64);
    check(l1("texture", 16), 40);
    check(local("sweep", 16, 1), 128);
  }
  CHECK(measuring(l1("global", 16)).samples.front().timing.device_ns.value() < 10e6);
}

TEST_CASE("sim bandwidth: texels of four channels of 8 or 16 bits count only their bytes") {
  Measuring measuring(model());
  for (const std::int64_t bits : {16, 8}) {
    Point point = l1("texture", bits / 2);
    point.parameters["channel_bits"] = bits;
    CHECK(value(measuring(point), "bytes_per_unit_cycle") == doctest::Approx(40).epsilon(0.01));
    point.parameters["channel_type"] = std::string("float");
    CHECK(value(measuring(point), "bytes_per_unit_cycle") == doctest::Approx(40).epsilon(0.01));
  }
}

TEST_CASE("sim bandwidth: a counter of a fixed rate gives the same bytes per cycle by the reported clock") {
  Model fixed = model();
  fixed.unit_clock->tick_mhz = 100;
  const auto m = Measuring(fixed)(l1("global", 16));
  CHECK(m.clock_mhz->provenance == Provenance::reported);
  CHECK(m.counter_mhz.value() == doctest::Approx(100).epsilon(0.01));
  CHECK(value(m, "bytes_per_unit_cycle") == doctest::Approx(64).epsilon(0.01));
  fixed.unit_clock.reset();
  CHECK(value(Measuring(fixed)(l1("global", 16)), "bytes_per_unit_cycle") == doctest::Approx(64).epsilon(0.01));
}

TEST_CASE("sim bandwidth: throttling shows as a lower clock, not as fewer bytes per unit and cycle") {
  Model throttling = model();
  throttling.clock.throttled_mhz = 1200;
  throttling.clock.throttle_after_ms = 20;
  Measuring measuring(throttling);
  const auto before = measuring(l1("global", 16));
  for (int i = 0; i < 40; ++i) measuring(l1("texture", 16));  // half a millisecond each, at least
  const auto hot = measuring(l1("global", 16));
  CHECK(before.clock_mhz->value == doctest::Approx(1500).epsilon(0.01));
  CHECK(hot.clock_mhz->value == doctest::Approx(1200).epsilon(0.01));
  for (const auto& m : {before, hot}) CHECK(value(m, "bytes_per_unit_cycle") == doctest::Approx(64).epsilon(0.01));
  CHECK(value(hot, "gb_per_s") == doctest::Approx(64 * 4 * 1.2).epsilon(0.01));
}

TEST_CASE("sim bandwidth: the banks limit local memory, and their conflicts change bandwidth and latency") {
  Measuring measuring(model());
  for (const std::int64_t width : {4, 8, 16}) {
    CHECK(value(measuring(local("sweep", width, 1)), "bytes_per_unit_cycle") == doctest::Approx(128).epsilon(0.01));
  }
  for (const std::int64_t stride : {1, 2, 3, 8, 32, 33, 64}) {
    CAPTURE(stride);
    const double conflicts = static_cast<double>(std::gcd(stride, std::int64_t{32}));
    CHECK(value(measuring(local("strided", 4, stride)), "bytes_per_unit_cycle") ==
          doctest::Approx(128 / conflicts).epsilon(0.01));
    const auto chase = measuring(local("chase", 4, stride));
    CHECK(value(chase, "cycles_per_op") == doctest::Approx(20 + conflicts - 1).epsilon(0.01));
    CHECK_FALSE(chase.statistics.contains("gb_per_s"));
  }
}

TEST_CASE("sim bandwidth: a wrong result is invalid, not a bandwidth") {
  Model wrong = model();
  wrong.faults = {{Fault::Effect::wrong_result, 1}};
  const auto device = open_sim(wrong, "test");
  std::atomic<bool> stop{false};
  Measurer measurer(*device, stop);
  // The fault affects the last binding, the stamps, and also the data: one word of the filling
  // dispatch.
  const auto result = measurer.measure(*find_experiment("l1-bandwidth"), l1("global", 16), Protocol{}, 7).result;
  CHECK(result.outcome.status == Status::invalid);
  CHECK(result.outcome.reason.find(" instead of ") != std::string::npos);
}

}  // namespace
}  // namespace percycle::sim::sim_bandwidth_test
