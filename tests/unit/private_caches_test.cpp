#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "analysis/known_readings.hpp"
#include "analysis/path_curve.hpp"
#include "analysis/private_copies.hpp"
#include "check_words.hpp"
#include "core/units.hpp"
#include "experiments/chases/parts/private_caches.hpp"
#include "experiments/experiment.hpp"
#include "fake_device.hpp"
#include "scripted_latency.hpp"

namespace percycle::private_caches_test {
namespace {

const Experiment& experiment() { return *find_experiment("private-caches"); }

Options options(const std::map<std::string, std::string>& set = {}) {
  const std::vector<const Experiment*> one{&experiment()};
  return make_options(one, set, Preset::standard, 1).front();
}

std::int64_t number(const Point& point, const char* name) { return integer(point.parameters, name); }
std::string text(const Point& point, const char* name) { return word(point.parameters, name); }

const scripted::Levels kLevels{{{32 * 1024.0, 32}, {4 * 1024 * 1024.0, 188}}, 300};

/// The copy that a subgroup uses.
using CopyOf = std::function<std::int64_t(std::int64_t subgroup)>;

CopyOf in_turn(std::int64_t copies) {
  return [copies](std::int64_t subgroup) { return subgroup % copies; };
}

/// The latency of subgroup 0 if a second chain in its copy makes this share of its loads miss.
std::function<double(const Point&)> device_with(const CopyOf& copy_of, double miss_share = 1) {
  return [copy_of, miss_share](const Point& point) {
    if (point.experiment == "latency") return scripted::sweep_latency(point, kLevels);
    bool shared = false;
    if (text(point, "test") == "pair") {
      shared = copy_of(number(point, "other")) == copy_of(0);
    } else {
      for (std::int64_t other = 1; other < number(point, "active"); ++other) shared = shared || copy_of(other) == copy_of(0);
    }
    return shared ? 32 + miss_share * (188 - 32) : 32;
  };
}

std::vector<PointResult> measured(const std::function<double(const Point&)>& latency, double noise = 0, std::uint64_t seed = 1) {
  return scripted::carry_out(experiment(), fake::gpu(), options(), scripted::Latencies(latency, noise, seed));
}

std::optional<PrivateCopies> read(const std::vector<PointResult>& results, const std::string& path) {
  const auto curve = path_curves(results, path).best();
  return read_private_copies(results, path, curve.empty() ? CurveReading{} : known_reading(curve));
}

PrivateCopies copies(const std::vector<PointResult>& results, const std::string& path = "texture") {
  const auto found = read(results, path);
  REQUIRE(found);
  CHECK(found->path == path);
  return *found;
}

bool says(const std::vector<std::string>& evidence, const std::string& words) {
  return std::any_of(evidence.begin(), evidence.end(),
                     [&](const std::string& line) { return line.find(words) != std::string::npos; });
}

TEST_CASE("private-caches: after the latencies, it plans counts and pairs of chains of 0.7 of the first level") {
  const auto first = experiment().plan(fake::gpu(), options(), {});
  std::set<std::string> paths;
  for (const auto& point : first) {
    CHECK(point.experiment == "latency");
    paths.insert(text(point, "path"));
  }
  CHECK(paths == std::set<std::string>{"texture", "global-index"});
  std::map<std::string, std::vector<std::string>> planned;
  for (const auto& result : measured(device_with(in_turn(1)))) {
    const Point& point = result.point;
    if (point.experiment == "latency") continue;
    const std::string test = text(point, "test");
    planned[text(point, "path")].push_back(test + std::to_string(number(point, test == "pair" ? "other" : "active")));
    CHECK(number(point, "stride") == 128);
    CHECK(number(point, "bytes") % 128 == 0);
    CHECK(static_cast<double>(number(point, "bytes")) == doctest::Approx(0.7 * 32 * 1024).epsilon(0.03));
  }
  const std::vector<std::string> all{"count1", "count2", "count3", "count4", "count5", "count6", "count7", "count8",
                                     "pair1",  "pair2",  "pair3",  "pair4",  "pair5",  "pair6",  "pair7"};
  CHECK(planned == std::map<std::string, std::vector<std::string>>{{"global-index", all}, {"texture", all}});
}

TEST_CASE("private-caches: a device with small work-groups tests fewer subgroups") {
  DeviceInfo device = fake::gpu();
  device.max_group_size = 100;
  CHECK(side_group(device).subgroups == 3);
  std::size_t points = 0;
  for (const auto& result : scripted::carry_out(experiment(), device, options({{"path", "texture"}}),
                                                scripted::Latencies(device_with(in_turn(1)), 0, 1))) {
    points += result.point.experiment == "private-caches" ? 1 : 0;
  }
  CHECK(points == 5);
}

TEST_CASE("private-caches: an unsupported path is reported once") {
  const auto reasons = [](const DeviceInfo& device, const std::function<double(const Point&)>& latency) {
    std::map<std::string, std::vector<std::string>> found;
    for (const auto& result : scripted::carry_out(experiment(), device, options(), scripted::Latencies(latency, 0, 1))) {
      if (result.point.experiment == "private-caches" && result.outcome.status != Status::ok) {
        found[text(result.point, "path")].push_back(result.outcome.reason);
      }
    }
    return found;
  };
  using Reasons = std::map<std::string, std::vector<std::string>>;
  const auto of_both = [](const Reasons& found) {
    CHECK(found.size() == 2);
    CHECK(found.at("global-index") == found.at("texture"));
    return found.at("texture");
  };
  const auto one_copy = device_with(in_turn(1));
  CHECK(reasons(fake::gpu(), one_copy).empty());
  DeviceInfo device = fake::gpu();
  device.subgroup_sizes.clear();
  CHECK_WORDS("device.no-subgroup-size", of_both(reasons(device, one_copy)));
  CHECK(experiment().plan(device, options(), {}).size() == 2);  // and no latency is measured for it
  device = fake::gpu();
  device.max_group_size = 63;
  CHECK_WORDS("private-caches.one-subgroup", of_both(reasons(device, one_copy)));
  device = fake::gpu();
  device.max_texel_elements = 0;
  CHECK(reasons(device, one_copy).size() == 1);
  CHECK_WORDS("device.no-textures", reasons(device, one_copy).at("texture"));
  CHECK_WORDS("private-caches.no-edge", of_both(reasons(fake::gpu(), [](const Point&) { return 100.0; })));
  // Eight chains of a level that is too large are not measured, fewer may be.
  const scripted::Levels large{{{64.0 * 1024 * 1024, 188}}, 300};
  const auto too_large = reasons(fake::gpu(), [&](const Point& point) {
    return point.experiment == "latency" ? scripted::sweep_latency(point, large) : 188;
  });
  CHECK(too_large.empty());
  Point point{"private-caches",
              {{"path", "texture"},
               {"test", "count"},
               {"active", std::int64_t{8}},
               {"bytes", std::int64_t{40 << 20}},
               {"stride", std::int64_t{128}}}};
  CHECK_WORDS("private-caches.long-chains", experiment().unsupported(fake::gpu(), point));
}

Point example(const std::string& path, const std::string& test, std::int64_t value) {
  return {"private-caches",
          {{"path", path},
           {"test", test},
           {test == "pair" ? "other" : "active", value},
           {"bytes", std::int64_t{23 * 128}},
           {"stride", std::int64_t{128}}}};
}

std::vector<Point> examples() {
  std::vector<Point> points;
  for (const char* path : {"texture", "global-index"}) {
    for (const std::int64_t active : {1, 3, 8}) points.push_back(example(path, "count", active));
    for (const std::int64_t other : {1, 7}) points.push_back(example(path, "pair", other));
  }
  return points;
}

std::vector<std::uint32_t> words_of(Device& device, const Buffer& buffer) {
  std::vector<std::uint32_t> words(buffer.bytes() / sizeof(std::uint32_t));
  device.read(buffer, 0, std::as_writable_bytes(std::span(words)));
  return words;
}

constexpr std::size_t kLinks = 8;  // words of state before the links

TEST_CASE("private-caches: chains are disjoint single cycles, and each walking subgroup begins at the head of one") {
  for (const auto& point : examples()) {
    CAPTURE(to_string(point));
    fake::FakeDevice device(fake::Script{});
    const Trial trial = experiment().prepare(device, point, 5);
    const auto& bindings = trial.timed.dispatch.bindings;
    const auto& bytes = fake::contents(bindings[0]);
    std::vector<std::uint32_t> memory(bytes.size() / sizeof(std::uint32_t));
    std::memcpy(memory.data(), bytes.data(), bytes.size());
    const auto state = words_of(device, *bindings[1].buffer);
    REQUIRE(state.size() == kLinks + 256);
    std::set<std::uint32_t> visited;
    // No two chains alike: they could keep step and never conflict.
    std::set<std::vector<std::uint32_t>> orders;
    std::uint64_t nodes = 0;
    for (std::uint32_t subgroup = 0; subgroup < 8; ++subgroup) {
      const bool walks = text(point, "test") == "count" ? subgroup < number(point, "active")
                                                        : subgroup == 0 || subgroup == number(point, "other");
      const auto* lanes = &state[kLinks + subgroup * 32];
      for (int lane = 1; lane < 32; ++lane) CHECK(lanes[lane] == lanes[0]);
      if (!walks) {
        CHECK(lanes[0] == 0);
        continue;
      }
      std::uint32_t at = lanes[0];
      std::vector<std::uint32_t> order;
      for (int step = 0; step < 23; ++step, ++nodes) {
        visited.insert(at);
        CHECK(at % 32 == 0);
        REQUIRE(at < memory.size());
        order.push_back(at % (23 * 32));
        at = memory[at];
      }
      CHECK(orders.insert(order).second);
      CHECK(at == lanes[0]);
    }
    CHECK(visited.size() == nodes);
    CHECK(nodes * 32 == memory.size());
    CHECK(trial.ops_per_lap == 23);
  }
}

TEST_CASE("private-caches: repeated runs end at the right nodes") {
  for (const auto& point : examples()) {
    CAPTURE(to_string(point));
    fake::FakeDevice device(fake::Script{});
    Trial trial = experiment().prepare(device, point, 5);
    CHECK(trial.setup.empty());
    CHECK(trial.timed.dispatch.groups == 1);
    const auto& desc = dynamic_cast<fake::FakeKernel&>(*trial.timed.dispatch.kernel).desc;
    CHECK(desc.name == "private_caches");
    CHECK(desc.local_size == 256);
    CHECK(desc.definitions ==
          std::map<std::string, std::string>{{"PATH", text(point, "path") == "texture" ? "PATH_TEXTURE" : "PATH_GLOBAL_INDEX"},
                                             {"SUBGROUP_SIZE", "32"}});
    CHECK_FALSE(desc.subgroup_size);
    for (const std::uint32_t loops : {0u, 1u, 7u, 100u}) {
      trial.timed.dispatch.parameters.at(trial.timed.loops_parameter) = loops;
      device.run(trial.timed.dispatch);
      CHECK(trial.timed.verify(device, loops) == Outcome{});
    }
    // A skipped turn.
    device.run(trial.timed.dispatch);
    CHECK(trial.timed.verify(device, 101).status == Status::invalid);
  }
}

TEST_CASE("private-caches: a wrong end of any invocation is found, even of an idle one") {
  fake::FakeDevice device(fake::Script{});
  Trial trial = experiment().prepare(device, example("texture", "pair", 2), 5);
  device.run(trial.timed.dispatch);
  auto& state = *trial.timed.dispatch.bindings[1].buffer;
  const auto right = words_of(device, state);
  for (std::size_t invocation = 0; invocation < 256; ++invocation) {
    auto wrong = right;
    wrong[kLinks + invocation] += 32;
    device.write(state, 0, std::as_bytes(std::span(wrong)), HostMemory::pageable);
    auto verify = trial.timed.verify;  // its count of loads too
    const Outcome outcome = verify(device, 0);
    CHECK(outcome.status == Status::invalid);
    CHECK(outcome.reason.starts_with("invocation " + std::to_string(invocation) + " stands at word "));
  }
}

TEST_CASE("private-caches: kernels require the subgroup size that the chains assume, if the API can") {
  fake::Script script;
  script.info.subgroup_size_control = true;
  script.info.subgroup_sizes = {16, 32};
  fake::FakeDevice device(script);
  const Trial trial = experiment().prepare(device, example("texture", "count", 8), 5);
  const auto& desc = dynamic_cast<fake::FakeKernel&>(*trial.timed.dispatch.kernel).desc;
  CHECK(desc.subgroup_size == 16u);
  CHECK(desc.local_size == 128);
  CHECK(trial.observed.at("subgroup_size") == "16");
}

TEST_CASE("private-caches: chains that are too long for a lap before each sample are read whole in advance") {
  fake::FakeDevice device(fake::Script{});
  Point point = example("global-index", "pair", 3);
  point.parameters["bytes"] = std::int64_t{8193 * 128};
  Trial trial = experiment().prepare(device, point, 5);
  REQUIRE_FALSE(trial.setup.empty());
  std::uint64_t touched = 0;
  for (const auto& dispatch : trial.setup) {
    touched += dispatch.parameters.at("count").word();
    device.run(dispatch);
  }
  CHECK(touched == 2 * 8193);
  device.run(trial.timed.dispatch);
  CHECK(trial.timed.verify(device, 0) == Outcome{});
}

TEST_CASE("private copies: an uncertain size of the first level makes the finding doubtful") {
  const auto results = measured(device_with(in_turn(4)));
  auto reading = known_reading(path_curves(results, "texture").best());
  auto& first = reading.levels.at(0);
  first.size_high = 1.05 * first.size_low;
  const auto sure = read_private_copies(results, "texture", reading);
  first.size_high = 1.15 * first.size_low;
  const auto vague = read_private_copies(results, "texture", reading);
  REQUIRE(sure);
  REQUIRE(vague);
  CHECK(vague->per_unit == 4);
  CHECK(vague->confidence == doctest::Approx(0.69 * sure->confidence));
}

TEST_CASE("private copies: copies that serve subgroups in turn are counted exactly at any noise") {
  for (const double noise : {0.0, 0.01, 0.05}) {
    for (const std::int64_t truth : {1, 2, 3, 4, 5}) {
      for (std::uint64_t seed = 0; seed < 2; ++seed) {
        CAPTURE(noise);
        CAPTURE(truth);
        const auto found = copies(measured(device_with(in_turn(truth)), noise, seed));
        CHECK(found.per_unit == truth);
        CHECK(found.confidence > (noise > 0.02 ? 0.85 : 0.95));
        CHECK(says(found.evidence, "subgroup 0 misses if " + std::to_string(truth + 1) + " or more subgroups walk at once"));
      }
    }
  }
}

TEST_CASE("private copies: chains that evict only half of each other's loads still share a copy") {
  CHECK(copies(measured(device_with(in_turn(2), 0.45), 0.05)).per_unit == 2);
}

TEST_CASE("private copies: neighbours that share a copy are found by their number") {
  const auto neighbours = [](std::int64_t number) { return [number](std::int64_t subgroup) { return subgroup / 2 % number; }; };
  for (const std::int64_t truth : {2, 4}) {
    const auto found = copies(measured(device_with(neighbours(truth)), 0.05));
    CHECK(found.per_unit == truth);
    CHECK(found.confidence > 0.8);  // both methods agree
    CHECK(says(found.evidence, "subgroups, at no fixed distance"));
  }
  // Copies of three and of one subgroup.
  const auto uneven = copies(measured(device_with([](std::int64_t subgroup) { return subgroup < 3 ? 0 : subgroup; }), 0.05));
  CHECK(uneven.per_unit == 3);
  CHECK(uneven.confidence < 0.7);
}

TEST_CASE("private copies: if no two subgroups share one, the evidence says that there may be more") {
  const auto found = copies(measured(device_with(in_turn(8))));
  CHECK(found.per_unit == 8);
  CHECK(found.confidence > 0.4);
  CHECK(found.confidence <= 0.5);
  CHECK(says(found.evidence, "no two of 8 subgroups share a copy, so there may be more copies"));
  CHECK(says(found.evidence, "subgroup 0 never misses, not even with 7 others"));
}

TEST_CASE("private copies: methods that disagree lower the confidence, and the evidence names them") {
  const auto pairs = device_with(in_turn(4));
  const auto counts = device_with(in_turn(2));
  const auto mixed = [&](const Point& point) {
    return point.experiment != "latency" && text(point, "test") == "count" ? counts(point) : pairs(point);
  };
  const auto found = copies(measured(mixed));
  CHECK(found.per_unit == 4);
  CHECK(found.confidence < 0.31);
  CHECK(says(found.evidence, "pairs predict misses from 5 subgroups on: the methods disagree"));
  // A cache twice as large as expected: two chains fit, four do not.
  const auto roomy = [&](const Point& point) {
    const bool thrashes = point.experiment != "latency" && text(point, "test") == "count" && number(point, "active") >= 3;
    return thrashes ? 188.0 : device_with(in_turn(8))(point);
  };
  const auto doubtful = copies(measured(roomy));
  CHECK(doubtful.per_unit == 2);
  CHECK(doubtful.confidence < 0.16);
  CHECK(says(doubtful.evidence, "pairs predict no misses: the methods disagree"));
}

TEST_CASE("private copies: too few points give no finding") {
  auto all = measured(device_with(in_turn(2)));
  CHECK_FALSE(read(all, "global"));
  CHECK_FALSE(read({}, "texture"));
  const auto without = [&](const std::function<bool(const Point&)>& leave_out) {
    std::vector<PointResult> rest;
    for (const auto& result : all) {
      if (!leave_out(result.point)) rest.push_back(result);
    }
    return rest;
  };
  const auto is_test = [](const Point& point, const char* test) {
    return point.experiment == "private-caches" && text(point, "test") == test;
  };
  CHECK_FALSE(read(without([](const Point& point) { return point.experiment == "latency"; }), "texture"));
  CHECK_FALSE(read(without([&](const Point& point) { return is_test(point, "pair"); }), "texture"));
  CHECK_FALSE(
      read(without([&](const Point& point) { return is_test(point, "count") && number(point, "active") == 1; }), "texture"));
  const auto pairs_only =
      copies(without([&](const Point& point) { return is_test(point, "count") && number(point, "active") > 1; }));
  CHECK(pairs_only.per_unit == 2);
  CHECK(pairs_only.confidence < 0.81);
}

TEST_CASE("private copies: each path is judged alone, without chains of other sizes") {
  auto results = measured([](const Point& point) {
    return device_with(in_turn(point.experiment != "latency" && text(point, "path") == "texture" ? 4 : 1))(point);
  });
  CHECK(copies(results, "texture").per_unit == 4);
  CHECK(copies(results, "global-index").per_unit == 1);
  // Measured before a finer curve changed the size.
  Point stray = example("texture", "pair", 1);
  results.push_back(scripted::Latencies([](const Point&) { return 188.0; }, 0, 1)(stray));
  CHECK(copies(results, "texture").per_unit == 4);
}

}  // namespace
}  // namespace percycle::private_caches_test
