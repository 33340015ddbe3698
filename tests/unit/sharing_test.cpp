#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "analysis/sharing.hpp"
#include "check_words.hpp"
#include "core/units.hpp"
#include "experiments/experiment.hpp"
#include "fake_device.hpp"
#include "scripted_latency.hpp"

namespace percycle::sharing_test {
namespace {

const Experiment& experiment() { return *find_experiment("sharing"); }

Options options(const std::map<std::string, std::string>& set = {}) {
  const std::vector<const Experiment*> one{&experiment()};
  return make_options(one, set, Preset::standard, 1).front();
}

std::int64_t number(const Point& point, const char* name) { return integer(point.parameters, name); }
std::string text(const Point& point, const char* name) { return word(point.parameters, name); }

const std::map<std::string, scripted::Levels> kLevels{
    {"texture", {{{32 * 1024.0, 90}, {4 * 1024 * 1024.0, 240}}, 350}},
    {"global-index", {{{32 * 1024.0, 32}, {4 * 1024 * 1024.0, 188}}, 300}},
    {"constant", {{{2 * 1024.0, 25}, {64 * 1024.0, 90}}, 260}},
};

/// A device with known sharing. Two large chains in one cache make `miss_share` of their loads
/// miss.
struct Truth {
  /// Paths that share their first level with global loads.
  std::set<std::string> with_global;
  std::vector<bool> by_units{false, true};  ///< by global's levels: shared between units
  double miss_share = 1;

  double operator()(const Point& point) const {
    if (point.experiment == "latency") return scripted::sweep_latency(point, kLevels.at(text(point, "path")));
    if (text(point, "test") == "paths") {
      const auto& first = kLevels.at(text(point, "first"));
      const auto& second = kLevels.at("global-index");
      const auto fit = [](const scripted::Levels& levels, std::int64_t bytes) {
        return static_cast<double>(bytes) > 0.5 * levels.levels[0].bytes;
      };
      const bool evict = with_global.contains(text(point, "first")) && fit(first, number(point, "first_bytes")) &&
                         fit(second, number(point, "second_bytes"));
      double latency = 3;  // cost of a change of path
      for (const auto& levels : {first, second}) {
        latency += levels.levels[0].latency / 2;
        if (evict) latency += miss_share * (levels.levels[1].latency - levels.levels[0].latency) / 2;
      }
      return latency;
    }
    const auto& levels = kLevels.at("global-index");
    const bool second_level = number(point, "bytes") > 32 * 1024;
    const double hit = levels.levels[second_level ? 1 : 0].latency;
    const double miss = second_level ? levels.memory : levels.levels[1].latency;
    return number(point, "groups") == 2 && by_units[second_level ? 1 : 0] ? hit + miss_share * (miss - hit) : hit;
  }
};

std::vector<PointResult> measured(const Truth& truth, double noise = 0, std::uint64_t seed = 1,
                                  const DeviceInfo& device = fake::gpu(), const std::map<std::string, std::string>& set = {}) {
  return scripted::carry_out(experiment(), device, options(set), scripted::Latencies(truth, noise, seed));
}

std::vector<Point> own_points(const std::vector<PointResult>& results) {
  std::vector<Point> points;
  for (const auto& result : results) {
    if (result.point.experiment == "sharing") points.push_back(result.point);
  }
  return points;
}

std::vector<std::string> reasons(const DeviceInfo& device, const Truth& truth) {
  std::vector<std::string> found;
  for (const auto& result : measured(truth, 0, 1, device)) {
    if (result.point.experiment == "sharing" && result.outcome.status != Status::ok) found.push_back(result.outcome.reason);
  }
  return found;
}

TEST_CASE("sharing: after the latencies, it plans four points for each pair of paths and two for each level") {
  std::set<std::string> paths;
  for (const auto& point : experiment().plan(fake::gpu(), options(), {})) {
    CHECK(point.experiment == "latency");
    paths.insert(text(point, "path"));
  }
  CHECK(paths == std::set<std::string>{"texture", "constant", "global-index"});

  std::map<std::string, std::set<std::pair<std::int64_t, std::int64_t>>> corners;
  std::map<std::int64_t, std::set<std::int64_t>> groups;
  for (const auto& point : own_points(measured(Truth{}))) {
    if (text(point, "test") == "paths") {
      CHECK(text(point, "second") == "global-index");
      CHECK(number(point, "second_stride") == 128);
      CHECK(number(point, "first_stride") == (text(point, "first") == "constant" ? 64 : 128));
      corners[text(point, "first")].insert({number(point, "first_bytes"), number(point, "second_bytes")});
    } else {
      CHECK(text(point, "path") == "global-index");
      groups[number(point, "bytes")].insert(number(point, "groups"));
    }
  }
  REQUIRE(corners.size() == 2);
  for (const auto& pair : corners) {
    const auto& first = pair.first;
    const auto& all = pair.second;
    CAPTURE(first);
    REQUIRE(all.size() == 4);
    const auto [a, b] = *all.rbegin();
    const double level = kLevels.at(first).levels[0].bytes;
    CHECK(static_cast<double>(a) == doctest::Approx(0.7 * level).epsilon(0.05));
    CHECK(static_cast<double>(b) == doctest::Approx(0.7 * 32 * 1024).epsilon(0.03));
    const std::int64_t two = first == "constant" ? 128 : 256;
    CHECK(all == std::set<std::pair<std::int64_t, std::int64_t>>{{a, b}, {a, 256}, {two, b}, {two, 256}});
  }
  REQUIRE(groups.size() == 2);
  for (const auto& [bytes, all] : groups) CHECK(all == std::set<std::int64_t>{1, 2});
  CHECK(static_cast<double>(groups.rbegin()->first) == doctest::Approx(0.7 * 4 * 1024 * 1024).epsilon(0.03));
}

TEST_CASE("sharing: one test alone plans only the points it needs") {
  std::set<std::string> paths;
  for (const auto& result : measured(Truth{}, 0, 1, fake::gpu(), {{"test", "units"}})) {
    if (result.point.experiment == "latency") paths.insert(text(result.point, "path"));
    if (result.point.experiment == "sharing") CHECK(text(result.point, "test") == "units");
  }
  CHECK(paths == std::set<std::string>{"global-index"});
  for (const auto& point : own_points(measured(Truth{}, 0, 1, fake::gpu(), {{"test", "paths"}})))
    CHECK(text(point, "test") == "paths");
}

TEST_CASE("sharing: an unsupported feature is reported once") {
  CHECK(reasons(fake::gpu(), Truth{}).empty());
  using Reasons = std::vector<std::string>;
  DeviceInfo device = fake::gpu();
  device.max_texel_elements = 0;
  CHECK_WORDS("device.no-textures", reasons(device, Truth{}));
  device = fake::gpu();
  device.constant_bytes = 0;
  CHECK_WORDS("device.no-constant-memory", reasons(device, Truth{}));
  device = fake::gpu();
  device.units = Sourced<std::uint32_t>{1, Provenance::reported};
  CHECK(reasons(device, Truth{}) == Reasons{"the device has only one unit", "the device has only one unit"});
  device.units.reset();  // unknown is not one
  CHECK(reasons(device, Truth{}).empty());
  device = fake::gpu();
  device.memory_bytes = 20 * kMiB;  // a quarter: one chain of 2.8 MiB, not two
  CHECK_WORDS("sharing.path-limit", reasons(device, Truth{}));

  const auto flat =
      scripted::carry_out(experiment(), fake::gpu(), options(), scripted::Latencies([](const Point&) { return 50.0; }, 0, 1));
  Reasons said;
  for (const auto& result : flat) {
    if (result.point.experiment == "sharing") said.push_back(result.outcome.reason);
  }
  CHECK_WORDS("sharing.no-edges", said);
}

Point turns(const std::string& first, std::int64_t first_bytes, std::int64_t second_bytes) {
  return {"sharing",
          {{"test", "paths"},
           {"first", first},
           {"first_bytes", first_bytes},
           {"first_stride", std::int64_t{64}},
           {"second", "global-index"},
           {"second_bytes", second_bytes},
           {"second_stride", std::int64_t{128}}}};
}

Point units(std::int64_t bytes, std::int64_t groups) {
  return {"sharing",
          {{"test", "units"}, {"path", "global-index"}, {"bytes", bytes}, {"stride", std::int64_t{128}}, {"groups", groups}}};
}

/// Runs and verifies a trial with several loop counts; returns it.
Trial run(fake::FakeDevice& device, const Point& point) {
  Trial trial = experiment().prepare(device, point, 3);
  for (const auto& dispatch : trial.setup) device.run(dispatch);
  for (const std::uint32_t loops : {0u, 1u, 7u, 100u}) {
    trial.timed.dispatch.parameters.at(trial.timed.loops_parameter) = loops;
    device.run(trial.timed.dispatch);
    CHECK(trial.timed.verify(device, loops) == Outcome{});
  }
  return trial;
}

TEST_CASE("sharing: walks in turns end at the right nodes, and a wrong end of either path is found") {
  for (const char* first : {"texture", "constant"}) {
    for (const auto& [a, b] : {std::pair{23 * 64, 50 * 128}, std::pair{2 * 64, 50 * 128}, std::pair{23 * 64, 2 * 128}}) {
      CAPTURE(first);
      fake::FakeDevice device(fake::Script{});
      Trial trial = run(device, turns(first, a, b));
      CHECK(trial.timed.ops_per_loop == 62);
      const auto& desc = dynamic_cast<fake::FakeKernel&>(*trial.timed.dispatch.kernel).desc;
      CHECK(desc.local_size == 32);
      CHECK(desc.constants.size() == (std::string(first) == "constant" ? static_cast<std::size_t>(a) : 0));
      device.run(trial.timed.dispatch);  // with one turn less than reported
      auto verify = trial.timed.verify;
      CHECK(verify(device, 99).status == Status::invalid);
      auto& state = fake::contents(trial.timed.dispatch.bindings.back());
      CHECK(state.size() == 40);
      for (const std::size_t byte : {32u, 36u}) {
        const auto right = state;
        state[byte] ^= std::byte{0x10};
        verify = trial.timed.verify;
        const Outcome outcome = verify(device, 100);
        CHECK(outcome.status == Status::invalid);
        CHECK(outcome.reason.starts_with(byte == 32 ? "the first chain ended at link " : "the second chain ended at link "));
        state = right;
      }
      CHECK(trial.timed.verify(device, 100) == Outcome{});
    }
  }
}

TEST_CASE("sharing: a second work-group walks a separate chain with all its subgroups, spread along it") {
  fake::FakeDevice device(fake::Script{});
  const Trial one = run(device, units(24 * 128, 1));
  CHECK(one.timed.dispatch.groups == 1);
  CHECK(fake::contents(one.timed.dispatch.bindings[0]).size() == 24 * 128);
  const Trial two = run(device, units(24 * 128, 2));
  CHECK(two.timed.dispatch.groups == 2);
  CHECK(two.timed.dispatch.parameters == KernelValues{{"loops", 100}, {"warm_loops", 1}, {"first", 1}, {"others", 255}});
  CHECK(fake::contents(two.timed.dispatch.bindings[0]).size() == 2 * 24 * 128);

  const Trial fresh = experiment().prepare(device, units(24 * 128, 2), 3);
  std::vector<std::uint32_t> state((32 + 512 * 4) / 4);
  device.read(*fresh.timed.dispatch.bindings[1].buffer, 0, std::as_writable_bytes(std::span(state)), HostMemory::pageable);
  std::set<std::uint32_t> links;
  for (std::size_t subgroup = 8; subgroup < 16; ++subgroup) {
    const std::uint32_t link = state[8 + subgroup * 32];
    CHECK(link >= 24 * 32);
    CHECK(link < 2 * 24 * 32);
    links.insert(link);
  }
  CHECK(links.size() == 8);
  CHECK(state[8] < 24 * 32);
}

TEST_CASE("sharing: a device without subgroups compares units with one lane to a work-group") {
  fake::Script script;
  script.info.subgroup_sizes.clear();
  fake::FakeDevice device(script);
  const Trial trial = run(device, units(24 * 128, 2));
  const auto& desc = dynamic_cast<fake::FakeKernel&>(*trial.timed.dispatch.kernel).desc;
  CHECK(desc.local_size == 1);
  CHECK(desc.definitions.at("SUBGROUP_SIZE") == "1");
}

TEST_CASE("sharing: paths with a shared first level are distinguished from others at any noise") {
  for (const double noise : {0.0, 0.01, 0.05}) {
    for (std::uint64_t seed = 0; seed < 2; ++seed) {
      CAPTURE(noise);
      const auto reading = read_sharing(measured(Truth{.with_global = {"texture"}, .by_units = {false, true}}, noise, seed));
      REQUIRE(reading.paths.size() == 2);
      CHECK(reading.paths[0].first == "constant");
      CHECK_FALSE(reading.paths[0].shared);
      CHECK(reading.paths[1].first == "texture");
      CHECK(reading.paths[1].second == "global-index");
      CHECK(reading.paths[1].shared);
      for (const auto& pair : reading.paths) {
        CHECK(pair.confidence > 0.9);
        CHECK(pair.evidence.size() == 1);
      }
    }
  }
  const auto other =
      read_sharing(measured(Truth{.with_global = {"constant"}, .by_units = {false, true}, .miss_share = 0.45}, 0.05));
  CHECK(other.paths[0].shared);
  CHECK_FALSE(other.paths[1].shared);
}

TEST_CASE("sharing: shared levels are distinguished from private ones at any noise") {
  for (const auto& truth : {std::vector<bool>{false, true}, std::vector<bool>{false, false}, std::vector<bool>{true, true}}) {
    for (const double noise : {0.0, 0.01, 0.05}) {
      CAPTURE(noise);
      const auto reading = read_sharing(measured(Truth{.with_global = {}, .by_units = truth, .miss_share = 0.5}, noise));
      REQUIRE(reading.units.size() == 2);
      for (std::size_t i = 0; i < 2; ++i) {
        const auto& unit = reading.units[i];
        CHECK(unit.path == "global-index");
        CHECK(unit.level == i + 1);
        CHECK(static_cast<double>(unit.size_bytes) == doctest::Approx(kLevels.at("global-index").levels[i].bytes).epsilon(0.05));
        CHECK(unit.shared == truth[i]);
        CHECK(unit.confidence > 0.8);
      }
    }
  }
}

TEST_CASE("sharing: an incomplete set of points gives no finding") {
  CHECK(read_sharing({}).paths.empty());
  const auto all = measured(Truth{});
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].point.experiment != "sharing") continue;
    auto part = all;
    part[i].outcome = {Status::failed, "crashed"};
    const auto reading = read_sharing(part);
    CHECK(reading.paths.size() + reading.units.size() == 3);
  }
  for (const char* bytes : {"first_bytes", "second_bytes"}) {  // an edge of the square
    std::vector<PointResult> edge;
    std::copy_if(all.begin(), all.end(), std::back_inserter(edge), [&](const PointResult& result) {
      return !result.point.parameters.contains(bytes) || number(result.point, bytes) > 256;
    });
    CHECK(read_sharing(edge).paths.empty());
  }
  std::vector<PointResult> without;
  std::copy_if(all.begin(), all.end(), std::back_inserter(without),
               [](const PointResult& result) { return result.point.experiment == "sharing"; });
  CHECK(read_sharing(without).paths.empty());
  CHECK(read_sharing(without).units.empty());
}

}  // namespace
}  // namespace percycle::sharing_test
