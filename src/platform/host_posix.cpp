#include <fmt/format.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "platform/environment.hpp"
#include "platform/host.hpp"

namespace percycle {
namespace {

utsname system_names() {
  utsname names{};
  uname(&names);
  return names;
}

}  // namespace

std::string operating_system() {
  std::string distribution;
  std::ifstream file("/etc/os-release");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("PRETTY_NAME=")) continue;
    distribution = line.substr(line.find('=') + 1);
    std::erase(distribution, '"');
    distribution += ", ";
  }
  const utsname names = system_names();
  return fmt::format("{}{} {} {}", distribution, names.sysname, names.release, names.machine);
}

std::string host_cpu_name() {
  std::ifstream file("/proc/cpuinfo");
  const std::string cpuinfo{std::istreambuf_iterator<char>(file), {}};
  return cpu_name(cpuinfo, system_names().machine);
}

std::string host_name() { return system_names().nodename; }

std::size_t usable_cores() {
  cpu_set_t cores;
  // More than 1024 cores in the machine.
  if (sched_getaffinity(0, sizeof(cores), &cores) != 0) return 1;
  return static_cast<std::size_t>(std::max(CPU_COUNT(&cores), 1));
}

std::int64_t process_id() { return getpid(); }

bool stderr_is_terminal() { return isatty(STDERR_FILENO) != 0 && environment_variable("TERM").value_or("") != "dumb"; }

std::size_t terminal_columns() {
  constexpr std::size_t kUsual = 80;
  winsize size{};
  const bool is_known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return is_known ? size.ws_col : kUsual;
}

}  // namespace percycle
