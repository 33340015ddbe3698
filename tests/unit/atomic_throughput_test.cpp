#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "check_words.hpp"
#include "core/error.hpp"
#include "expected/atomic_throughput.hpp"
#include "experiments/experiment.hpp"
#include "fake_device.hpp"
#include "measure/measurer.hpp"

namespace percycle::atomic_throughput_test {
namespace {

constexpr std::array kAll{AtomicOperation::add, AtomicOperation::min, AtomicOperation::exchange,
                          AtomicOperation::compare_exchange, AtomicOperation::and_or};

/// The fate of one operation of one lane.
enum class Fate { done, forgotten, stale };

/// Lanes that perform their operations in any order, like the kernel's macros. One operation may be
/// skipped: it returns nothing (forgotten) or its lane's last value (stale).
struct Interleaved {
  AtomicShare share;
  std::uint32_t broken_lane = 0;
  std::uint64_t broken_operation = 0;
  Fate fate = Fate::done;

  struct Left {
    std::uint32_t end = 0;
    std::uint32_t sums = 0;
  };
  Left run(std::uint64_t seed) const {
    struct Lane {
      std::uint64_t done = 0;
      std::uint32_t last = 0;
    };
    const std::uint32_t start = atomic_start(share.operation);
    std::vector<Lane> lanes(share.sharers, Lane{0, start});
    Left left{start, 0};
    std::mt19937_64 random(seed);
    for (std::uint64_t rest = share.operations * share.sharers; rest > 0; --rest) {
      auto which = static_cast<std::uint32_t>(random() % share.sharers);
      while (lanes[which].done == share.operations) which = (which + 1) % share.sharers;
      Lane& lane = lanes[which];
      const std::uint64_t k = lane.done++;
      const bool broken = fate != Fate::done && which == broken_lane && k == broken_operation;
      if (broken && fate == Fate::forgotten) continue;
      const std::uint32_t found = broken ? lane.last : left.end;
      lane.last = found;
      std::uint32_t next = found;
      const auto step = static_cast<std::uint32_t>(k);
      const std::uint32_t bit = 1u << (share.first + which) % 32;
      switch (share.operation) {
        case AtomicOperation::add:
          next = found + 1;
          left.sums += found;
          break;
        case AtomicOperation::min:
          next = std::min(found, start - 1 - step);
          left.sums += (found > start - 1 - step ? 1 : 0) + (found <= start - step ? 2 : 0);
          break;
        case AtomicOperation::exchange:
          next = 1 + share.first + which + step * share.lanes;
          left.sums += found;
          break;
        case AtomicOperation::compare_exchange:
          next = found == start + step ? found + 1 : found;
          left.sums += (found == start + step ? 1 : 0) + (found >= start + step ? 2 : 0);
          break;
        case AtomicOperation::and_or:
          next = k % 2 == 0 ? found | bit : found & ~bit;
          left.sums += (found & bit) == (k % 2 == 0 ? 0 : bit) ? 1 : 0;
          break;
      }
      if (!broken) left.end = next;
    }
    return left;
  }
};

TEST_CASE("atomic sums: those of every order of the lanes' operations are right") {
  for (const AtomicOperation operation : kAll) {
    for (const std::uint32_t sharers : {1, 2, 7, 32}) {
      CAPTURE(static_cast<int>(operation));
      CAPTURE(sharers);
      const Interleaved all{{operation, 48, 96, sharers, 500}};
      for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const auto [end, sums] = all.run(seed);
        const auto wrong = wrong_share(all.share, end, sums);
        REQUIRE_MESSAGE(!wrong, wrong.value_or(""));
        REQUIRE_FALSE(wrong_share(all.share, end, std::nullopt));
        // One bit of either.
        REQUIRE(wrong_share(all.share, end ^ 1u << seed, sums));
        REQUIRE(wrong_share(all.share, end, sums ^ 1u << seed));
      }
    }
  }
}

TEST_CASE("atomic sums: a skipped operation shows, unless it returned a possible value and another took its step") {
  for (const AtomicOperation operation : kAll) {
    for (const std::uint32_t sharers : {1, 2, 7, 32}) {
      for (const Fate fate : {Fate::forgotten, Fate::stale}) {
        CAPTURE(static_cast<int>(operation));
        CAPTURE(sharers);
        CAPTURE(static_cast<int>(fate));
        const bool steps = operation == AtomicOperation::min || operation == AtomicOperation::compare_exchange;
        Interleaved one{{operation, 48, 96, sharers, 500}, 0, 0, fate};
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
          one.broken_lane = static_cast<std::uint32_t>(seed * 5 % sharers);
          one.broken_operation = seed == 0 ? 0 : seed == 1 ? 47 : seed * 7 % 48;
          CAPTURE(one.broken_operation);
          const auto [end, sums] = one.run(seed);
          const bool seen = wrong_share(one.share, end, sums).has_value();
          // A possible value looks like the value of a later operation.
          if (!steps || sharers == 1 || fate == Fate::forgotten) REQUIRE(seen);
          if (operation == AtomicOperation::add) REQUIRE(wrong_share(one.share, end, std::nullopt));
        }
      }
    }
  }
}

TEST_CASE("atomic sums: the lanes in turn are one of the orders") {
  for (const AtomicOperation operation : kAll) {
    for (const std::uint64_t operations : {0, 2, 16}) {
      CAPTURE(static_cast<int>(operation));
      CAPTURE(operations);
      const AtomicShare share{operation, operations, 64, 5, 900};
      std::uint32_t sums = 0;
      for (std::uint32_t sharer = 0; sharer < share.sharers; ++sharer) sums += sum_in_turn(share, sharer);
      CHECK(wrong_share(share, end_in_turn(share), sums).value_or("right") == "right");
    }
  }
}

const Experiment& experiment() { return *find_experiment("atomic-throughput"); }

using Set = std::map<std::string, std::string>;
using Counts = std::set<std::int64_t>;

std::vector<Point> planned(const DeviceInfo& device, Preset preset, const Set& set = {}) {
  const Experiment* const one = &experiment();
  return experiment().plan(device, make_options({&one, 1}, set, preset, 1).front(), {});
}

Counts counts(const std::vector<Point>& points, const char* name, const std::string& scenario,
              const std::string& operation = "add", const std::string& memory = "global") {
  Counts all;
  for (const auto& point : points) {
    if (word(point.parameters, "scenario") == scenario && word(point.parameters, "operation") == operation &&
        word(point.parameters, "memory") == memory)
      all.insert(integer(point.parameters, name));
  }
  return all;
}

DeviceInfo h200() {
  DeviceInfo device = fake::gpu();
  device.units = Sourced<std::uint32_t>{132, Provenance::reported};
  return device;
}

TEST_CASE("atomic-throughput: the plan is the scenarios with one operation, and a few points of the others") {
  const auto standard = planned(h200(), Preset::standard);
  const Counts lanes{1, 2, 4, 8, 16, 32, 128, 1024};
  CHECK(counts(standard, "sharers", "words") == lanes);
  CHECK(counts(standard, "sharers", "lines") == lanes);
  CHECK(counts(standard, "groups", "words") == Counts{1});
  CHECK(counts(standard, "groups", "lines") == Counts{1});
  CHECK(counts(standard, "groups", "one-word") == Counts{1, 4, 16, 64, 132, 264});
  CHECK(counts(standard, "sharers", "one-word") == Counts{1024, 4096, 16384, 65536, 135168, 270336});
  CHECK(counts(standard, "groups", "word-per-group") == Counts{1, 4, 16, 64, 132, 264});
  CHECK(counts(standard, "sharers", "word-per-group") == Counts{1024});
  CHECK(counts(standard, "groups", "own-words") == Counts{132, 264});
  CHECK(counts(standard, "groups", "own-lines") == Counts{132});
  CHECK(counts(standard, "sharers", "own-lines") == Counts{1});
  CHECK(counts(standard, "sharers", "words", "add", "local") == lanes);
  CHECK(counts(standard, "groups", "words", "add", "local") == Counts{1, 132});
  CHECK(counts(standard, "groups", "lines", "add", "local").empty());
  CHECK(counts(standard, "sharers", "words", "min") == Counts{1, 32});
  CHECK(counts(standard, "sharers", "lines", "min").empty());
  // Forms; memories and forms of the others.
  CHECK(standard.size() == 2 * (8 + 8 + 6 + 6 + 2 + 1) + 2 * (2 * 8) + 4 * 2 * 2 * 2);
  for (const auto& point : standard) CHECK_FALSE(experiment().unsupported(h200(), point));

  const auto quick = planned(h200(), Preset::quick);
  CHECK(counts(quick, "sharers", "words") == Counts{1, 32, 1024});
  CHECK(counts(quick, "groups", "one-word") == Counts{1, 132});
  CHECK(counts(quick, "groups", "own-words") == Counts{132});
  CHECK(counts(quick, "sharers", "words", "exchange") == Counts{1});
  CHECK(counts(quick, "sharers", "words", "exchange", "local").empty());
  CHECK(quick.size() == 2 * (3 + 3 + 2 + 2 + 1 + 1) + 2 * (2 * 3) + 4);

  const auto full = planned(h200(), Preset::full);
  CHECK(counts(full, "groups", "own-lines") == Counts{132, 264});
  CHECK(counts(full, "groups", "word-per-group", "min") == Counts{1, 2, 4, 8, 16, 32, 64, 128, 132, 264});
  CHECK(counts(full, "sharers", "lines", "exchange") == Counts{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024});
}

TEST_CASE("atomic-throughput: a CPU has few points, and one unit is all and twice of it") {
  DeviceInfo cpu = fake::gpu();
  cpu.type = DeviceType::cpu;
  cpu.max_group_size = 256;
  cpu.units = Sourced<std::uint32_t>{2, Provenance::reported};
  const auto standard = planned(cpu, Preset::standard);
  CHECK(counts(standard, "sharers", "words") == Counts{1, 32, 256});
  CHECK(counts(standard, "groups", "one-word") == Counts{1, 2});
  CHECK(counts(standard, "group_size", "words") == Counts{256});
  cpu.units->value = 1;
  CHECK(counts(planned(cpu, Preset::standard), "groups", "one-word") == Counts{1, 2});
  CHECK(counts(planned(cpu, Preset::standard), "groups", "words", "add", "local") == Counts{1});
}

TEST_CASE("atomic-throughput: the requested points, and the first operation in every scenario") {
  const auto one = planned(h200(), Preset::standard,
                           {{"scenario", "lines"},
                            {"operation", "min"},
                            {"memory", "global"},
                            {"form", "no-return"},
                            {"sharers", "5"},
                            {"groups", "3"},
                            {"group_size", "64"}});
  REQUIRE(one.size() == 1);
  CHECK(one[0].parameters == Parameters{{"scenario", "lines"},
                                        {"operation", "min"},
                                        {"memory", "global"},
                                        {"form", "no-return"},
                                        {"sharers", std::int64_t{5}},
                                        {"groups", std::int64_t{3}},
                                        {"group_size", std::int64_t{64}}});
  const auto two = planned(h200(), Preset::standard, {{"operation", "exchange,add"}});
  CHECK(counts(two, "groups", "one-word", "exchange").size() == 6);
  CHECK(counts(two, "groups", "one-word", "add").empty());
  CHECK_THROWS_WORDS("atomic-throughput.local-scenarios", UsageError,
                     planned(h200(), Preset::quick, {{"scenario", "one-word,lines"}, {"memory", "local"}}));
}

Point point(const std::string& scenario, const std::string& operation, const std::string& memory, const std::string& form,
            std::int64_t groups, std::int64_t sharers, std::int64_t group_size) {
  return {"atomic-throughput",
          {{"scenario", scenario},
           {"operation", operation},
           {"memory", memory},
           {"form", form},
           {"groups", groups},
           {"sharers", sharers},
           {"group_size", group_size}}};
}

TEST_CASE("atomic-throughput: an unsupported point has a reason") {
  DeviceInfo device = fake::gpu();
  const auto reason = [&](const Point& one) { return experiment().unsupported(device, one).value_or("none"); };
  CHECK_WORDS("device.group-size-1024", reason(point("own-words", "add", "global", "return", 1, 1, 1025)));
  CHECK_WORDS("device.groups-65535", reason(point("own-words", "add", "global", "return", 65536, 1, 64)));
  CHECK_WORDS("atomic-throughput.lanes-of-word", reason(point("words", "add", "global", "return", 1, 65, 64)));
  CHECK(reason(point("one-word", "add", "global", "return", 2, 128, 64)) == "none");
  CHECK_WORDS("atomic-latency.bits-of-word-32", reason(point("words", "and-or", "local", "return", 1, 33, 64)));
  CHECK_WORDS("atomic-latency.bits-of-word-32", reason(point("one-word", "and-or", "global", "return", 1, 32, 32)));
  CHECK(reason(point("words", "and-or", "local", "return", 1, 32, 64)) == "none");
  device.vendor = "AMD";
  device.api = Api::opencl;
  const std::string store = "AMD's compilers replace an exchange with an unused result by a store";
  CHECK(reason(point("words", "exchange", "local", "no-return", 1, 32, 64)) == store);
  CHECK(reason(point("words", "exchange", "global", "no-return", 1, 32, 64)) == store);
  CHECK(reason(point("words", "exchange", "local", "return", 1, 32, 64)) == "none");
  CHECK(reason(point("words", "min", "local", "no-return", 1, 32, 64)) == "none");
  device.api = Api::vulkan;
  CHECK(reason(point("words", "exchange", "local", "no-return", 1, 32, 64)) == store);
  CHECK(reason(point("words", "exchange", "global", "no-return", 1, 32, 64)) == "none");
  device.type = DeviceType::cpu;  // an AMD processor, as PoCL reports it
  device.api = Api::opencl;
  CHECK(reason(point("words", "exchange", "local", "no-return", 1, 32, 64)) == "none");
  CHECK(reason(point("words", "exchange", "global", "no-return", 1, 32, 64)) == "none");
  device.type = DeviceType::gpu;
  device.vendor = "NVIDIA";
  CHECK(reason(point("words", "exchange", "local", "no-return", 1, 32, 64)) == "none");
  device.max_storage_bytes = 1 << 20;
  CHECK_WORDS("device.buffer-1-mib", reason(point("own-lines", "add", "global", "return", 9, 1, 1024)));
  CHECK(reason(point("own-lines", "add", "global", "return", 8, 1, 1024)) == "none");
  device.max_groups = 31;
  CHECK_WORDS("atomic-throughput.too-few-invocations", reason(point("own-lines", "add", "global", "return", 1, 1, 1024)));
  device.max_groups = 1 << 30;
  CHECK_WORDS("atomic-throughput.word-overflow", reason(point("one-word", "add", "global", "return", 65537, 1, 1024)));
  device.local_memory_bytes = 2048;
  CHECK_WORDS("atomic-throughput.local-words", reason(point("words", "add", "local", "return", 1, 1, 1024)));
}

/// Points of every scenario, operation, memory and form, on a few small groups, with sharers that
/// do not divide them.
std::vector<Point> all_points() {
  std::vector<Point> points;
  for (const char* operation : {"add", "min", "exchange", "compare-exchange", "and-or"}) {
    for (const char* form : {"return", "no-return"}) {
      for (const auto& [scenario, groups, sharers] : {std::tuple<const char*, std::int64_t, std::int64_t>{"words", 1, 8},
                                                      {"lines", 1, 5},
                                                      {"one-word", 3, 0},
                                                      {"word-per-group", 3, 32},
                                                      {"own-words", 2, 1},
                                                      {"own-lines", 2, 1}}) {
        if (std::string(scenario) == "one-word" && std::string(operation) == "and-or") continue;
        points.push_back(point(scenario, operation, "global", form, groups, sharers, 32));
      }
      points.push_back(point("words", operation, "local", form, 2, 8, 32));
    }
  }
  return points;
}

Measured measured(fake::FakeDevice& device, const Point& one) {
  Protocol protocol;
  protocol.stopping = {.min_samples = 3, .max_samples = 3, .relative_error = 1};
  protocol.settle_ns = 0;
  const std::atomic<bool> stop{false};
  return Measurer(device, stop).measure(experiment(), one, protocol, 1);
}

TEST_CASE("atomic-throughput: operations of all lanes by the time of one") {
  for (const auto& one : all_points()) {
    CAPTURE(to_string(one));
    fake::Script script;
    script.access_ns = 160;
    fake::FakeDevice device(script);
    const auto result = measured(device, one).result;
    REQUIRE_MESSAGE(result.outcome.status == Status::ok, result.outcome.reason);
    const Measurement& m = *result.measurement;
    CHECK(m.verified_samples == 3);
    CHECK(m.statistics.at("gops_per_s").median ==
          doctest::Approx(static_cast<double>(32 * integer(one.parameters, "groups")) / 160).epsilon(1e-6));
    REQUIRE(m.participants);
    CHECK(m.participants->group == 32);
  }
}

TEST_CASE("atomic-throughput: a wrong word of any lane is found; so is a wrong sum, and a loop turn more or less") {
  for (const auto& one : all_points()) {
    CAPTURE(to_string(one));
    fake::FakeDevice device({});
    Trial trial = experiment().prepare(device, one, 1);
    trial.timed.dispatch.parameters.at(trial.timed.loops_parameter) = 3;
    device.run(trial.timed.dispatch);
    const auto verify = [&](std::uint64_t loops) { return trial.timed.verify(device, loops).status; };
    CHECK(verify(3) == Status::ok);
    if (word(one.parameters, "operation") != "and-or" || word(one.parameters, "form") == "return") {
      CHECK(verify(2) == Status::invalid);
      CHECK(verify(4) == Status::invalid);
    }
    for (const std::size_t binding : {0, 2}) {
      auto& bytes = fake::contents(trial.timed.dispatch.bindings[binding]);
      for (std::size_t at = 0; at < bytes.size(); at += bytes.size() / 37 * 4 + 4) {
        CAPTURE(binding);
        CAPTURE(at);
        bytes[at + 2] ^= std::byte{1};
        const bool looked_at = binding == 2 || word(one.parameters, "form") == "return";
        CHECK(verify(3) == (looked_at ? Status::invalid : Status::ok));
        bytes[at + 2] ^= std::byte{1};
      }
    }
    CHECK(verify(3) == Status::ok);
  }
}

TEST_CASE("atomic-throughput: a wrong result is invalid") {
  for (const std::size_t run : {1, 2, 9}) {
    fake::Script script;
    script.wrong_from_run = run;
    fake::FakeDevice device(script);
    CHECK(measured(device, point("own-words", "add", "global", "no-return", 2, 1, 32)).result.outcome.status == Status::invalid);
  }
}

TEST_CASE("atomic-throughput: the words of global memory are set before every sample, those of local memory by their lanes") {
  fake::FakeDevice device({});
  const Trial global = experiment().prepare(device, point("own-lines", "min", "global", "return", 3, 1, 64), 1);
  REQUIRE(global.before_sample.size() == 1);
  CHECK(global.before_sample[0].groups == 3 * 32);  // a line of 32 words for each of 64 lanes
  CHECK(global.before_sample[0].parameters.at("start") == 0xfffffff0);
  CHECK(experiment().prepare(device, point("words", "min", "local", "return", 3, 1, 64), 1).before_sample.empty());
}

TEST_CASE("atomic-throughput: no count of a word can wrap, however long a dispatch, and silent limits of loops are kept") {
  fake::Script script;
  fake::FakeDevice device(script);
  const auto max_loops = [&](fake::FakeDevice& card, const char* scenario, std::int64_t groups, std::int64_t sharers) {
    const Trial trial = experiment().prepare(card, point(scenario, "add", "global", "return", groups, sharers, 1024), 1);
    return trial.timed.max_loops * trial.timed.ops_per_loop;
  };
  CHECK(max_loops(device, "words", 1, 32) * 32 < kMostOperations);
  CHECK(max_loops(device, "words", 1, 32) * 33 > kMostOperations);
  CHECK(max_loops(device, "one-word", 264, 1) * 264 * 1024 < kMostOperations);
  CHECK(max_loops(device, "one-word", 264, 1) * 265 * 1024 > kMostOperations);
  script.info.max_loop_iterations = 65535;
  fake::FakeDevice limited(script);
  CHECK(max_loops(limited, "words", 1, 1) == 65534 * 16);
}

}  // namespace
}  // namespace percycle::atomic_throughput_test
