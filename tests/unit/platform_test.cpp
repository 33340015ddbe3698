#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "platform/all_cores.hpp"
#include "platform/environment.hpp"
#include "platform/file.hpp"
#include "platform/host.hpp"
#include "platform/library.hpp"
#include "platform/process.hpp"
#include "platform/tool.hpp"
#include "source_folders.hpp"
#include "test_system.hpp"
#include "worker_scripts.hpp"

namespace percycle::platform_test {
using namespace std::chrono_literals;

namespace fs = std::filesystem;

[[maybe_unused]] const bool are_registered = [] {
  worker_scripts().merge(std::map<std::string, void (*)()>{
      {"hang",
       [] {
         for (;;) std::this_thread::sleep_for(1h);
       }},
      {"status", [] { std::_Exit(3); }},
  });
  return true;
}();

TEST_CASE("platform: no other folder includes a header of the operating system, asks for its environment or for its name") {
  const std::regex header(
      R"(#include <(unistd|fcntl|signal|csignal|spawn|poll|sched|dlfcn|link|pthread|termios|windows|io|psapi|sys/.*)(\.h)?>)");
  const std::regex system(R"(#.*(_WIN32|_WIN64|__MINGW|_MSC_VER|__linux__|__unix__|__APPLE__|__ANDROID__))");
  const auto calls = [](const std::string& line) {
    for (const std::string call : {"getenv(", "setenv(", "isatty(", "getpid(", "dlopen(", "fork(", "popen(", "mkdtemp("}) {
      const auto at = line.find(call);
      if (at != std::string::npos &&
          (at == 0 || (std::isalnum(static_cast<unsigned char>(line[at - 1])) == 0 && line[at - 1] != '_')))
        return true;
    }
    return false;
  };
  std::vector<std::string> found;
  std::size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(sources_folder())) {
    const fs::path& path = entry.path();
    if (path.extension() != ".cpp" && path.extension() != ".hpp") continue;
    if (path.parent_path().filename() == "platform") continue;
    ++files;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
      // Most lines need no search by the expression, which is slow.
      const bool is_directive = line.starts_with('#');
      if ((is_directive && (std::regex_search(line, header) || std::regex_search(line, system))) || calls(line))
        found.push_back(path.string() + ": " + line);
    }
  }
  CHECK(files > 300);
  CHECK(fmt::format("{}", fmt::join(found, "\n")) == "");
}

TEST_CASE("the CPU's name is the first model name of /proc/cpuinfo, else the architecture") {
  CHECK(cpu_name("processor\t: 0\nmodel\t\t: 17\nmodel name\t: AMD EPYC 9654\nstepping\t: 1\nmodel name\t: other\n", "x86_64") ==
        "AMD EPYC 9654");
  CHECK(cpu_name("model name : A", "x86_64") == "A");
  CHECK(cpu_name("processor\t: 0\nBogoMIPS\t: 50.00\n", "aarch64") == "aarch64");
  CHECK(cpu_name("model name\t:\n", "riscv64") == "riscv64");
  CHECK(cpu_name("model name", "riscv64") == "riscv64");
  CHECK(cpu_name("", "riscv64") == "riscv64");
  CHECK_FALSE(host_cpu_name().empty());
}

TEST_CASE("platform: a list of paths has no empty parts") {
  using Paths = std::vector<fs::path>;
  const auto split = [](std::string list) {
    std::ranges::replace(list, ':', kPathSeparator);
    return split_paths(list);
  };
  CHECK(split("") == Paths{});
  CHECK(split("::") == Paths{});
  CHECK(split("/usr/bin") == Paths{"/usr/bin"});
  CHECK(split(":/a::b/c:") == Paths{"/a", "b/c"});
}

TEST_CASE("platform: a variable that is not set is absent, one that is empty is not") {
  CHECK_FALSE(environment_variable("PERCYCLE_NO_SUCH_VARIABLE"));
  set_environment_variable("PERCYCLE_EMPTY_VARIABLE", "");
  CHECK(environment_variable("PERCYCLE_EMPTY_VARIABLE") == "");
}

TEST_CASE("platform: a library is the first that can be opened, and lacks symbols that it does not have") {
  const Library library{"libpercycle-no-such.so", test_system::kRuntimeLibrary};
  REQUIRE(library.is_open());
  int (*absolute)(int) = nullptr;
  REQUIRE(library.find("abs", absolute));
  CHECK(absolute(-3) == 3);
  CHECK_FALSE(library.find("percycle_no_such", absolute));
  CHECK((absolute == nullptr));
  const Library none{"libpercycle-no-such.so"};
  CHECK_FALSE(none.is_open());
  CHECK(none.problem().find("libpercycle-no-such.so") != std::string::npos);
  CHECK(has_library(test_system::kRuntimeLibrary));
  CHECK_FALSE(has_library("libpercycle-no-such"));
}

TEST_CASE("platform: a file that must be new is not opened twice, and one process at a time has its lock") {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "file";
  std::error_code error;
  File missing = File::open(path, File::Mode::append, error);
  CHECK(error == std::errc::no_such_file_or_directory);
  CHECK_FALSE(missing.is_open());
  File file = File::open(path, File::Mode::append_new, error);
  CHECK_FALSE(error);
  CHECK(file.is_regular(error));
  CHECK(file.lock());
  static_cast<void>(File::open(path, File::Mode::append_new, error));
  CHECK(error == std::errc::file_exists);
  File second = File::open(path, File::Mode::append_and_read, error);
  CHECK_FALSE(second.lock());
  CHECK_FALSE(file.write("abc"));
  CHECK_FALSE(second.write("def"));
  CHECK(second.size(error) == 6);
  std::array<char, 8> bytes{};
  CHECK(second.read_at(2, bytes, error) == 4);
  CHECK(std::string(bytes.data()) == "cdef");
  CHECK_FALSE(second.cut(1));
  CHECK(bytes_of(path) == "a");
  CHECK_FALSE(file.flush());
  file.close();
  CHECK(second.lock());
}

TEST_CASE("platform: the end of a pipe can be waited for") {
  Pipe pipe = make_pipe();
  std::error_code error;
  CHECK_FALSE(pipe.input.is_regular(error));
  CHECK_FALSE(pipe.input.flush());
  CHECK(pipe.output.wait(1ms) == File::Wait::timed_out);
  CHECK_FALSE(pipe.input.write("x"));
  CHECK(pipe.output.wait(20s) == File::Wait::readable);
  std::array<char, 8> bytes{};
  CHECK(pipe.output.read(bytes, error) == 1);
  pipe.input.close();
  CHECK(pipe.output.wait(20s) == File::Wait::readable);
  CHECK(pipe.output.read(bytes, error) == 0);
  CHECK_FALSE(error);
}

TEST_CASE("platform: a wait for a running process ends without result, and the process is killed at last") {
  const auto play = [](const char* script) {
    return Process({.program = this_program(), .name = "percycle", .arguments = {"worker", script}});
  };
  Process quick = play("status");
  CHECK(quick.wait(20s).value_or(ProcessEnd{}).text() == "exit status 3");
  CHECK(quick.wait().text() == "exit status 3");  // and again
  Process slow = play("hang");
  CHECK_FALSE(slow.wait(1ms));
  slow.kill();
  CHECK(slow.wait().text() == test_system::kKilled);
}

TEST_CASE("platform: a program that is missing does not start") {
  CHECK_THROWS_AS(Process({
                      .program = "/no/such/program",
                      .name = "program",
                      .arguments = {},
                  }),
                  std::system_error);
}

TEST_CASE("all cores: the result of the lowest number counts, in any order of the threads") {
  const auto sevens = [](std::size_t from) {
    return first_on_all_cores(1000, [from](std::size_t i) { return i >= from && i % 7 == 5 ? std::optional(i) : std::nullopt; });
  };
  for (int i = 0; i < 20; ++i) CHECK(sevens(601) == 607);
  CHECK(sevens(0) == 5);
  CHECK_FALSE(sevens(1000));
  CHECK_THROWS_AS(first_on_all_cores(3, [](std::size_t) -> std::optional<int> { throw std::runtime_error("no"); }),
                  std::runtime_error);
}

}  // namespace percycle::platform_test
