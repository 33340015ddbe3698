#include <fmt/format.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <thread>

#include "platform/environment.hpp"
#include "platform/host.hpp"

namespace percycle {
namespace {

utsname system_names() {
  utsname names{};
  uname(&names);
  return names;
}

/// Times of all cores since the start of the machine, in ticks.
struct CoreTicks {
  std::uint64_t all = 0;
  std::uint64_t idle = 0;
};

/// From the first line of /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal.
std::optional<CoreTicks> core_ticks() {
  constexpr int kFields = 8;
  std::ifstream file("/proc/stat");
  std::string word;
  if (!(file >> word) || word != "cpu") return std::nullopt;
  CoreTicks ticks;
  for (int field = 0; field < kFields; ++field) {
    std::uint64_t value = 0;
    if (!(file >> value)) return std::nullopt;
    ticks.all += value;
    if (field == 3 || field == 4) ticks.idle += value;
  }
  return ticks;
}

/// Whether the name is one of a GPU's nodes: the render nodes of DRM, ROCm's and NVIDIA's.
bool is_gpu_node(const std::string& name) {
  return name.starts_with("renderD") || name == "kfd" || name == "nvidiactl" ||
         (name.starts_with("nvidia") && name.find_first_not_of("0123456789", 6) == std::string::npos && name.size() > 6);
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

std::optional<double> busy_share(std::chrono::milliseconds time) {
  const auto before = core_ticks();
  std::this_thread::sleep_for(time);
  const auto after = core_ticks();
  if (!before || !after || after->all <= before->all || after->idle < before->idle) return std::nullopt;
  return 1 - static_cast<double>(after->idle - before->idle) / static_cast<double>(after->all - before->all);
}

std::vector<std::string> closed_gpu_nodes() {
  std::vector<std::string> closed;
  for (const char* folder : {"/dev/dri", "/dev"}) {
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
      if (is_gpu_node(entry.path().filename().string()) && access(entry.path().c_str(), R_OK | W_OK) != 0)
        closed.push_back(entry.path().string());
    }
  }
  std::ranges::sort(closed);
  return closed;
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
