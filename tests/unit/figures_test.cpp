#include "core/figures.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <string>

#include "core/timed_sample.hpp"
#include "experiments/experiment.hpp"
#include "presentation/presentation.hpp"
#include "stats/sample_statistics.hpp"

namespace percycle::figures_test {
namespace {

using Names = std::set<std::string, std::less<>>;

/// A load of 30 s that slows down and heats up from its second second on, with every clock.
Measurement throttled_load() {
  Measurement m;
  m.time_source = kDeviceTimer;
  m.clock_mhz = Sourced<double>{1500, Provenance::measured_in_kernel};
  m.telemetry.push_back({0, {.clock_mhz = 300, .power_w = 50, .temperature_c = 30, .energy_j = 1000}});
  for (int i = 1; i <= 300; ++i) {
    const double s = 0.1 * i;
    const double settled = s <= 2 ? 0 : 1 - std::exp((2 - s) / 2);
    Sample sample{.ops = 100, .timing = {1e8, 8e7 * (1 + settled)}, .clock = {120'000'000, {}}};
    GroupClocks& groups = sample.groups.emplace();
    groups.groups = 8;
    groups.units = 4;
    groups.ticks = GroupClocks::Range{1e8, 1e8, 1e8};
    groups.groups_per_tick = 1e-8;
    groups.groups_at_once = 2;
    groups.most_at_once = 2;
    sample.traffic = Traffic{1000, 3};
    sample.pair = PairTimes{.alone_ns = 1, .both_ns = 1, .first_ns = 1, .second_ns = 1};
    sample.end_ns = s * 1e9;
    sample.load_ops = static_cast<std::uint64_t>(100 * i);
    m.samples.push_back(sample);
    m.control_samples.push_back(sample);
    m.telemetry.push_back(
        {s * 1e9, {.clock_mhz = 1500, .power_w = 300 + s, .temperature_c = 40 + 30 * settled, .energy_j = 1000 + 300 * s}});
  }
  return m;
}

/// Every statistic that a record can hold.
Names statistics() {
  Names names;
  const auto add = [&](const Measurement& measurement) {
    for (const auto& [name, summary] : statistics_of(measurement, {.is_cpu = true, .units = 4})) names.insert(name);
  };
  Measurement load = throttled_load();
  add(load);
  load.participants = Participants{.dispatch = 1000, .group = 10};
  add(load);
  load.work = Work{.bytes_per_op = 8000, .group_bytes_per_op = 80};
  add(load);
  names.insert({"tries_per_op", "trip_ns_per_op"});  // sums of series
  return names;
}

/// Figures that rows of tables have beside the statistics.
const Names kDerived{"least",
                     "most",
                     "mad_percent",
                     "n",
                     "efficiency_percent",
                     "limit",
                     "limit_gb_per_s",
                     "limit_bytes_per_unit_cycle",
                     "limit_ops_per_unit_cycle",
                     "clock_mhz",
                     "clock",
                     "clocks_differ_percent",
                     "time",
                     "run_bytes"};

TEST_CASE("figures: the catalogue has every statistic and derived figure once, and no others") {
  Names known;
  for (const Figure& figure : all_figures()) {
    CAPTURE(figure.name);
    CHECK(known.emplace(figure.name).second);
    CHECK_FALSE((figure.words.empty() && figure.unit.empty()));
  }
  Names all = statistics();
  all.insert(kDerived.begin(), kDerived.end());
  for (const std::string& name : all) CHECK_MESSAGE(known.contains(name), name);
  for (const std::string& name : known) CHECK_MESSAGE(all.contains(name), name);
}

TEST_CASE("figures: those that experiments draw or sum up are known, with a unit and a direction") {
  const auto check = [](std::string_view name) {
    CAPTURE(name);
    const Figure figure = figure_called(name);
    CHECK_FALSE(figure.unit.empty());
    if (name != "clock_mhz") CHECK(figure.better != Direction::neither);
    for (const std::string_view other : {figure.in_cycles, figure.limit})
      CHECK((other.empty() || !figure_called(other).unit.empty()));
  };
  for (const char* name : figures::kMain) check(name);
  for (const Experiment* experiment : all_experiments()) {
    CAPTURE(experiment->name());
    const Presentation& about = presentation_of(experiment->name());
    for (const CurveChart& chart : about.curves) std::ranges::for_each(chart.y, check);
    for (const BarChart& chart : about.bars) std::ranges::for_each(chart.y, check);
    for (const GridChart& chart : about.grids) std::ranges::for_each(chart.figures, check);
    for (const PairChart& chart : about.pairs) check(chart.figure);
    for (const SummaryFigure& figure : about.summary) check(figure.figure);
  }
}

TEST_CASE("figures: a unit has the vendor's name of a unit and the experiment's word for an operation") {
  CHECK(figure_title("bytes_per_unit_cycle") == "B/unit/cycle");
  for (const char* unit : {"SM", "CU", "WGP", "Xe-core", "core"})
    CHECK(figure_unit("limit_bytes_per_unit_cycle", {.unit = unit}) == std::string("B/") + unit + "/cycle");
  CHECK(figure_title("limit_bytes_per_unit_cycle", {.unit = "SM"}) == "limit B/SM/cycle");
  CHECK(figure_title("net_cycles_per_op", {.op = "load"}) == "net cycles/load");
  CHECK(figure_unit("gops_per_s", {.ops = "cells"}) == "Gcells/s");
  CHECK(with_unit(127.94, "bytes_per_unit_cycle", {.unit = "SM"}) == "127.9 B/SM/cycle");
  CHECK(with_unit(33434.6, "gb_per_s") == "33435 GB/s");
  CHECK(latency_words(278.44, 141) == "278.4 cycles");
  CHECK(latency_words({}, 1.25) == "1.25 ns");
  CHECK(latency_words({}, 141) == "141.0 ns");
}

TEST_CASE("figures: one that the catalogue lacks is shown under its name") {
  CHECK(figure_title("dependent_ns_per_op", {.op = "load"}) == "dependent ns/load");
  CHECK(figure_unit("dependent_ns_per_op").empty());
  CHECK_FALSE(figure_called("dependent_ns_per_op").is_positive);
}

}  // namespace
}  // namespace percycle::figures_test
