#include "session/progress.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <functional>
#include <string>

#include "test_system.hpp"

namespace percycle::progress_test {
namespace {

/// Two experiments of two points, 5 s each.
std::string short_run(ProgressStyle style, bool colour = false) {
  return test_system::stderr_of([&] {
    double now = 0;
    Progress progress({.style = style, .colour = colour, .columns = 90, .seconds = [&now] { return now; }});
    progress.start_device("card (opencl)", {{"Latency", {2}}, {"Bandwidth", {2}}});
    for (const std::size_t experiment : {0, 1}) {
      progress.start_experiment(experiment);
      progress.plan({2});
      for (int point = 0; point < 2; ++point) {
        now += 5;
        progress.finish_point();
      }
    }
    progress.finish_device();
  });
}

TEST_CASE("progress: none says nothing") { CHECK(short_run(ProgressStyle::none).empty()); }

TEST_CASE("progress: a log has one line per experiment") {
  CHECK(short_run(ProgressStyle::plain) == "card (opencl): Latency (1 of 2), 0:00\ncard (opencl): Bandwidth (2 of 2), 0:10\n");
}

TEST_CASE("progress: a terminal has one line per device, which stays when the device is done") {
  const std::string text = short_run(ProgressStyle::live);
  CAPTURE(text);
  const std::string line = "\r\033[Kcard (opencl) [";
  CHECK(text.starts_with(line + "........................]   0 %  Latency  0:00" + line));
  CHECK(text.find(line + "##################......]  75 %  Bandwidth  0:15, <10 s left") != std::string::npos);
  CHECK(text.ends_with(line + "########################] 100 %  4 points  0:20\n"));
  CHECK(text.find('\n') == text.size() - 1);
  CHECK(text.find("\033[3") == std::string::npos);
  CHECK(short_run(ProgressStyle::live, true).find("[\033[32m############\033[0m............]  50 %") != std::string::npos);
}

TEST_CASE("progress: a live line can be removed, and is not removed twice") {
  const std::string text = test_system::stderr_of([] {
    Progress progress({.style = ProgressStyle::live, .seconds = [] { return 0.0; }});
    progress.clear();
    progress.start_device("card", {{"Latency", {2}}});
    progress.start_experiment(0);
    progress.clear();
    progress.clear();
  });
  CHECK(text == "\r\033[Kcard [........................]   0 %  Latency  0:00\r\033[K");
}

TEST_CASE("progress line: it fits the terminal: the bar shrinks first, then the names") {
  const ProgressState state{"NVIDIA H200 06:00.0 (opencl)", "Bandwidth of the shared caches", 0.43, 72.9, 90};
  CHECK(progress_line(state, 120, false) ==
        "NVIDIA H200 06:00.0 (opencl) [##########..............]  43 %  Bandwidth of the shared caches  1:12, 1:30 left");
  for (const std::size_t columns : {120, 110, 100, 80, 60, 40, 20, 1}) {
    CAPTURE(columns);
    CHECK(progress_line(state, columns, false).size() <= columns);
  }
  CHECK(progress_line(state, 80, false).find("43 %") != std::string::npos);
  CHECK(progress_line(state, 80, false).find("1:12, 1:30 left") != std::string::npos);
  std::string name(500, 'x');
  name.push_back('\n');
  const ProgressState long_name{name, "step", 2, 0, {}};
  CHECK(progress_line(long_name, 80, false).size() <= 80);
}

TEST_CASE("progress line: times are minutes and seconds, short ones words") {
  CHECK(clock_text(0) == "0:00");
  CHECK(clock_text(59.9) == "0:59");
  CHECK(clock_text(3599) == "59:59");
  CHECK(clock_text(3605) == "1:00:05");
  CHECK(clock_text(-1) == "0:00");
  CHECK(remaining_text({}).empty());
  CHECK(remaining_text(9.9) == "<10 s left");
  CHECK(remaining_text(90) == "1:30 left");
}

}  // namespace
}  // namespace percycle::progress_test
