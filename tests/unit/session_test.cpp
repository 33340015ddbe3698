#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "check_words.hpp"
#include "core/error.hpp"
#include "session/session.hpp"
#include "store/load.hpp"
#include "test_system.hpp"
#include "unit/store_examples.hpp"

namespace percycle::session_test {
namespace {

using Answer = WorkerClient::Answer;

Point numbered(std::int64_t number) { return {"counting", {{"number", number}}}; }

/// Twelve numbered points, 5 of them unsupported; multiples of 6 request their double after their
/// measurement.
class Counting final : public Experiment {
 public:
  std::string name() const override { return "counting"; }
  Presentation presentation() const override { return {}; }
  std::vector<ParameterSpec> parameters() const override {
    return {{"refined", ParameterSpec::Type::word, {"yes", "no"}, "no", "whether there is a second generation"}};
  }
  std::vector<Point> plan(const DeviceInfo&, const Options& options, std::span<const PointResult> done) const override {
    std::vector<Point> points;
    for (std::int64_t i = 1; i <= 12; ++i) points.push_back(numbered(i));
    if (options.values.at("refined").text == "no" || done.size() < points.size()) return points;
    for (const std::int64_t i : {6, 12}) points.push_back(numbered(100 * i));
    return points;
  }
  std::optional<std::string> unsupported(const DeviceInfo&, const Point& point) const override {
    if (integer(point.parameters, "number") == 5) return "there is no five";
    return std::nullopt;
  }
  Trial prepare(Device&, const Point&, std::uint64_t) const override { throw std::logic_error("nothing is prepared here"); }
};

/// Requests a point of `counting` from its plan, an unused one of `latency`, then its own.
class Building final : public Experiment {
 public:
  std::string name() const override { return "building"; }
  Presentation presentation() const override { return {}; }
  std::vector<ParameterSpec> parameters() const override { return {}; }
  std::vector<Point> plan(const DeviceInfo&, const Options&, std::span<const PointResult> done) const override {
    const std::vector<Point> needed{numbered(3), unsupported_latency()};
    for (const auto& point : needed) {
      if (std::none_of(done.begin(), done.end(), [&](const PointResult& result) { return result.point == point; })) return needed;
    }
    return {{"building", {{"number", std::int64_t{1}}}}};
  }
  std::optional<std::string> unsupported(const DeviceInfo&, const Point& point) const override {
    return point.experiment == name() ? std::nullopt : std::optional<std::string>("asked the wrong experiment");
  }
  Trial prepare(Device&, const Point&, std::uint64_t) const override { throw std::logic_error("nothing is prepared here"); }

  /// The example's device has no memory of any kind.
  static Point unsupported_latency() {
    return {"latency",
            {{"path", "texture"},
             {"form", "index"},
             {"lanes", "1"},
             {"order", "random"},
             {"stride", std::int64_t{128}},
             {"footprint", std::int64_t{1024}}}};
  }
};

/// Four numbered points.
class Named final : public Experiment {
 public:
  explicit Named(std::string name) : name_(std::move(name)) {}
  std::string name() const override { return name_; }
  Presentation presentation() const override { return {}; }
  std::vector<ParameterSpec> parameters() const override { return {}; }
  std::vector<Point> plan(const DeviceInfo&, const Options&, std::span<const PointResult>) const override {
    std::vector<Point> points;
    for (std::int64_t i = 1; i <= 4; ++i) points.push_back({name_, {{"number", i}}});
    return points;
  }
  std::optional<std::string> unsupported(const DeviceInfo&, const Point&) const override { return std::nullopt; }
  Trial prepare(Device&, const Point&, std::uint64_t) const override { throw std::logic_error("nothing is prepared here"); }

 private:
  std::string name_;
};

Answer ok(const Point& point) { return {Answer::Ending::result, {point, {}, examples::measurement(2)}, {}}; }

Answer failed(Answer::Ending kind, const Point& point, const std::string& reason) {
  return {kind, {point, {Status::failed, reason}, std::nullopt}, {}};
}

/// A session on scripted devices, with its file.
struct Scripted {
  Scripted() {
    devices.push_back({examples::header(), {}, {}});
    devices.back().header.options = {{"counting"}, "quick", {}, 7};
  }

  SessionTally run() {
    Progress progress(ProgressOptions{});
    {
      auto file = RecordFile::create(path);
      for (const auto& device : devices) file.append(device.header);
      const SessionParts parts{file, progress, stop, time_budget_s, [&](const DeviceRun& device) -> OpenDevice {
                                 ++opened;
                                 return {[this, id = device.header.id](const Point& point) {
                                           requested.push_back(integer(point.parameters, "number"));
                                           check_started(id, point);
                                           return script(point);
                                         },
                                         read_ahead, compile};
                               }};
      const auto& measured = devices.front().header.options;
      const auto options = make_options(experiments, measured.set, *parse_preset(measured.preset), measured.seed);
      std::vector<ChosenExperiment> chosen;
      for (std::size_t i = 0; i < experiments.size(); ++i) chosen.push_back({experiments[i], options[i]});
      tally = run_session(chosen, devices, parts);
    }
    loaded = load(path);
    return tally;
  }

  /// While a point is measured, the file must end with its `started` line.
  void check_started(const std::string& id, const Point& point) const {
    const auto now = load(path);
    REQUIRE_FALSE(now.entries.empty());
    const auto* started = std::get_if<Started>(&now.entries.back());
    REQUIRE(started != nullptr);
    CHECK(started->header == id);
    CHECK(started->point == point);
  }

  /// The recorded outcomes, in order.
  std::vector<PointResult> results() const {
    std::vector<PointResult> all;
    for (const auto& record : loaded.entries) {
      if (const auto* point = std::get_if<PointRecord>(&record)) all.push_back(point->result);
    }
    return all;
  }

  std::map<std::string, std::size_t> reasons() const {
    std::map<std::string, std::size_t> counts;
    for (const auto& result : results()) ++counts[result.outcome.reason];
    return counts;
  }

  /// The reason of this many points.
  std::string reason(std::size_t points) const {
    for (const auto& [reason, count] : reasons()) {
      if (count == points) return reason;
    }
    return {};
  }

  template <typename T>
  std::size_t count() const {
    return static_cast<std::size_t>(
        std::count_if(loaded.entries.begin(), loaded.entries.end(), [](const Entry& r) { return std::holds_alternative<T>(r); }));
  }

  Counting counting;
  Building building;
  std::vector<const Experiment*> experiments{&counting};
  examples::Folder folder;
  std::filesystem::path path = folder / "run.jsonl";
  std::vector<DeviceRun> devices;
  std::atomic<bool> stop{false};
  std::optional<double> time_budget_s;
  std::function<Answer(const Point&)> script = ok;
  ReadAhead read_ahead;
  ReadAhead compile;
  std::vector<std::int64_t> requested;
  int opened = 0;
  SessionTally tally;
  LoadedFile loaded;
};

using Counts = std::map<Status, std::size_t>;

TEST_CASE("session: a measured point is recorded with the seconds that it took, a simulated one without") {
  Scripted real;
  real.script = [](const Point& point) {
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
    return ok(point);
  };
  real.run();
  Scripted simulated;
  simulated.devices.at(0).header.device.api = Api::sim;
  simulated.devices.at(0).header.device.model = "small";
  simulated.run();
  for (const auto& result : real.results()) {
    CHECK(result.seconds.has_value() == (result.outcome.status == Status::ok));
    if (result.seconds) CHECK(*result.seconds >= 0.003);
  }
  for (const auto& result : simulated.results()) CHECK_FALSE(result.seconds);
}

TEST_CASE("session: every planned point is measured once, in an order drawn from the seed, and recorded") {
  Scripted first;
  const SessionTally tally = first.run();
  CHECK(tally.counts == Counts{{Status::ok, 11}, {Status::unsupported, 1}});
  CHECK(tally.first_problem.empty());
  CHECK_FALSE(tally.skipped_after_fault);
  CHECK_FALSE(tally.stopped);
  CHECK(first.opened == 1);
  auto sorted = first.requested;
  std::sort(sorted.begin(), sorted.end());
  CHECK(sorted == std::vector<std::int64_t>{1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12});
  CHECK(first.requested != sorted);
  CHECK(first.results().size() == 12);
  CHECK(first.count<Started>() == 11);  // none before the unsupported one
  CHECK(first.reasons()["there is no five"] == 1);
  CHECK(first.devices[0].done.size() == 12);

  Scripted same;
  same.run();
  CHECK(same.requested == first.requested);
  Scripted other;
  other.devices[0].header.options.seed = 8;
  other.run();
  CHECK(other.requested != first.requested);
}

TEST_CASE("session: refinements follow the first generation") {
  Scripted s;
  s.devices[0].header.options.set = {{"refined", "yes"}};
  CHECK(s.run().counts == Counts{{Status::ok, 13}, {Status::unsupported, 1}});
  REQUIRE(s.requested.size() == 13);
  CHECK(std::set<std::int64_t>(s.requested.end() - 2, s.requested.end()) == std::set<std::int64_t>{600, 1200});
}

TEST_CASE("session: open supported points are announced before their generation is measured, without a time budget") {
  Scripted s;
  s.devices[0].header.options.set = {{"refined", "yes"}};
  s.devices[0].done.add(ok(numbered(3)).result);
  std::vector<std::vector<std::int64_t>> announced;
  std::vector<std::size_t> requested_before;
  s.read_ahead = [&](const std::vector<Point>& points) {
    auto& numbers = announced.emplace_back();
    for (const Point& point : points) numbers.push_back(integer(point.parameters, "number"));
    requested_before.push_back(s.requested.size());
  };
  CHECK(s.run().counts == Counts{{Status::ok, 12}, {Status::unsupported, 1}});
  REQUIRE(announced.size() == 2);
  CHECK(requested_before == std::vector<std::size_t>{0, 10});
  // Neither 3 nor 5.
  CHECK(announced[0] == std::vector<std::int64_t>(s.requested.begin(), s.requested.begin() + 10));
  CHECK(announced[1] == std::vector<std::int64_t>(s.requested.begin() + 10, s.requested.end()));

  Scripted budget;
  budget.time_budget_s = 3600;
  budget.read_ahead = [](const std::vector<Point>&) { FAIL("announced"); };
  CHECK(budget.run().counts[Status::ok] == 11);

  Scripted stopped;
  stopped.stop = true;
  stopped.read_ahead = budget.read_ahead;
  CHECK(stopped.run().stopped);
}

TEST_CASE("session: points are compiled for all experiments at once, without those beyond a time budget") {
  Scripted s;
  s.devices[0].header.options.set = {{"refined", "yes"}};
  s.devices[0].done.add(ok(numbered(3)).result);
  std::vector<std::size_t> requested_before;
  std::size_t compiled = 0;
  s.compile = [&](const std::vector<Point>& points) {
    compiled += points.size();
    requested_before.push_back(s.requested.size());
  };
  CHECK(s.run().counts == Counts{{Status::ok, 12}, {Status::unsupported, 1}});
  CHECK(requested_before == std::vector<std::size_t>{0});
  CHECK(compiled == 10);  // neither 3 nor 5, and no refinement

  Scripted budget;
  budget.time_budget_s = 3600;
  budget.compile = [](const std::vector<Point>&) { FAIL("compiled"); };
  CHECK(budget.run().counts[Status::ok] == 11);

  Scripted stopped;
  stopped.stop = true;
  stopped.compile = budget.compile;
  CHECK(stopped.run().stopped);
}

TEST_CASE("session: the time of compiling ahead stands with the point behind it, that of code with its own point") {
  Scripted s;
  s.devices[0].header.options.set = {{"refined", "yes"}};
  s.read_ahead = [](const std::vector<Point>&) { std::this_thread::sleep_for(std::chrono::milliseconds(5)); };
  s.script = [](const Point& point) {
    Answer answer = ok(point);
    if (integer(point.parameters, "number") == 1) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      answer.code_seconds = 0.02;
    }
    return answer;
  };
  s.run();
  REQUIRE(s.requested.size() == 13);
  for (const auto& result : s.results()) {
    const std::int64_t number = integer(result.point.parameters, "number");
    CAPTURE(number);
    const bool is_behind = number == s.requested.front() || number == s.requested[11];
    const double ahead = is_behind ? 0.005 : 0;
    if (number == 1) {
      REQUIRE(result.compile_seconds);
      CHECK(*result.compile_seconds >= 0.02 + ahead);
    } else {
      CHECK(result.compile_seconds.has_value() == is_behind);
      if (is_behind) CHECK(*result.compile_seconds >= 0.005);
    }
  }
}

TEST_CASE("session: finished points are neither measured nor recorded again") {
  Scripted s;
  for (const std::int64_t i : {1, 2, 3}) s.devices[0].done.add(ok(numbered(i)).result);
  CHECK(s.run().counts == Counts{{Status::ok, 8}, {Status::unsupported, 1}});
  for (const std::int64_t i : {1, 2, 3}) CHECK(std::count(s.requested.begin(), s.requested.end(), i) == 0);
  CHECK(s.results().size() == 9);
}

TEST_CASE("session: points of another experiment that one builds on are judged by that, recorded as its own, and not repeated") {
  Scripted s;
  s.experiments = {&s.counting, &s.building};
  s.devices[0].header.options.experiments = {"counting", "building"};
  CHECK(s.run().counts == Counts{{Status::ok, 12}, {Status::unsupported, 2}});
  CHECK(std::count(s.requested.begin(), s.requested.end(), 3) == 1);
  const auto results = s.results();
  REQUIRE(results.size() == 14);
  CHECK(results[12].point == Building::unsupported_latency());
  CHECK(results[12].outcome.status == Status::unsupported);
  CHECK(results[12].outcome.reason != "asked the wrong experiment");
  CHECK(results[13].point == Point{"building", {{"number", std::int64_t{1}}}});
}

TEST_CASE("session: a plan with points of no experiment is a mistake that is named") {
  Scripted s;
  s.experiments = {&s.building};
  s.devices[0].header.options.experiments = {"building"};
  CHECK_THROWS_WORDS("session.plans-points", std::logic_error, s.run());
}

TEST_CASE("session: an abandoned point is recorded as failed and not measured") {
  Scripted s;
  s.devices[0].abandoned.push_back({numbered(4), {Status::failed, "it was abandoned"}, std::nullopt});
  CHECK(s.run().counts == Counts{{Status::ok, 10}, {Status::unsupported, 1}, {Status::failed, 1}});
  CHECK(std::count(s.requested.begin(), s.requested.end(), 4) == 0);
  CHECK(s.results().front().point == numbered(4));
  CHECK_WORDS("session.abandoned", s.tally.first_problem);
  CHECK(s.devices[0].abandoned.empty());
}

TEST_CASE("session: failed and invalid points are counted, the first by name") {
  Scripted s;
  s.script = [&](const Point& point) {
    if (s.requested.size() == 2) return Answer{Answer::Ending::result, {point, {Status::invalid, "wrong sum"}, std::nullopt}, {}};
    if (s.requested.size() == 4) return failed(Answer::Ending::result, point, "out of memory");
    return ok(point);
  };
  CHECK(s.run().counts == Counts{{Status::ok, 9}, {Status::unsupported, 1}, {Status::failed, 1}, {Status::invalid, 1}});
  CHECK(s.tally.first_problem == "counting number=" + std::to_string(s.requested[1]) + " on Some GPU: invalid: wrong sum");
  CHECK_FALSE(s.tally.skipped_after_fault);
}

TEST_CASE("session: a point that was interrupted is recorded so, and nothing follows") {
  Scripted s;
  s.script = [&](const Point& point) {
    return s.requested.size() == 3 ? Answer{Answer::Ending::interrupted, {}, {}} : ok(point);
  };
  s.run();
  CHECK(s.tally.stopped);
  CHECK(s.requested.size() == 3);
  CHECK(s.tally.counts[Status::ok] == 2);
  CHECK(s.tally.first_problem.empty());
  REQUIRE(std::holds_alternative<Interrupted>(s.loaded.entries.back()));
  CHECK(std::get<Interrupted>(s.loaded.entries.back()).point == numbered(s.requested.back()));
}

TEST_CASE("session: a stop between two points starts none, on no device") {
  Scripted s;
  s.devices.push_back(s.devices.front());
  s.devices.back().header.id = "00000000000000bb";
  s.script = [&](const Point& point) {
    s.stop = s.requested.size() == 2;
    return ok(point);
  };
  s.run();
  CHECK(s.tally.stopped);
  CHECK(s.requested.size() == 2);
  CHECK(s.opened == 1);
  CHECK(s.count<Started>() == 2);
  CHECK(s.count<Interrupted>() == 0);
}

TEST_CASE("session: after a stop nothing more is planned") {
  Scripted s;
  s.script = [&](const Point& point) {
    s.stop = s.requested.size() == 11;  // the last supported one
    return ok(point);
  };
  s.devices.front().header.options.set = {{"refined", "yes"}};
  s.run();
  CHECK(s.tally.stopped);
  CHECK(s.requested.size() == 11);
}

TEST_CASE("session: three crashes in a row skip the remaining points of their experiment") {
  Scripted s;
  s.script = [&](const Point& point) {
    // Two crashes, then a point that works.
    if (s.requested.size() <= 2) return failed(Answer::Ending::ended, point, "crashed");
    if (s.requested.size() == 3) return ok(point);
    return failed(Answer::Ending::ended, point, "crashed");
  };
  s.run();
  CHECK(s.requested.size() == 6);
  CHECK(s.tally.counts == Counts{{Status::ok, 1}, {Status::unsupported, 1}, {Status::failed, 5}, {Status::skipped, 5}});
  CHECK(s.reasons()["the driver died on 3 points of counting in a row"] == 5);
  CHECK(s.tally.skipped_after_fault);
  CHECK(s.count<Started>() == 6);
}

TEST_CASE("session: a compiler that dies in one experiment costs only that one; in three, the device") {
  const Named first("first"), second("second"), third("third"), fourth("fourth");
  const auto run = [&](const std::set<std::string>& deadly) {
    Scripted s;
    s.experiments = {&first, &second, &third, &fourth};
    s.script = [&](const Point& point) {
      return deadly.contains(point.experiment) ? failed(Answer::Ending::ended, point, "crashed") : ok(point);
    };
    s.run();
    return s.reasons();
  };
  auto one = run({"second"});
  CHECK(one[""] == 12);
  CHECK(one["crashed"] == 3);
  CHECK(one["the driver died on 3 points of second in a row"] == 1);
  auto all = run({"first", "second", "third", "fourth"});
  CHECK(all["crashed"] == 7);
  CHECK(all["the driver died in 3 experiments in a row"] == 7);
}

TEST_CASE("session: Ctrl-C in a compilation interrupts the point, whatever the driver answers") {
  for (const auto kind : {Answer::Ending::result, Answer::Ending::ended, Answer::Ending::refused}) {
    Scripted s;
    s.script = [&](const Point& point) {
      if (s.requested.size() < 3) return ok(point);
      s.stop = true;
      return failed(kind, point, "the kernel did not build");
    };
    s.run();
    CHECK(s.tally.stopped);
    CHECK(s.tally.counts[Status::failed] == 0);
    CHECK(s.count<Interrupted>() == 1);
  }
}

TEST_CASE("session: an invalid point with an impossible measurement keeps its words") {
  Scripted s;
  s.script = [&](const Point& point) {
    auto answer = ok(point);
    if (s.requested.size() != 3) return answer;
    answer.result.outcome = {Status::invalid, "a wrong sum"};
    answer.result.measurement->time_source.clear();
    return answer;
  };
  CHECK(s.run().counts == Counts{{Status::ok, 10}, {Status::unsupported, 1}, {Status::invalid, 1}});
  CHECK(s.reasons()["a wrong sum"] == 1);
}

TEST_CASE("session: a device that is lost twice is given up, once is not") {
  Scripted s;
  s.script = [&](const Point& point) {
    return s.requested.size() == 2 || s.requested.size() == 5 ? failed(Answer::Ending::lost, point, "device lost: gone")
                                                              : ok(point);
  };
  s.run();
  CHECK(s.requested.size() == 5);
  CHECK(s.tally.counts == Counts{{Status::ok, 3}, {Status::unsupported, 1}, {Status::failed, 2}, {Status::skipped, 6}});
  CHECK_WORDS("session.device-lost", s.reason(6));
  CHECK(s.tally.skipped_after_fault);

  Scripted once;
  once.script = [&](const Point& point) {
    return once.requested.size() == 2 ? failed(Answer::Ending::lost, point, "device lost: gone") : ok(point);
  };
  once.run();
  CHECK(once.tally.counts == Counts{{Status::ok, 10}, {Status::unsupported, 1}, {Status::failed, 1}});
  CHECK_FALSE(once.tally.skipped_after_fault);
}

TEST_CASE("session: a device that cannot be opened fails one point and skips the rest; the next device is measured") {
  Scripted s;
  s.devices.push_back(s.devices.front());
  s.devices.back().header.id = "00000000000000bb";
  s.script = [&](const Point& point) { return s.opened == 1 ? Answer{Answer::Ending::refused, {}, "no such card"} : ok(point); };
  s.run();
  CHECK(s.tally.counts == Counts{{Status::ok, 11}, {Status::unsupported, 2}, {Status::failed, 1}, {Status::skipped, 10}});
  CHECK(s.reasons()["the device cannot be opened: no such card"] == 11);
  CHECK(s.tally.skipped_after_fault);
  CHECK(s.opened == 2);
}

TEST_CASE("session: a time budget that is used up skips the rest, which is no fault") {
  Scripted s;
  s.time_budget_s = 0;
  s.run();
  CHECK(s.requested.empty());
  CHECK(s.tally.counts == Counts{{Status::skipped, 12}});
  CHECK_WORDS("session.time-budget", s.reason(12));
  CHECK_FALSE(s.tally.skipped_after_fault);
  CHECK(s.tally.first_problem.empty());

  // Points that would follow are not planned.
  Scripted refined;
  refined.time_budget_s = 0;
  refined.devices.front().header.options.set = {{"refined", "yes"}};
  refined.run();
  CHECK(refined.tally.counts == Counts{{Status::skipped, 12}});

  Scripted ample;
  ample.time_budget_s = 3600;
  CHECK(ample.run().counts[Status::ok] == 11);
}

TEST_CASE("session: a number that cannot be is recorded as a failure, and the run goes on") {
  Scripted s;
  s.script = [&](const Point& point) {
    auto answer = ok(point);
    if (s.requested.size() == 3)
      answer.result.measurement->statistics["ns_per_op"].median = std::numeric_limits<double>::infinity();
    return answer;
  };
  CHECK(s.run().counts == Counts{{Status::ok, 10}, {Status::unsupported, 1}, {Status::failed, 1}});
  const auto results = s.results();
  const auto bad = std::find_if(results.begin(), results.end(), [](const auto& r) { return r.outcome.status == Status::failed; });
  REQUIRE(bad != results.end());
  CHECK(bad->point == numbered(s.requested[2]));
  CHECK(bad->outcome.reason.find("not a measurement: ") == 0);
  CHECK_FALSE(bad->measurement);
  CHECK(s.devices[0].done.at(bad->point).outcome.status == Status::failed);
}

TEST_CASE("session: a full disk ends the run with everything finished so far on it" *
          doctest::skip(!test_system::kLimitsFileSizes)) {
  Scripted s;
  std::optional<test_system::FileSizeLimit> limit;
  s.script = [&](const Point& point) {
    if (s.requested.size() == 3) limit.emplace(std::filesystem::file_size(s.path) + 10);
    return ok(point);
  };
  std::string message;
  try {
    s.run();
  } catch (const RunError& error) {
    message = error.what();
  }
  limit.reset();
  CHECK_WORDS("store.file-too-large", masked(message, s.path.string()));
  s.loaded = load(s.path);
  CHECK_FALSE(s.loaded.truncated);
  CHECK(s.requested.size() == 3);
  CHECK(s.count<Started>() == 3);
  std::size_t measured = 0;
  for (const auto& result : s.results()) measured += result.outcome.status == Status::ok ? 1 : 0;
  CHECK(measured == 2);
}

}  // namespace
}  // namespace percycle::session_test
