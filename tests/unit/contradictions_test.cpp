#include "store/contradictions.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "check_words.hpp"
#include "core/error.hpp"
#include "store/load.hpp"
#include "store/record_json.hpp"
#include "unit/store_examples.hpp"

namespace percycle::contradictions_test {
namespace {

/// The contradiction in a measurement; empty if there is none.
std::string contradiction(const Measurement& measurement, const Header& header = examples::header(),
                          const Point& point = examples::point(1024)) {
  try {
    check_contradictions(header, {.point = point, .outcome = {}, .measurement = measurement});
    return {};
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

Measurement sound() { return examples::measurement(2); }

/// A sound measurement with one statistic changed.
template <typename Change>
std::string changed(const char* statistic, const Change& change) {
  Measurement measurement = sound();
  change(measurement.statistics.at(statistic));
  return contradiction(measurement);
}

TEST_CASE("statistics follow from the samples they were made from") {
  CHECK(contradiction(sound()).empty());
  CHECK_WORDS("contradiction.median", changed("ns_per_op", [](Summary& s) { s.median = 2.01; }));
  CHECK_WORDS("contradiction.sample-count", changed("ns_per_op", [](Summary& s) { s.n = 4; }));
  CHECK(changed("ns_per_op", [](Summary& s) { s.mad = 0; }).starts_with("measurement.statistics.ns_per_op.mad: 0, but"));
  CHECK(changed("ns_per_op", [](Summary& s) { s.min = 1; }).starts_with("measurement.statistics.ns_per_op.min: 1, but"));
  CHECK(changed("ns_per_op", [](Summary& s) { s.max = 3; }).starts_with("measurement.statistics.ns_per_op.max: 3, but"));
  CHECK(changed("cycles_per_op", [](Summary& s) { s.median *= 1.000001; }).find("but the samples give 4") != std::string::npos);
  CHECK_WORDS("contradiction.net-median", changed("net_ns_per_op", [](Summary& s) { s.median = -0.26; }));
  // The order of a sum.
  CHECK(changed("ns_per_op", [](Summary& s) { s.median *= 1 + 1e-12; }).empty());
}

TEST_CASE("a statistic that nothing was measured for is refused") {
  Measurement measurement = sound();
  measurement.statistics["tlb_misses_per_op"] = measurement.statistics.at("ns_per_op");
  CHECK_WORDS("contradiction.tlb-misses", contradiction(measurement));
  // A series of as many rows as samples gives one.
  measurement.series["tlb_misses"] = {{8192, 0}, {8192}, {8192}};
  measurement.statistics["tlb_misses_per_op"] = Summary{2, 0, 2, 2, 3};
  CHECK(contradiction(measurement).empty());
}

TEST_CASE("a minimum is no more than the median, a maximum no less, published or not") {
  CHECK_WORDS("contradiction.minimum", changed("ns_per_op", [](Summary& s) { s.min = 2.5; }));
  CHECK_WORDS("contradiction.maximum", changed("ns_per_op", [](Summary& s) { s.max = 1.5; }));
  Measurement published;
  published.statistics["cycles_per_op"].median = 30;
  CHECK(contradiction(published, examples::published_header()).empty());
  published.statistics["cycles_per_op"].min = 31;
  CHECK_FALSE(contradiction(published, examples::published_header()).empty());
  Measurement ticks = sound();
  ticks.samples[1].groups->ticks->min = 1e9;
  CHECK(contradiction(ticks).starts_with("measurement.samples[1].groups.ticks: minimum 1000000000 above median"));
}

TEST_CASE("no more samples are verified than there are") {
  Measurement measurement = sound();
  measurement.verified_samples = 4;
  CHECK_WORDS("contradiction.verified-samples", contradiction(measurement));
}

TEST_CASE("clocks follow from the samples, the telemetry, the chain or the header") {
  const auto clock = [](double mhz, Provenance provenance) {
    Measurement measurement = sound();
    measurement.clocks_mhz.push_back({mhz, provenance});
    return measurement;
  };
  const double chain_mhz = 512000 * 4 / (1e6 / 3 + 0.1 + 0.2) * 1e3;
  CHECK(contradiction(clock(chain_mhz, Provenance::calibrated_chain)).empty());
  CHECK(contradiction(clock(chain_mhz / 4, Provenance::calibrated_chain)).find(", but the measurement gives 6143.99") !=
        std::string::npos);
  CHECK_WORDS("contradiction.clock", contradiction(clock(1980.1, Provenance::measured_in_kernel)));
  CHECK(contradiction(clock(1980 * (1 + 1e-12), Provenance::measured_in_kernel)).empty());
  CHECK(contradiction(clock(1980, Provenance::telemetry)).empty());
  CHECK_WORDS("contradiction.clock-above-telemetry", contradiction(clock(1996, Provenance::telemetry)));
  CHECK_WORDS("contradiction.clock-below-telemetry", contradiction(clock(1979, Provenance::telemetry)));
  CHECK_WORDS("contradiction.clock-without-source", contradiction(clock(1980, Provenance::reported)));
  Header reported = examples::header();
  reported.device.clock_mhz = Sourced<double>{1980, Provenance::reported};
  CHECK(contradiction(clock(1980, Provenance::reported), reported).empty());

  Measurement measurement = clock(1979, Provenance::telemetry);
  measurement.telemetry.push_back({4e6 / 7, {.power_w = 700}});  // no clock, not one of 0
  CHECK_WORDS("contradiction.clock-below-telemetry", contradiction(measurement));

  measurement = sound();
  measurement.counter_mhz = 1000;
  CHECK_WORDS("contradiction.counter", contradiction(measurement));
  measurement.clocks_mhz.clear();
  for (Sample& sample : measurement.samples) sample.groups->ticks_per_ns = 0;
  CHECK_WORDS("contradiction.counter-without-source", contradiction(measurement));
}

TEST_CASE("a counter's clock follows from the time source of its measurement, without any statistics, too") {
  Measurement measurement = sound();
  measurement.statistics.clear();
  measurement.clocks_mhz.clear();
  measurement.time_source = "device timer";
  // The second sample is the median: 2 ticks per ns of the kernel, which took 8192 ns.
  const double mhz = 2 * 8192 / (1e6 / 7 + 1 - 1500) * 1e3;
  measurement.counter_mhz = mhz;
  CHECK(contradiction(measurement).empty());
  measurement.counter_mhz = 1980;
  CHECK(contradiction(measurement).starts_with("measurement.counter_mhz: 1980, but the measurement gives 115.9"));
}

TEST_CASE("a footprint is no more than the device's memory or its largest buffer") {
  Header header = examples::header();
  header.device.memory_bytes = 4096;
  CHECK(contradiction(sound(), header, examples::point(4096)).empty());
  CHECK_WORDS("contradiction.footprint", contradiction(sound(), header, examples::point(4097)));
  header.device.max_allocation_bytes = 8192;
  CHECK(contradiction(sound(), header, examples::point(8192)).empty());
}

TEST_CASE("the statistics of a CPU's fastest samples, and of its units, are made with its header") {
  Header cpu = examples::header();
  cpu.device.type = DeviceType::cpu;
  Measurement measurement = sound();
  measurement.statistics = statistics_of(measurement, {.is_cpu = true, .units = 132});
  CHECK(contradiction(measurement, cpu).empty());
  CHECK_WORDS("contradiction.fastest", contradiction(measurement));
}

TEST_CASE("a file with a contradiction is not loaded: the line is named") {
  const examples::Folder folder;
  const auto path = folder / "wrong.jsonl";
  PointRecord wrong = examples::ok(1024, 2);
  wrong.result.measurement->statistics.at("ns_per_op").n = 7;
  const auto line = [](const Record& record) { return to_line(to_json(record)) + '\n'; };
  examples::write_text(path, line(examples::header()) + line(wrong));
  CHECK_WORDS("contradiction.named-line", masked(words_thrown<UsageError>([&] { load(path); }), path.string()));
}

}  // namespace
}  // namespace percycle::contradictions_test
