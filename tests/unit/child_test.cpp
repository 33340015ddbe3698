// Child starts this program again, as a worker that plays a script instead of running tests.
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "check_words.hpp"
#include "platform/child.hpp"
#include "platform/environment.hpp"
#include "platform/host.hpp"
#include "platform/signals.hpp"
#include "session/worker_client.hpp"
#include "store/record_json.hpp"
#include "test_system.hpp"
#include "unit/child_events.hpp"
#include "unit/store_examples.hpp"
#include "worker_scripts.hpp"

namespace percycle::child_test {
namespace {

using namespace std::chrono_literals;
using namespace child_events;
using Kind = Child::Event::Occurrence;

std::string variable(const char* name) { return environment_variable(name).value_or(""); }

void play_polite() {
  stop_when_asked();
  emit("ready");
  while (!stop_requested()) std::this_thread::sleep_for(1ms);
  emit("stopping");
}

/// The worker's behaviour by the device's `open_index`; see worker.hpp for the events.
enum Scene : std::uint32_t { sound, refuses, dies_opening, hangs_opening, dies, hangs, loses_device, is_slow };

void play_measure() {
  const auto scene = nlohmann::json::parse(read_line()).at("open_index").get<Scene>();
  if (scene == refuses) {
    emit("{\"refused\":\"no such card\"}");
    return;
  }
  if (scene == dies_opening) test_system::crash();
  if (scene == hangs_opening) hang();
  if (scene == is_slow) stop_when_asked();
  emit("{\"opened\":{}}");
  for (std::string line; !(line = read_line()).empty();) {
    if (scene == dies) test_system::crash();
    if (scene == hangs) hang();
    if (scene == is_slow) {
      while (!stop_requested()) std::this_thread::sleep_for(1ms);
      emit("{\"interrupted\":true}");
      hang();
    }
    const auto job = nlohmann::json::parse(line);
    // The reason contains the job's preset and seed, and the process.
    const PointResult result{from_json<Point>(job.at("point")),
                             {Status::failed, job.at("preset").get<std::string>() + " " + job.at("seed").dump() + " " +
                                                  std::to_string(process_id()) + " " + variable("OCL_ICD_VENDORS")},
                             std::nullopt};
    emit(to_line(nlohmann::json{{"result", to_json(result)}, {"device_lost", scene == loses_device}}));
  }
}

[[maybe_unused]] const bool are_registered = [] {
  worker_scripts().merge(std::map<std::string, void (*)()>{
      {"measure", play_measure},
      {"echo",
       [] {
         for (std::string line; !(line = read_line()).empty();) emit(line);
       }},
      {"variable", [] { emit(variable("PERCYCLE_TEST") + " " + variable("PATH")); }},
      {"crash", [] { test_system::crash(); }},
      {"polite", play_polite},
  });
  return true;
}();

TEST_CASE("child: lines go in and come back, then it ends with its stdin or status") {
  Child child({"echo"});
  child.send("one");
  child.send("two words");
  CHECK(line_of(child) == "one");
  CHECK(line_of(child) == "two words");
  const std::string megabyte(1 << 20, 'x');
  std::thread sender([&] { child.send(megabyte); });
  CHECK(line_of(child) == megabyte);
  sender.join();
  child.send("");
  CHECK(end_of(child) == "exit status 0");
  Child other({"status"});
  CHECK(end_of(other) == "exit status 3");
}

TEST_CASE("child: events from before the deadline are taken after it") {
  Child child({"echo"});
  child.send("one");
  child.send("two");
  CHECK(line_of(child) == "one");
  std::this_thread::sleep_for(200ms);
  const auto event = child.next(in(-1s));
  CHECK(event.kind == Kind::line);
  CHECK(event.text == "two");
}

TEST_CASE("child: a crash has the name of its signal or exception") {
  Child crash({"crash"});
  CHECK(end_of(crash) == test_system::kCrashed);
  CHECK(crash.next(in(1s)).kind == Kind::ended);  // and again
}

TEST_CASE("child: a line sent to one that is gone is lost, and its end is seen") {
  ignore_broken_pipes();
  Child child({"status"});
  for (int i = 0; i < 100; ++i) child.send(std::string(10000, 'x'));
  CHECK(end_of(child) == "exit status 3");
}

TEST_CASE("child: a deadline passes without an event; the child can then be killed") {
  Child child({"hang"});
  const auto event = child.next(in(50ms));
  CHECK(event.kind == Kind::timed_out);
  CHECK_FALSE(event.interrupted);
  CHECK(child.next(in(-1s)).kind == Kind::timed_out);
  child.kill();
  CHECK(end_of(child) == test_system::kKilled);
}

TEST_CASE("child: asked to stop, it may still say something") {
  Child child({"polite"});
  CHECK(line_of(child) == "ready");
  child.ask_to_stop();
  CHECK(line_of(child) == "stopping");
  CHECK(end_of(child) == "exit status 0");
}

TEST_CASE("child: it has our environment with the changes on top") {
  set_environment_variable("PERCYCLE_TEST", "ours");
  Child same({"variable"});
  CHECK(line_of(same) == "ours " + variable("PATH"));
  Child changed({"variable"}, {{"PERCYCLE_TEST", "its own"}});
  CHECK(line_of(changed) == "its own " + variable("PATH"));
  test_system::unset_variable("PERCYCLE_TEST");
  Child added({"variable"}, {{"PERCYCLE_TEST", "new"}});
  CHECK(line_of(added) == "new " + variable("PATH"));
}

/// A client of a worker that plays this scene.
struct Client {
  explicit Client(Scene scene, std::chrono::seconds deadline = kPatience) : client(device(scene), deadline) {
    ignore_broken_pipes();
  }

  static DeviceInfo device(Scene scene) {
    DeviceInfo info;
    info.api = Api::opencl;
    info.open_index = scene;
    info.driver_manifest = "/some/driver.icd";
    return info;
  }

  WorkerClient::Answer operator()(std::int64_t footprint = 1024) {
    return client.measure(examples::point(footprint), "quick", 18446744073709551615u, stop);
  }

  std::atomic<bool> stop{false};
  WorkerClient client;
};

using AnswerKind = WorkerClient::Answer::Ending;

TEST_CASE("worker client: a point is measured by a worker that sees its driver alone, and the next by the same worker") {
  Client client(sound);
  const auto first = client(1024);
  CHECK(first.kind == AnswerKind::result);
  CHECK(first.result.point == examples::point(1024));
  CHECK(first.result.outcome.reason.find("quick 18446744073709551615 ") == 0);
  CHECK(first.result.outcome.reason.ends_with(" /some/driver.icd"));
  const auto second = client(2048);
  CHECK(second.result.point == examples::point(2048));
  CHECK(second.result.outcome.reason == first.result.outcome.reason);
}

TEST_CASE("worker client: a device that is lost is opened again by another worker") {
  Client client(loses_device);
  const auto first = client();
  CHECK(first.kind == AnswerKind::lost);
  CHECK(first.result.point == examples::point(1024));
  const auto second = client();
  CHECK(second.kind == AnswerKind::lost);
  CHECK(second.result.outcome.reason != first.result.outcome.reason);  // another pid
}

TEST_CASE("worker client: a device that cannot be opened is refused with the reason") {
  const auto refused = Client(refuses)();
  CHECK(refused.kind == AnswerKind::refused);
  CHECK(refused.text == "no such card");
  const auto crashed = Client(dies_opening)();
  CHECK(crashed.kind == AnswerKind::refused);
  CHECK(crashed.text == std::string("opening the device crashed (") + test_system::kCrashed + ")");
  const auto hung = Client(hangs_opening, 1s)();
  CHECK(hung.kind == AnswerKind::refused);
  CHECK_WORDS("child.opening-took-long", hung.text);
}

TEST_CASE("worker client: a worker that crashes or passes its deadline fails its point only") {
  Client dying(dies);
  for (int i = 0; i < 2; ++i) {
    const auto crashed = dying();
    CHECK(crashed.kind == AnswerKind::ended);
    CHECK(crashed.result.point == examples::point(1024));
    CHECK(crashed.result.outcome == Outcome{Status::failed, std::string("crashed (") + test_system::kCrashed + ")"});
  }
  // The deadline also covers opening, which takes a loaded machine a second, and the load.
  Client hangs_under_load(hangs, 5s);
  const Point load{"sustained", {{"load", std::string("fma")}, {"seconds", std::int64_t{1}}}};
  const auto hung = hangs_under_load.client.measure(load, "quick", 1, hangs_under_load.stop);
  CHECK(hung.kind == AnswerKind::ended);
  CHECK_WORDS("child.timed-out", hung.result.outcome);
}

TEST_CASE("worker client: Ctrl-C reaches the worker, whose answer ends the point") {
  Client client(is_slow);
  client.stop = true;
  CHECK(client().kind == AnswerKind::interrupted);
}

}  // namespace
}  // namespace percycle::child_test
