#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "check_words.hpp"
#include "core/error.hpp"
#include "expected/atomic_latency.hpp"
#include "experiments/common/prerequisite.hpp"
#include "experiments/experiment.hpp"
#include "fake_device.hpp"
#include "measure/measurer.hpp"
#include "point_examples.hpp"

namespace percycle::atomic_latency_test {
namespace {

using OperationOnType = std::pair<AtomicOperation, AtomicType>;
constexpr OperationOnType kAll[] = {{AtomicOperation::add, AtomicType::int32},
                                    {AtomicOperation::add, AtomicType::int64},
                                    {AtomicOperation::add, AtomicType::float32},
                                    {AtomicOperation::min, AtomicType::int32},
                                    {AtomicOperation::min, AtomicType::int64},
                                    {AtomicOperation::exchange, AtomicType::int32},
                                    {AtomicOperation::exchange, AtomicType::int64},
                                    {AtomicOperation::compare_exchange, AtomicType::int32},
                                    {AtomicOperation::compare_exchange, AtomicType::int64},
                                    {AtomicOperation::and_or, AtomicType::int32},
                                    {AtomicOperation::and_or, AtomicType::int64}};

/// The fate of one operation of one lane.
enum class Fate { done, forgotten, stale };

/// Lanes that perform their operations in any order, like the kernel's macros. One operation may be
/// skipped: its lane continues without it (forgotten) or with the previous value again (stale).
struct Interleaved {
  AtomicRun run;
  std::size_t lanes = 1;
  std::size_t broken_lane = 0;
  std::uint64_t broken_operation = 0;
  Fate fate = Fate::done;

  std::optional<std::string> check(std::uint64_t seed) const {
    struct Lane {
      std::uint64_t done = 0;
      std::uint64_t known = 0;
      std::uint64_t last = 0;
      LaneTotals totals;
    };
    const std::uint64_t start = atomic_start(run.operation, run.type);
    const std::size_t bits = run.type == AtomicType::int64 ? 64 : 32;
    std::vector<std::uint64_t> words(32, start);
    std::vector<Lane> all(lanes);
    for (std::uint32_t i = 0; i < lanes; ++i) {
      all[i].known = run.operation == AtomicOperation::exchange ? wrapped(run.type, start + 1 + i) : start;
      all[i].last = start;
    }
    std::mt19937_64 random(seed);
    for (std::uint64_t left = run.operations * lanes; left > 0; --left) {
      std::size_t which = random() % lanes;
      while (all[which].done == run.operations) which = (which + 1) % lanes;
      Lane& lane = all[which];
      std::uint64_t& word = words[run.own_words ? which : 0];
      const bool broken = which == broken_lane && lane.done == broken_operation && fate != Fate::done;
      const bool setting = lane.done++ % 2 == 0;
      if (broken && fate == Fate::forgotten) continue;
      const std::uint64_t found = broken ? lane.last : word;
      lane.last = found;
      const std::uint64_t bit = std::uint64_t{1} << (which + bits / 2) % bits;
      const auto may_be = [&](std::uint64_t v) {
        return run.operation == AtomicOperation::min        ? v <= lane.known
               : run.operation == AtomicOperation::exchange ? v != lane.known
               : run.operation == AtomicOperation::and_or   ? (v & bit) == lane.known
                                                            : v >= lane.known;
      };
      lane.totals.count += may_be(found) ? 1 : 0;
      const std::uint64_t before = word;
      const std::uint64_t hit = found == lane.known ? 1 : 0;
      switch (run.operation) {
        case AtomicOperation::add:
          word += 1;
          lane.totals.sum += found;
          lane.known = found + 1;
          break;
        case AtomicOperation::min:
          word = std::min(word, lane.known - 1);
          lane.totals.sum += hit;
          lane.known = std::min(found, lane.known - 1);
          break;
        case AtomicOperation::exchange:
          word = lane.known;
          lane.totals.sum += found;
          lane.known = wrapped(run.type, lane.known + lanes);
          break;
        case AtomicOperation::compare_exchange:
          if (word == lane.known) word += 1;
          lane.totals.sum += hit;
          lane.known = found + hit;
          break;
        case AtomicOperation::and_or:
          word = setting ? word | bit : word & ~bit;
          lane.known ^= bit;
          break;
      }
      if (broken) word = before;
      if (run.loads) lane.totals.count += may_be(word) ? 1 : 0;
    }
    std::vector<LaneTotals> totals;
    for (const auto& lane : all) totals.push_back(lane.totals);
    for (auto& word : words) word = bits_of(run.type, word);
    return wrong_totals(run, words, totals);
  }
};

TEST_CASE("atomic totals: every order of the lanes' operations passes, a missing operation fails") {
  for (const auto& pair : kAll) {
    const auto& operation = pair.first;
    const auto& type = pair.second;
    for (const bool own_words : {false, true}) {
      for (const std::size_t lanes : {1, 2, 7, 32}) {
        for (const bool loads : {false, true}) {
          CAPTURE(static_cast<int>(operation));
          CAPTURE(static_cast<int>(type));
          CAPTURE(own_words);
          CAPTURE(lanes);
          CAPTURE(loads);
          Interleaved all{{operation, 48, loads, own_words, type}, lanes};
          for (std::uint64_t seed = 0; seed < 20; ++seed) {
            all.fate = Fate::done;
            const auto wrong = all.check(seed);
            REQUIRE_MESSAGE(!wrong, wrong.value_or(""));
            all.broken_lane = seed * 5 % lanes;
            all.broken_operation = seed == 0 ? 0 : seed == 1 ? 47 : seed * 7 % 48;
            for (const Fate fate : {Fate::forgotten, Fate::stale}) {
              all.fate = fate;
              CAPTURE(static_cast<int>(fate));
              CAPTURE(all.broken_operation);
              REQUIRE(all.check(seed));
            }
          }
        }
      }
    }
  }
}

TEST_CASE("atomic totals: sixteen operations take a 64-bit word past the end of its low half") {
  const auto high = [](std::uint64_t word) { return word >> 32; };
  for (const auto operation : {AtomicOperation::add, AtomicOperation::compare_exchange, AtomicOperation::exchange}) {
    const std::uint64_t start = atomic_start(operation, AtomicType::int64);
    CHECK(high(start + 16) == high(start) + 1);
  }
  const std::uint64_t least = atomic_start(AtomicOperation::min, AtomicType::int64);
  CHECK(high(least - 16) == high(least) - 1);
}

TEST_CASE("atomic totals: each part is looked at") {
  const AtomicRun run{AtomicOperation::add, 2, false, false};
  // 1001, 1002, 1003 and 1004 were returned.
  const std::vector<LaneTotals> lanes{{2003, 2}, {2007, 2}};
  const auto check = [&](std::vector<std::uint64_t> words, std::vector<LaneTotals> totals) {
    return wrong_totals(run, words, totals).value_or("right");
  };
  CHECK(check({1005, 1001}, lanes) == "right");
  CHECK_WORDS("atomic-latency.wrong-word", check({1004, 1001}, lanes));
  CHECK_WORDS("atomic-latency.changed-word", check({1005, 1002}, lanes));
  CHECK_WORDS("atomic-latency.wrong-sum", check({1005, 1001}, {{2003, 2}, {2008, 2}}));
  CHECK_WORDS("atomic-latency.lost-value", check({1005, 1001}, {{2003, 2}, {2007, 1}}));
  // Alone on its word, each attempt succeeds; together they may fail.
  const std::vector<std::uint64_t> alone{1001 + 3, 1001 + 4};
  const std::vector<LaneTotals> three_and_four{{3, 4}, {4, 4}};
  CHECK_WORDS("atomic-latency.wrong-exchange-sum",
              wrong_totals({AtomicOperation::compare_exchange, 4, false, true}, alone, three_and_four));
  CHECK_FALSE(
      wrong_totals({AtomicOperation::compare_exchange, 4, false, false}, std::vector<std::uint64_t>{1001 + 7}, three_and_four));
}

const Experiment& experiment() { return *find_experiment("atomic-latency"); }

using Set = std::map<std::string, std::string>;

std::vector<Point> planned(const DeviceInfo& device, Preset preset, const Set& set, std::span<const PointResult> done) {
  const Experiment* const one = &experiment();
  return experiment().plan(device, make_options({&one, 1}, set, preset, 1).front(), done);
}

std::vector<Point> planned_first(const DeviceInfo& device, Preset preset, const Set& set = {}) {
  return planned(device, preset, set, {});
}

/// All on one line.
std::vector<Point> planned(const DeviceInfo& device, Preset preset, Set set = {}) {
  set.emplace("lines", "1");
  return planned(device, preset, set, {});
}

std::set<std::int64_t> lanes_of(const std::vector<Point>& points, const std::string& operation, const std::string& placement,
                                const std::string& type = "int32") {
  std::set<std::int64_t> lanes;
  for (const auto& point : points) {
    if (word(point.parameters, "operation") == operation && word(point.parameters, "placement") == placement &&
        word(point.parameters, "type") == type)
      lanes.insert(integer(point.parameters, "lanes"));
  }
  return lanes;
}

using Lanes = std::set<std::int64_t>;

TEST_CASE("atomic-latency: the plan is a sweep of lanes for one operation and its ends for the others") {
  const DeviceInfo gpu = fake::gpu();
  const auto standard = planned(gpu, Preset::standard);
  CHECK(lanes_of(standard, "add", "address") == Lanes{1, 2, 4, 8, 16, 32, 128, 1024});
  CHECK(lanes_of(standard, "add", "line") == Lanes{2, 4, 8, 16, 32});
  CHECK(lanes_of(standard, "min", "address") == Lanes{1, 32});
  CHECK(lanes_of(standard, "min", "line").empty());
  CHECK(lanes_of(standard, "add", "address", "int64") == Lanes{1, 32});
  CHECK(lanes_of(standard, "add", "address", "float") == Lanes{1, 32});
  CHECK(lanes_of(standard, "add", "line", "int64").empty());
  CHECK(lanes_of(standard, "and-or", "address", "int64") == Lanes{1, 32});
  CHECK(lanes_of(standard, "min", "address", "float").empty());
  // Two memories, two methods, other types by one.
  CHECK(standard.size() == 4 * (8 + 5 + 4 * 2) + 2 * (5 * 2 + 2));

  for (const auto& point : standard)
    CHECK((word(point.parameters, "type") == "int32" || word(point.parameters, "method") == "chain"));
  const auto pairs = planned(gpu, Preset::standard, {{"method", "pair"}, {"type", "int64"}, {"operation", "min"}});
  CHECK(pairs.size() == 2 * 2);

  const auto quick = planned(gpu, Preset::quick);
  CHECK(lanes_of(quick, "add", "address") == Lanes{1, 32, 128});
  CHECK(lanes_of(quick, "add", "line") == Lanes{32});
  CHECK(lanes_of(quick, "and-or", "address") == Lanes{1});

  const auto full = planned(gpu, Preset::full);
  CHECK(lanes_of(full, "exchange", "address") == Lanes{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024});
  CHECK(lanes_of(full, "exchange", "line") == Lanes{2, 4, 8, 16, 32});
  CHECK(lanes_of(full, "exchange", "line", "int64") == Lanes{2, 4, 8, 16});
  CHECK(lanes_of(full, "add", "line", "float") == Lanes{2, 4, 8, 16, 32});

  DeviceInfo cpu = gpu;
  cpu.type = DeviceType::cpu;
  cpu.cache_line_bytes = 64;
  cpu.subgroup_sizes = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512};  // PoCL: any part of a work-group
  CHECK(lanes_of(planned(cpu, Preset::standard), "add", "address") == Lanes{1, 32, 128});
  CHECK(lanes_of(planned(cpu, Preset::standard), "add", "line") == Lanes{16});
  cpu.subgroup_sizes = {8};
  CHECK(lanes_of(planned(cpu, Preset::standard), "add", "address") == Lanes{1, 8, 32});

  const auto one = planned(gpu, Preset::standard,
                           {{"lanes", "5"},
                            {"operation", "min"},
                            {"type", "float,int64"},
                            {"memory", "local"},
                            {"method", "pair"},
                            {"placement", "line"}});
  REQUIRE(one.size() == 1);
  CHECK(one[0].parameters == Parameters{{"operation", "min"},
                                        {"type", "int64"},
                                        {"memory", "local"},
                                        {"method", "pair"},
                                        {"placement", "line"},
                                        {"lanes", std::int64_t{5}}});
  CHECK_THROWS_WORDS("atomic-latency.float-operations", UsageError,
                     planned(gpu, Preset::standard, {{"operation", "min,exchange"}, {"type", "float"}}));
  for (const auto& point : full) {
    const std::int64_t bits = word(point.parameters, "type") == "int64" ? 64 : 32;
    const bool no_bits = word(point.parameters, "operation") == "and-or" && integer(point.parameters, "lanes") > bits;
    CHECK(experiment().unsupported(gpu, point).has_value() == no_bits);
  }
}

TEST_CASE("atomic-latency: one lane is measured on several lines first, and all else on the nearest") {
  const auto on_lines = [](const std::vector<Point>& points) {
    std::set<std::int64_t> lines;
    for (const auto& point : points) {
      CHECK(word(point.parameters, "operation") == "add");
      CHECK(word(point.parameters, "type") == "int32");
      CHECK(word(point.parameters, "memory") == "global");
      CHECK(word(point.parameters, "method") == "chain");
      CHECK(word(point.parameters, "placement") == "address");
      CHECK(integer(point.parameters, "lanes") == 1);
      CHECK(lines.insert(integer(point.parameters, "line")).second);
      CHECK_FALSE(experiment().unsupported(fake::gpu(), point));
    }
    return lines;
  };
  const auto first = planned_first(fake::gpu(), Preset::standard);
  const auto standard = on_lines(first);
  CHECK(standard.size() == 16);
  CHECK(*standard.begin() == 0);
  CHECK(*std::next(standard.begin()) == 65);
  CHECK(*standard.rbegin() == 975);
  const auto all = on_lines(planned_first(fake::gpu(), Preset::standard, {{"lines", "1024"}}));
  CHECK(all.size() == 1024);
  CHECK(*all.rbegin() == 1023);
  CHECK(on_lines(planned_first(fake::gpu(), Preset::standard, {{"lines", "1000"}})).size() == 1000);
  CHECK_THROWS_WORDS("atomic-latency.too-many-lines", UsageError,
                     planned_first(fake::gpu(), Preset::standard, {{"lines", "1025"}}));

  std::vector<PointResult> done;
  for (const auto& point : first) {
    const std::int64_t line = integer(point.parameters, "line");
    done.push_back(examples::measured("atomic-latency", point.parameters, line == 390 ? 290 : line == 65 ? 280 : 500));
    if (line == 65) done.back().outcome = {Status::failed, "not counted"};
  }
  const auto rest = still_open(planned(fake::gpu(), Preset::standard, {}, done), done);
  // One of them is measured already.
  CHECK(rest.size() == 4 * (8 + 5 + 4 * 2) + 2 * (5 * 2 + 2) - 1);
  for (const auto& point : rest) {
    if (word(point.parameters, "memory") == "global") {
      CHECK(integer(point.parameters, "line") == 390);
    } else {
      CHECK_FALSE(point.parameters.contains("line"));
    }
  }
  done.insert(done.end(), rest.size(), {});
  for (std::size_t i = 0; i < rest.size(); ++i) done[first.size() + i].point = rest[i];
  for (std::size_t i = 0; i < rest.size(); ++i) done[first.size() + i].outcome = {Status::failed, "whatever"};
  CHECK(still_open(planned(fake::gpu(), Preset::standard, {}, done), done).empty());
}

Point point(const std::string& operation, const std::string& memory, const std::string& method, const std::string& placement,
            std::int64_t lanes, const std::string& type = "int32") {
  return {"atomic-latency",
          {{"operation", operation},
           {"type", type},
           {"memory", memory},
           {"method", method},
           {"placement", placement},
           {"lanes", lanes}}};
}

TEST_CASE("atomic-latency: an unsupported point has a reason") {
  DeviceInfo device = fake::gpu();
  const auto reason = [&](const Point& one) { return experiment().unsupported(device, one).value_or("none"); };
  CHECK_WORDS("device.group-size-1024", reason(point("add", "local", "chain", "address", 1025)));
  CHECK_WORDS("atomic-latency.words-of-line-128", reason(point("add", "local", "chain", "line", 33)));
  device.cache_line_bytes = 64;
  CHECK_WORDS("atomic-latency.words-of-line-64", reason(point("add", "global", "chain", "line", 17)));
  CHECK(reason(point("add", "global", "chain", "line", 16)) == "none");
  CHECK_WORDS("atomic-latency.bits-of-word-32", reason(point("and-or", "global", "chain", "address", 33)));
  CHECK_WORDS("atomic-latency.long-words-of-line-64", reason(point("add", "global", "chain", "line", 9, "int64")));
  CHECK(reason(point("and-or", "global", "chain", "address", 64, "int64")) == "none");
  CHECK_WORDS("atomic-latency.bits-of-word-64", reason(point("and-or", "global", "chain", "address", 65, "int64")));
  device.global_atomics = {.int64 = false, .float_add = true};
  device.local_atomics = {.int64 = true, .float_add = false};
  CHECK_WORDS("device.no-int64-atomics", reason(point("min", "global", "chain", "address", 1, "int64")));
  CHECK(reason(point("min", "local", "chain", "address", 1, "int64")) == "none");
  CHECK(reason(point("add", "global", "chain", "address", 1, "float")) == "none");
  CHECK_WORDS("device.no-local-float-atomics", reason(point("add", "local", "chain", "address", 1, "float")));
  CHECK(reason(point("add", "global", "chain", "address", 1)) == "none");
  device.local_memory_bytes = 0;
  CHECK_WORDS("device.no-local-memory", reason(point("add", "local", "chain", "address", 1)));
}

Measured measured(fake::FakeDevice& device, const Point& one) {
  Protocol protocol;
  protocol.stopping = {.min_samples = 3, .max_samples = 3, .relative_error = 1};
  protocol.settle_ns = 0;
  const std::atomic<bool> stop{false};
  return Measurer(device, stop).measure(experiment(), one, protocol, 1);
}

TEST_CASE("atomic-latency: after subtracting its control, each method gives the latency of the operation") {
  for (const char* memory : {"global", "local"}) {
    for (const auto& row : {std::tuple{"chain", 800, 160}, {"pair", 1440, 800}}) {
      const auto& method = std::get<0>(row);
      const auto& raw = std::get<1>(row);
      const auto& control = std::get<2>(row);
      for (const auto& pair : {std::pair{"add", "int32"},
                               {"add", "int64"},
                               {"add", "float"},
                               {"min", "int32"},
                               {"min", "int64"},
                               {"exchange", "int32"},
                               {"exchange", "int64"},
                               {"compare-exchange", "int32"},
                               {"compare-exchange", "int64"},
                               {"and-or", "int32"},
                               {"and-or", "int64"}}) {
        const auto& operation = pair.first;
        const auto& type = pair.second;
        for (const std::int64_t lanes : {1, 6}) {
          CAPTURE(type);
          CAPTURE(memory);
          CAPTURE(method);
          CAPTURE(operation);
          fake::Script script;
          script.access_ns = 640;
          script.operation_ns = 80;  // two per step
          fake::FakeDevice device(script);
          const auto result = measured(device, point(operation, memory, method, "address", lanes, type)).result;
          REQUIRE_MESSAGE(result.outcome.status == Status::ok, result.outcome.reason);
          const auto& statistics = result.measurement->statistics;
          CHECK(result.measurement->verified_samples == 3);
          CHECK(statistics.at("ns_per_op").median == doctest::Approx(raw).epsilon(1e-6));
          CHECK(statistics.at("control_ns_per_op").median == doctest::Approx(control).epsilon(0.01));
          CHECK(statistics.at("net_ns_per_op").median == doctest::Approx(640).epsilon(0.01));
        }
      }
    }
  }
}

TEST_CASE("atomic-latency: a wrong result is invalid, in the samples and in the control") {
  for (const std::size_t run : {1, 2, 12}) {  // timed and control take turns at first
    fake::Script script;
    script.wrong_from_run = run;
    fake::FakeDevice device(script);
    CHECK(measured(device, point("add", "global", "pair", "address", 2)).result.outcome.status == Status::invalid);
  }
}

TEST_CASE("atomic-latency: the control's loop turns are counted") {
  for (const char* method : {"chain", "pair"}) {
    fake::FakeDevice device({});
    Trial trial = experiment().prepare(device, point("min", "local", method, "address", 3), 1);
    LoopedDispatch& control = trial.control.value();
    control.dispatch.parameters.at(control.loops_parameter) = 4;
    device.run(control.dispatch);
    CHECK(control.verify(device, 4).status == Status::ok);
    CHECK(control.verify(device, 3).status == Status::invalid);
  }
}

TEST_CASE("atomic-latency: no count of a word can wrap, however long a dispatch, and silent limits of loops are kept") {
  fake::Script script;
  fake::FakeDevice device(script);
  const Trial wide = experiment().prepare(device, point("add", "global", "chain", "address", 1024), 1);
  CHECK(wide.timed.max_loops * wide.timed.ops_per_loop * 1024 < kMostOperations);
  CHECK(wide.timed.max_loops > 100000);
  CHECK(wide.control->max_loops == (1 << 22) / 16 / 1024);  // on a CPU the lanes take turns
  const Trial counted = experiment().prepare(device, point("add", "global", "chain", "address", 32, "float"), 1);
  // Exact as a floating-point number.
  CHECK((counted.timed.max_loops + 1) * counted.timed.ops_per_loop * 32 + 1001 <= 1 << 24);
  CHECK(counted.timed.max_loops > 30000);
  script.info.max_loop_iterations = 65535;
  fake::FakeDevice limited(script);
  const Trial one = experiment().prepare(limited, point("add", "global", "chain", "address", 1), 1);
  CHECK(one.timed.max_loops < 65535 - 64);
  CHECK(one.timed.max_loops > 65000);
  CHECK(one.control->max_loops <= one.timed.max_loops);
}

}  // namespace
}  // namespace percycle::atomic_latency_test
