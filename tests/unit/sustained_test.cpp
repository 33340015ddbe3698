#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "charts/report_charts.hpp"
#include "check_words.hpp"
#include "core/random.hpp"
#include "experiments/experiment.hpp"
#include "fake_device.hpp"
#include "limits/limits.hpp"
#include "measure/clock.hpp"
#include "measure/measurer.hpp"
#include "measure/statistics.hpp"
#include "measure/trial_run.hpp"
#include "sim/sim.hpp"
#include "sim_examples.hpp"
#include "stats/energy_bound.hpp"
#include "stats/settling.hpp"
#include "stats/sustained_statistics.hpp"
#include "unit/brief_measurements.hpp"
#include "unit/store_examples.hpp"

namespace percycle::sustained_test {
namespace {

/// 300 values over 30 s: 2000 until the onset, then towards 1500.
std::vector<TimedValue> throttling(double onset_s, double constant_s) {
  std::vector<TimedValue> series;
  for (int i = 1; i <= 300; ++i) {
    const double s = 0.1 * i;
    series.push_back({s, s <= onset_s ? 2000 : 1500 + 500 * std::exp(-(s - onset_s) / constant_s)});
  }
  return series;
}

TEST_CASE("settling: onset and constant of a throttled clock are found") {
  for (const double onset : {0.0, 2.0, 9.0}) {
    for (const double constant : {0.5, 2.0, 7.0}) {
      CAPTURE(onset);
      CAPTURE(constant);
      const auto found = fit_settling(throttling(onset, constant));
      REQUIRE(found);
      CHECK(found->constant_s == doctest::Approx(constant).epsilon(0.02));
      CHECK(found->end == doctest::Approx(1500).epsilon(0.001));
      CHECK(found->begin == doctest::Approx(2000).epsilon(onset > 0 ? 0.001 : 0.1));
      CHECK(std::abs(found->onset_s - onset) < 0.15);
    }
  }
}

TEST_CASE("settling: a series without a clear change, or without its end, has no constant") {
  std::vector<TimedValue> flat;
  SplitMix64 random(7);
  for (int i = 1; i <= 300; ++i) flat.push_back({0.1 * i, 1000 + static_cast<double>(random() % 100)});
  CHECK_FALSE(fit_settling(flat));
  CHECK_FALSE(fit_settling(throttling(0, 40)));
  auto small = throttling(2, 2);
  for (TimedValue& each : small) each.value = 1500 + (each.value - 1500) / 100;
  CHECK_FALSE(fit_settling(small));
  CHECK_FALSE(fit_settling(std::vector<TimedValue>(flat.begin(), flat.begin() + 11)));
}

TEST_CASE("settling: a load is steady once it stays within a percent of its last third") {
  // Within 1 % of 1500 after 2 + 2 ln(500 / 15) = 9.01 s.
  CHECK(settled_after(throttling(2, 2)).value() == doctest::Approx(9.0).epsilon(0.03));
  CHECK_FALSE(settled_after(throttling(9, 7)));
  CHECK(settled_after(throttling(40, 2)) == 0.0);
  auto odd = throttling(40, 2);
  odd[200].value = 1000;  // one odd sample
  CHECK(settled_after(odd) == 0.0);
  CHECK_FALSE(settled_after(std::span(odd).first(8)));
}

/// Ten samples of 1 s, of 100 operations on 8 bytes each; telemetry at the end of each, with the
/// counter of energy.
Measurement ten_seconds() {
  Measurement m;
  m.time_source = "device timer";
  m.idle_ns = 0;
  m.work = Work{.bytes_per_op = 8'000'000'000, .group_bytes_per_op = 8};
  m.telemetry.push_back({0, {.clock_mhz = 300, .power_w = 50, .temperature_c = 30, .energy_j = 1000}});
  double energy = 1000;
  for (int i = 1; i <= 10; ++i) {
    m.samples.push_back(
        {.ops = 100, .timing = {1e9, 0.8e9}, .clock = {}, .end_ns = i * 1e9, .load_ops = static_cast<std::uint64_t>(100 * i)});
    energy += 400;
    for (int half = 0; half < 2; ++half)
      m.telemetry.push_back(
          {(i - 0.5 + 0.5 * half) * 1e9,
           {.clock_mhz = 1500, .power_w = 380.0 + half, .temperature_c = 60, .energy_j = energy - 200 + 200 * half}});
  }
  return m;
}

double value(const Statistics& statistics, const char* name) { return statistics.at(name).median; }

TEST_CASE("sustained: energy counts from the first refresh, by the counter and by the power between refreshes") {
  const Measurement m = ten_seconds();
  const Statistics found = sustained_statistics(m);
  // From 0.5 to 10 s. The power of the first refresh describes the time before it.
  CHECK(value(found, "energy_j") == doctest::Approx(9.5 * 400));
  CHECK(value(found, "integrated_j") == doctest::Approx(4.5 + 9.5 * 380 + 0.5));
  // The last third: from the refresh at 7 s to that at 10 s.
  CHECK(value(found, "steady_w") == doctest::Approx(400));
  CHECK(value(found, "pj_per_byte") == doctest::Approx(1e12 * 1200 / (300 * 8e9)));
  CHECK(value(found, "gb_per_joule") == doctest::Approx(300 * 8 / 1200.0));
  CHECK(value(found, "steady_gb_per_s") == doctest::Approx(1000));
  CHECK(value(found, "steady_mhz") == 1500);
  CHECK(value(found, "steady_c") == 60);
  CHECK(value(found, "busy_share") == doctest::Approx(0.8));
  CHECK(value(found, "steady_after_s") == 0);
  CHECK_FALSE(found.contains("rate_constant_s"));

  const LoadCurves curves = load_curves(m);
  CHECK(curves.power_w.size() == 20);  // without the reading from before the load
  CHECK(curves.power_w.front().s == 0.5);
  CHECK(curves.rate.size() == 10);
}

TEST_CASE("sustained: a load of operations on bytes has both rates, and energy per byte") {
  Measurement m = ten_seconds();
  m.participants = Participants{.dispatch = 2'000'000'000, .group = 2};
  const Statistics found = sustained_statistics(m);
  CHECK(value(found, "steady_gb_per_s") == doctest::Approx(1000));
  CHECK(value(found, "steady_gops_per_s") == doctest::Approx(250));
  CHECK(found.contains("pj_per_byte"));
  CHECK_FALSE(found.contains("pj_per_operation"));
}

/// Readings every 0.1 s for some seconds, whose power rises from 100 to 400 W during `rise_s`.
Measurement averaged_power(double seconds, double rise_s) {
  Measurement m = ten_seconds();
  m.telemetry = {{0, {.clock_mhz = 300, .power_w = 50}}};
  for (int i = 1; i <= std::lround(10 * seconds); ++i)
    m.telemetry.push_back({i * 1e8, {.clock_mhz = 1000.0 + i, .power_w = 100 + 300 * std::min(0.1 * i / rise_s, 1.0)}});
  for (int i = 0; i < 10; ++i) m.samples[static_cast<std::size_t>(i)].end_ns = (i + 1) * 1e8 * seconds;
  m.statistics = sustained_statistics(m);
  return m;
}

TEST_CASE("sustained: power readings that rise after the load begins bound the energy that they miss") {
  const Measurement m = averaged_power(3, 1);
  const EnergyBound bound = energy_bound(m).value();
  // 380 W are reached at 1.0 s. From 0.2 to 0.9 s 240, 210 ... 30 W are missing, for 0.1 s each.
  CHECK(bound.rise_s == doctest::Approx(1.0));
  CHECK(bound.load_s == doctest::Approx(3.0));
  CHECK(bound.missing_share.value() == doctest::Approx(108.0 / (2.9 * 400)));
  CHECK_WORDS("sustained.energy-of-short-load", energy_warning(m));
}

TEST_CASE("sustained: only readings from before the steady power miss energy, and none above it offsets them") {
  Measurement m = averaged_power(3, 1);
  REQUIRE(m.telemetry.at(10).ns == 1e9);
  m.telemetry[10].reading.power_w = 450;  // the first that is steady
  m.telemetry[15].reading.power_w = 390;
  CHECK(energy_bound(m).value().missing_share.value() == doctest::Approx(108 / (2.9 * 400 + 5 - 1)));
}

TEST_CASE("sustained: a record has the warning of energy") {
  Measurement m = averaged_power(3, 1);
  const std::string warning = energy_warning(m);
  REQUIRE_FALSE(warning.empty());
  derive_statistics(m, DeviceClock(fake::gpu()));
  CHECK(std::ranges::count(m.warnings, warning) == 1);
}

TEST_CASE("sustained: no warning of energy for long loads or with a counter, another while power still rises") {
  CHECK(energy_warning(averaged_power(30, 1)).empty());
  CHECK(energy_bound(averaged_power(30, 1)).value().missing_share.value() < 0.01);
  CHECK_WORDS("sustained.energy-of-rising-load", energy_warning(averaged_power(1, 1)));
  Measurement counted = averaged_power(3, 1);
  counted.statistics["energy_j"] = counted.statistics.at("integrated_j");
  CHECK(energy_warning(counted).empty());
  Measurement without_energy = averaged_power(3, 1);
  without_energy.statistics.erase("integrated_j");
  CHECK(energy_warning(without_energy).empty());
  CHECK_FALSE(energy_bound(Measurement()));
}

TEST_CASE("sustained: a counter that wraps or stands still gives no energy; the power does") {
  const auto stated = [](double (*count)(double)) {
    Measurement m = ten_seconds();
    for (TelemetrySample& sample : m.telemetry) sample.reading.energy_j = count(*sample.reading.energy_j);
    return sustained_statistics(m);
  };
  CHECK(stated([](double j) { return j; }).contains("energy_j"));
  // The last is above the first.
  const auto wrapped = [](double j) { return j > 3000 ? j - 1500 : j; };
  CHECK_FALSE(stated(wrapped).contains("energy_j"));
  CHECK(value(stated(wrapped), "integrated_j") == doctest::Approx(4.5 + 9.5 * 380 + 0.5));
  CHECK_FALSE(stated([](double) { return 1000.0; }).contains("energy_j"));
  CHECK(value(stated([](double) { return 1000.0; }), "steady_w") == doctest::Approx(380.5));
}

TEST_CASE("sustained: a counter that contradicts the power gives no energy, and a warning") {
  const auto stated = [](double factor) {
    Measurement m = ten_seconds();
    for (TelemetrySample& sample : m.telemetry) *sample.reading.energy_j *= factor;
    m.statistics = sustained_statistics(m);
    return m;
  };
  CHECK(stated(2).statistics.contains("energy_j"));
  CHECK_FALSE(energy_contradiction(stated(1)));
  for (const double factor : {10.0, 0.001}) {
    const Measurement m = stated(factor);
    CHECK_FALSE(m.statistics.contains("energy_j"));
    CHECK(value(m.statistics, "steady_w") == doctest::Approx(380.5));
  }
  CHECK_WORDS("sustained.counter-contradicts-power", energy_warning(stated(10)));
}

TEST_CASE("sustained: a counter alone gives the energy") {
  Measurement m = ten_seconds();
  for (TelemetrySample& sample : m.telemetry) sample.reading.power_w.reset();
  const Statistics found = sustained_statistics(m);
  CHECK(found.contains("energy_j"));
  CHECK_FALSE(found.contains("integrated_j"));
  CHECK(found.contains("steady_w"));
}

TEST_CASE("sustained: without a counter the power gives the energy; few readings give none") {
  Measurement m = ten_seconds();
  for (TelemetrySample& sample : m.telemetry) sample.reading.energy_j.reset();
  CHECK_FALSE(sustained_statistics(m).contains("energy_j"));
  CHECK(value(sustained_statistics(m), "steady_w") == doctest::Approx(380.5));
  m.telemetry.resize(5);  // four refreshes
  CHECK_FALSE(sustained_statistics(m).contains("integrated_j"));
  CHECK_FALSE(sustained_statistics(m).contains("pj_per_byte"));
  m.samples.back().end_ns.reset();
  CHECK(sustained_statistics(m).empty());
}

/// A small device whose second cache holds the slices of all units.
sim::Model cool() {
  sim::Model model = sim::examples::small();
  model.caches[1].size_bytes = 1024 * 1024;
  for (sim::Cache& cache : model.caches) cache.bytes_per_cycle = 64;
  return model;
}

TEST_CASE("sustained: mixed is the kernel of intensity over memory, with bytes and operations") {
  sim::Model model = cool();
  model.memory_bytes_per_cycle = 64;
  model.schedulers = 4;
  model.operation_results["fp32-fma"] = 128;
  const auto device = open_sim(model, "test");
  const Point point{"sustained", {{"load", std::string("mixed")}, {"seconds", std::int64_t{1}}}};
  CHECK_FALSE(find_experiment("sustained")->unsupported(device->info(), point));
  const Trial trial = find_experiment("sustained")->prepare(*device, point, 7);
  REQUIRE(trial.work);
  REQUIRE(trial.participants);
  // An operation of every invocation takes a word of 4 bytes through 32 multiply-adds.
  CHECK(trial.work->bytes_per_op * 32 == trial.participants->dispatch * 4);
  CHECK(trial.timed.groups_per_loop.value() * std::uint64_t{16} * 1024 == std::uint64_t{16} * 1024 * 1024);
  CHECK(trial.accumulates);
}

TEST_CASE("sustained: the time constants of a simulated device that throttles are found within 5 %") {
  sim::Model model = cool();
  model.noise = {.gaussian = 0.002, .seed = 5};
  model.unit_clock = sim::UnitClock{};
  model.clock = {.mhz = 1000, .throttled_mhz = 700, .throttle_after_ms = 3000, .throttle_constant_ms = 2000};
  model.heat = sim::HeatBehaviour{.idle_w = 50, .load_w = 300, .idle_c = 30, .load_c = 80, .constant_ms = 4000};
  const auto device = open_sim(model, "test");
  const Telemetry telemetry = sim_telemetry(*device);
  const std::atomic<bool> stop = false;
  Measurer measurer(*device, stop, &telemetry);
  const Point point{"sustained", {{"load", std::string("l2")}, {"seconds", std::int64_t{20}}}};
  const PointResult result = measurer.measure(*find_experiment("sustained"), point, examples::brief_protocol(), 7).result;
  REQUIRE_MESSAGE(result.outcome.status == Status::ok, result.outcome.reason);
  const Measurement& m = *result.measurement;
  const Statistics& found = m.statistics;
  CHECK(value(found, "rate_constant_s") == doctest::Approx(2).epsilon(0.05));
  CHECK(value(found, "heat_constant_s") == doctest::Approx(4).epsilon(0.05));
  CHECK(value(found, "steady_mhz") == doctest::Approx(700).epsilon(0.01));
  CHECK(value(found, "steady_after_s") == doctest::Approx(3 + 2 * std::log(300 / 7.0)).epsilon(0.1));
  CHECK(value(found, "energy_j") == doctest::Approx(value(found, "integrated_j")).epsilon(0.01));
  CHECK(value(found, "steady_w") == doctest::Approx(300).epsilon(0.01));
  CHECK(m.samples.size() > 70);
  CHECK(*m.samples.back().end_ns >= 20e9);
  CHECK(m.samples.back().load_ops.value() >= 300 * m.samples.back().ops);
}

/// The experiment with dispatches of 0.1 ms.
class Brief final : public Experiment {
 public:
  std::string name() const override { return all().name(); }
  Presentation presentation() const override { return all().presentation(); }
  std::vector<ParameterSpec> parameters() const override { return all().parameters(); }
  std::vector<Point> plan(const DeviceInfo&, const Options&, std::span<const PointResult>) const override { return {}; }
  std::optional<std::string> unsupported(const DeviceInfo&, const Point&) const override { return std::nullopt; }
  Trial prepare(Device& device, const Point& point, std::uint64_t seed) const override {
    Trial trial = all().prepare(device, point, seed);
    trial.sample_ns = 1e5;
    return trial;
  }

 private:
  static const Experiment& all() { return *find_experiment("sustained"); }
};

TEST_CASE("sustained: a record keeps a thousand samples and counts the operations of the others") {
  const auto device = open_sim(cool(), "test");
  const std::atomic<bool> stop = false;
  const Point point{"sustained", {{"load", std::string("l2")}, {"seconds", std::int64_t{1}}}};
  const PointResult result = Measurer(*device, stop).measure(Brief(), point, examples::brief_protocol(), 7).result;
  REQUIRE_MESSAGE(result.outcome.status == Status::ok, result.outcome.reason);
  const auto& samples = result.measurement->samples;
  CHECK(samples.size() > 400);
  CHECK(samples.size() <= 1001);
  CHECK(result.measurement->verified_samples == samples.size());
  CHECK(samples.front().load_ops.value() > 5 * samples.front().ops);
  CHECK(result.measurement->statistics.at("busy_share").median == doctest::Approx(0.1 / 0.114).epsilon(0.02));
}

TEST_CASE("sustained: a rest ends when the user stops the run, and simulated devices do not rest") {
  fake::Script script;
  script.info = fake::gpu(Api::vulkan);
  fake::FakeDevice device(script);
  const std::atomic<bool> stop = true;
  Trial trial;
  CHECK_THROWS_AS(TrialRun(device, stop, trial).rest(1e12), Interruption);
  const auto simulated = open_sim(cool(), "test");
  TrialRun(*simulated, stop, trial).rest(1e12);
}

TEST_CASE("sustained: a simulated device finds data that change between two dispatches") {
  sim::Model model = cool();
  model.memory_bytes_per_cycle = 64;
  model.schedulers = 4;
  model.operation_results["fp32-fma"] = 128;
  const auto device = open_sim(model, "test");
  const std::atomic<bool> stop = false;
  for (const char* load : {"dram", "mixed"}) {
    CAPTURE(load);
    const Point point{"sustained", {{"load", std::string(load)}, {"seconds", std::int64_t{1}}}};
    Trial trial = find_experiment("sustained")->prepare(*device, point, 7);
    TrialRun run(*device, stop, trial);
    run.set_up();
    CHECK_NOTHROW(run.timed(2));
    CHECK_NOTHROW(run.timed(2));
    const float other = 77;
    device->write(*trial.timed.dispatch.bindings.front().buffer, 0, std::as_bytes(std::span(&other, 1)));
    CHECK_THROWS_AS(run.timed(2), BadOutcome);
  }
}

TEST_CASE("sustained: twenty simulated seconds of memory loads need few passes over the data") {
  sim::Model model = cool();
  model.memory_bytes_per_cycle = 64;
  model.schedulers = 4;
  model.operation_results["fp32-fma"] = 128;
  const auto device = open_sim(model, "test");
  const std::atomic<bool> stop = false;
  for (const char* load : {"dram", "mixed"}) {
    CAPTURE(load);
    const Point point{"sustained", {{"load", std::string(load)}, {"seconds", std::int64_t{20}}}};
    const auto begin = std::chrono::steady_clock::now();
    const PointResult result =
        Measurer(*device, stop).measure(*find_experiment("sustained"), point, examples::brief_protocol(), 7).result;
    REQUIRE_MESSAGE(result.outcome.status == Status::ok, result.outcome.reason);
    CHECK(*result.measurement->samples.back().end_ns >= 20e9);
    // It takes below a second; a pass over the data in each dispatch takes minutes.
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(60));
  }
}

TEST_CASE("sustained: sums that accumulate over unchecked runs are checked as a whole") {
  sim::Model model = cool();
  model.memory_bytes_per_cycle = 64;
  const auto device = open_sim(model, "test");
  const std::atomic<bool> stop = false;
  const Point point{"sustained", {{"load", std::string("dram")}, {"seconds", std::int64_t{1}}}};
  for (const bool accumulates : {true, false}) {
    Trial trial = find_experiment("sustained")->prepare(*device, point, 7);
    CHECK(trial.accumulates);
    trial.accumulates = accumulates;
    TrialRun run(*device, stop, trial);
    run.set_up();
    run.again(2);
    if (accumulates) {
      CHECK_NOTHROW(run.timed(1));
    } else {
      CHECK_THROWS_AS(run.timed(1), BadOutcome);
    }
  }
}

TEST_CASE("sustained: a report draws rate, clock, power and temperature over time") {
  PointResult result{.point = {"sustained", {{"load", std::string("dram")}, {"seconds", std::int64_t{10}}}},
                     .outcome = {},
                     .measurement = ten_seconds()};
  result.measurement->statistics = sustained_statistics(*result.measurement);
  LoadedFile file;
  file.headers = {examples::header()};
  file.entries.emplace_back(PointRecord{file.headers.front().id, result});
  ReportCollector collector(limits_catalogue());
  collector.add(std::move(file));
  const ReportData data = collector.finish();
  std::map<std::string, std::size_t> points;
  for (const Chart& chart : ReportCharts(data).of_experiment("sustained")) {
    if (chart.name.starts_with("load-")) points[chart.name.substr(0, chart.name.find("-some"))] = chart.points;
  }
  CHECK(points ==
        std::map<std::string, std::size_t>{{"load-rate", 10}, {"load-clock", 20}, {"load-power", 20}, {"load-temperature", 20}});
}

TEST_CASE("sustained: power and clock as shares of their limits, several cards in a chart") {
  const auto load_of = [](const char* id, std::int64_t seconds, std::optional<std::string> limit) {
    PointResult result{.point = {"sustained", {{"load", std::string("dram")}, {"seconds", seconds}}},
                       .outcome = {},
                       .measurement = ten_seconds()};
    result.measurement->statistics = sustained_statistics(*result.measurement);
    if (limit) result.measurement->observed["power_limit_w"] = *limit;
    LoadedFile file;
    file.headers = {examples::header(id)};
    file.headers.front().identity = std::string("uuid:") + id;
    file.entries.emplace_back(PointRecord{id, result});
    return file;
  };
  LoadedFile limited = load_of("0000000000000001", 10, "500 of 700");
  limited.headers.front().device.clock_mhz = Sourced<double>{2000, Provenance::reported};
  ReportCollector collector(limits_catalogue());
  collector.add(std::move(limited));
  collector.add(load_of("0000000000000002", 20, "400 of 700"));
  collector.add(load_of("0000000000000003", 10, std::nullopt));
  const ReportData data = collector.finish();
  REQUIRE(data.devices.size() == 3);
  CHECK(data.devices[0].most_w == 500);
  const auto charts = ReportCharts(data).of_experiment("sustained");
  const auto chart = std::ranges::find(charts, std::string("load-shares-dram"), &Chart::name);
  REQUIRE(chart != charts.end());
  const LoadCurves& load = data.devices[0].experiments.at("sustained").front().load;
  std::map<std::string, double> first;
  for (const auto& value : chart->spec["data"]["values"]) first.try_emplace(value["series"], value["y"]);
  const std::string name = data.devices[0].label;
  CHECK(first.size() == 3);  // the second card has no highest clock, the third no limit at all
  CHECK(first.at(name + ", power") == doctest::Approx(load.power_w.front().value / 5).epsilon(1e-4));
  CHECK(first.at(name + ", clock") == doctest::Approx(load.clock_mhz.front().value / 20).epsilon(1e-4));
  CHECK_WORDS("load-shares.remarks", chart->remarks);
  CHECK_WORDS("load-shares.title", chart->title);
}

TEST_CASE("sustained: a steady rate of fewer than three samples has a note") {
  const auto notes_of = [](std::uint64_t samples) {
    PointResult result{.point = {"sustained", {{"load", std::string("mixed")}, {"seconds", std::int64_t{1}}}},
                       .outcome = {},
                       .measurement = ten_seconds()};
    result.measurement->statistics = sustained_statistics(*result.measurement);
    result.measurement->statistics.at("steady_gb_per_s").n = samples;
    std::vector<std::string> texts;
    for (const Note& note : point_row(result, examples::header(), {}).notes) texts.push_back(note.text);
    return texts;
  };
  CHECK_WORDS("sustained.one-sample", notes_of(1));
  CHECK_WORDS("sustained.two-samples", notes_of(2));
  CHECK(notes_of(3).empty());
}

TEST_CASE("sustained: presets decide the loads and their time, and CPUs do not rest") {
  const Experiment* all = find_experiment("sustained");
  DeviceInfo device = fake::gpu(Api::vulkan);
  const auto plan = [&](Preset preset, const std::map<std::string, std::string>& set) {
    return all->plan(device, make_options({&all, 1}, set, preset, 1).front(), {});
  };
  CHECK(plan(Preset::quick, {}).size() == 2);
  CHECK(plan(Preset::standard, {}).size() == 7);
  const auto points = plan(Preset::full, {{"load", "l2"}, {"rest_seconds", "7"}});
  REQUIRE(points.size() == 1);
  CHECK(points.front().parameters ==
        Parameters{{"load", std::string("l2")}, {"rest_seconds", std::int64_t{7}}, {"seconds", std::int64_t{30}}});
  device.type = DeviceType::cpu;
  CHECK_FALSE(plan(Preset::full, {}).front().parameters.contains("rest_seconds"));
  CHECK_WORDS("sustained.no-matrix-products",
              all->unsupported(device, {"sustained", {{"load", std::string("matrix")}, {"seconds", std::int64_t{1}}}}));
}

}  // namespace
}  // namespace percycle::sustained_test
