// Child starts /proc/self/exe, which is the test binary here: as `... worker SCRIPT` it plays a
// worker instead of running tests.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <thread>

#include "platform/child.hpp"
#include "platform/signals.hpp"
#include "session/worker_client.hpp"
#include "store/record_json.hpp"
#include "unit/store_examples.hpp"

namespace percycle::child_test {
namespace {

using namespace std::chrono_literals;

void emit(const std::string& text) { static_cast<void>(write_event(text)); }

std::string read_line() {
  std::string line;
  return read_request(line) ? line : "";
}

/// A driver may write to each descriptor that a library opens, and to the first one that programs
/// get.
void write_to_pipes(std::string_view text) {
  for (int fd = 3; fd < 1024; ++fd) {
    const int flags = fcntl(fd, F_GETFD);
    if (fd == 3 || (flags >= 0 && (flags & FD_CLOEXEC) != 0)) static_cast<void>(write(fd, text.data(), text.size()) < 0);
  }
}

[[noreturn]] void die(int signal) {
  std::signal(signal, SIG_DFL);
  raise(signal);
  _exit(99);
}

[[noreturn]] void hang() {
  for (;;) pause();
}

/// The worker's behaviour by the device's `open_index`; see worker.hpp for the events.
enum Scene : std::uint32_t { sound, refuses, dies_opening, hangs_opening, dies, hangs, loses_device, is_slow };

[[noreturn]] void play_measure() {
  const auto scene = nlohmann::json::parse(read_line()).at("open_index").get<Scene>();
  if (scene == refuses) {
    emit("{\"refused\":\"no such card\"}");
    _exit(0);
  }
  if (scene == dies_opening) die(SIGABRT);
  if (scene == hangs_opening) hang();
  if (scene == is_slow) stop_when_asked();
  emit("{\"opened\":{}}");
  for (std::string line; !(line = read_line()).empty();) {
    if (scene == dies) die(SIGSEGV);
    if (scene == hangs) hang();
    if (scene == is_slow) {
      while (!stop_requested()) usleep(1000);
      emit("{\"interrupted\":true}");
      hang();
    }
    const auto job = nlohmann::json::parse(line);
    // The reason contains the job's preset and seed, and the process.
    const PointResult result{from_json<Point>(job.at("point")),
                             {Status::failed, job.at("preset").get<std::string>() + " " + job.at("seed").dump() + " " +
                                                  std::to_string(getpid()) + " " + std::getenv("OCL_ICD_VENDORS")},
                             std::nullopt};
    emit(to_line(nlohmann::json{{"result", to_json(result)}, {"device_lost", scene == loses_device}}));
  }
  _exit(0);
}

/// glibc hands main's arguments to constructors, so this runs before the tests' main and needs no
/// main.
__attribute__((constructor)) void play_worker(int argc, char** argv) {
  if (argc < 3 || std::string_view(argv[1]) != "worker") return;
  const std::string_view script = argv[2];
  if (script == "measure") play_measure();
  if (script == "echo") {
    for (std::string line; !(line = read_line()).empty();) emit(line);
  }
  if (script == "noise") {
    open_channel();
    for (const char* text : {"{\"end\":true}\n", "0123456789abcdef0123456789abcdef {\"end\":true}\n", "part of a line"})
      write_to_pipes(text);
    emit("one");
  }
  if (script == "flood") {
    open_channel();
    const std::string text(1 << 16, 'x');
    for (;;) write_to_pipes(text);
  }
  if (script == "closes") {
    open_channel();
    for (int fd = 0; fd < 64; ++fd) close(fd);
    emit("one");
    emit(read_line());
  }
  if (script == "forks") {
    emit("one");
    if (fork() == 0) {
      sleep(60);
      _exit(0);
    }
    die(SIGABRT);
  }
  if (script == "variable") emit(std::string(std::getenv("PERCYCLE_TEST")) + " " + std::getenv("PATH"));
  if (script == "group") emit(getpgrp() == getpid() ? "its own" : "its parent's");
  if (script == "killed") die(SIGKILL);
  if (script == "crash") die(SIGSEGV);
  if (script == "hang") hang();
  if (script == "polite") {
    stop_when_asked();
    emit("ready");
    while (!stop_requested()) usleep(1000);
    emit("stopping");
  }
  _exit(script == "status" ? 3 : 0);
}

using Kind = Child::Event::Occurrence;

auto in(std::chrono::milliseconds time) { return std::chrono::steady_clock::now() + time; }

constexpr auto kPatience = 20s;  // for a loaded machine; normally nothing waits this long

std::string line_of(Child& child) {
  const auto event = child.next(in(kPatience));
  REQUIRE(event.kind == Kind::line);
  return event.text;
}

std::string end_of(Child& child) {
  const auto event = child.next(in(kPatience));
  REQUIRE(event.kind == Kind::ended);
  return event.text;
}

/// As the command line sets it up: a child that died is seen by its end.
struct NoSigpipe {
  NoSigpipe() : before(std::signal(SIGPIPE, SIG_IGN)) {}
  ~NoSigpipe() { std::signal(SIGPIPE, before); }
  void (*before)(int);
};

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

TEST_CASE("child: a driver's output to any descriptor is no event, and damages none") {
  Child child({"noise"});
  CHECK(line_of(child) == "one");
  CHECK(end_of(child) == "exit status 0");
  Child flood({"flood"});
  CHECK(flood.next(in(300ms)).kind == Kind::timed_out);
  CHECK(flood.next(in(-1s)).kind == Kind::timed_out);
}

TEST_CASE("child: a driver that closes the low descriptors does not cut it off") {
  Child child({"closes"});
  CHECK(line_of(child) == "one");
  child.send("two");
  CHECK(line_of(child) == "two");
}

TEST_CASE("child: a process that its driver left behind does not hide its end") {
  Child child({"forks"});
  CHECK(line_of(child) == "one");
  const auto begin = std::chrono::steady_clock::now();
  CHECK(end_of(child) == "killed by SIGABRT");
  CHECK(std::chrono::steady_clock::now() - begin < kPatience / 2);
}

TEST_CASE("child: events from before the deadline are taken after it") {
  Child child({"echo"});
  child.send("one");
  child.send("two");
  CHECK(line_of(child) == "one");
  usleep(200000);
  const auto event = child.next(in(-1s));
  CHECK(event.kind == Kind::line);
  CHECK(event.text == "two");
}

TEST_CASE("child: the signal's name says how it was killed") {
  Child crash({"crash"});
  CHECK(end_of(crash) == "killed by SIGSEGV");
  CHECK(crash.next(in(1s)).kind == Kind::ended);  // and again
  Child killed({"killed"});
  CHECK(end_of(killed) == "killed by SIGKILL");
}

TEST_CASE("child: a line sent to one that is gone is lost, and its end is seen") {
  const NoSigpipe ignored;
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
  CHECK(end_of(child) == "killed by SIGKILL");
}

TEST_CASE("child: asked to stop, it may still say something") {
  Child child({"polite"});
  CHECK(line_of(child) == "ready");
  child.ask_to_stop();
  CHECK(line_of(child) == "stopping");
  CHECK(end_of(child) == "exit status 0");
}

TEST_CASE("child: a signal to this process ends the wait early") {
  Child child({"hang"});
  struct sigaction action {};
  struct sigaction before {};
  action.sa_handler = [](int) {};  // without SA_RESTART
  sigaction(SIGUSR1, &action, &before);
  const pthread_t here = pthread_self();
  std::atomic<bool> over{false};
  std::thread signaller([&] {
    while (!over) {
      pthread_kill(here, SIGUSR1);
      std::this_thread::sleep_for(5ms);
    }
  });
  const auto event = child.next(in(kPatience));
  over = true;
  signaller.join();
  sigaction(SIGUSR1, &before, nullptr);
  CHECK(event.kind == Kind::timed_out);
  CHECK(event.interrupted);
}

TEST_CASE("child: it has our environment with the changes on top and a separate process group") {
  setenv("PERCYCLE_TEST", "ours", 1);
  Child same({"variable"});
  CHECK(line_of(same) == std::string("ours ") + std::getenv("PATH"));
  Child changed({"variable"}, {{"PERCYCLE_TEST", "its own"}});
  CHECK(line_of(changed) == std::string("its own ") + std::getenv("PATH"));
  unsetenv("PERCYCLE_TEST");
  Child added({"variable"}, {{"PERCYCLE_TEST", "new"}});
  CHECK(line_of(added) == std::string("new ") + std::getenv("PATH"));
  Child group({"group"});
  CHECK(line_of(group) == "its own");
}

TEST_CASE("child: one that is dropped is killed and leaves no zombie") {
  { Child child({"hang"}); }
  {
    Child child({"hang"});
    Child moved(std::move(child));
    CHECK(moved.next(in(20ms)).kind == Kind::timed_out);
  }
  CHECK(waitpid(-1, nullptr, WNOHANG) == -1);
  CHECK(errno == ECHILD);
}

/// A client of a worker that plays this scene.
struct Client {
  explicit Client(Scene scene, std::chrono::seconds deadline = kPatience) : client(device(scene), deadline) {}

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

  NoSigpipe ignored;
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
  CHECK(crashed.text == "opening the device crashed (killed by SIGABRT)");
  const auto hung = Client(hangs_opening, 1s)();
  CHECK(hung.kind == AnswerKind::refused);
  CHECK(hung.text == "opening the device took more than 1 s");
}

TEST_CASE("worker client: a worker that crashes or passes its deadline fails its point only") {
  Client dying(dies);
  for (int i = 0; i < 2; ++i) {
    const auto crashed = dying();
    CHECK(crashed.kind == AnswerKind::ended);
    CHECK(crashed.result.point == examples::point(1024));
    CHECK(crashed.result.outcome == Outcome{Status::failed, "crashed (killed by SIGSEGV)"});
  }
  // The deadline also covers opening, which takes a loaded machine a second, and the load.
  Client hangs_under_load(hangs, 5s);
  const Point load{"sustained", {{"load", std::string("fma")}, {"seconds", std::int64_t{1}}}};
  const auto hung = hangs_under_load.client.measure(load, "quick", 1, hangs_under_load.stop);
  CHECK(hung.kind == AnswerKind::ended);
  CHECK(hung.result.outcome == Outcome{Status::failed, "timed out: no result within 6 s"});
}

TEST_CASE("worker client: Ctrl-C reaches the worker, whose answer ends the point") {
  Client client(is_slow);
  client.stop = true;
  CHECK(client().kind == AnswerKind::interrupted);
}

}  // namespace
}  // namespace percycle::child_test
