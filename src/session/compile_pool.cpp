#include "session/compile_pool.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <future>
#include <optional>
#include <string>
#include <vector>

#include "codegen/programs/timed_kernels.hpp"
#include "core/error.hpp"
#include "device/kernel_source.hpp"
#include "measure/caching_device.hpp"
#include "platform/environment.hpp"
#include "platform/user_cache.hpp"
#include "session/patience.hpp"
#include "session/worker_client.hpp"

namespace percycle {
namespace {

constexpr std::size_t kMostProcesses = 16;
constexpr std::size_t kFewestCores = 4;
constexpr std::uint64_t kMemoryEach = std::uint64_t{1} << 30;
constexpr std::size_t kProgramsEach = 2;  // fewer are not worth the start of a process
constexpr int kFailuresInARow = 3;
constexpr const char* kProcessesVariable = "PERCYCLE_COMPILE_PROCESSES";
constexpr std::size_t kMostWanted = 256;

/// The programs that no earlier run compiled for this driver and, if it had to, read. Their keys
/// stay in the user's cache.
class NewPrograms {
 public:
  NewPrograms(const DeviceInfo& device, bool reads_code)
      : driver_(fmt::format("{}|{}|{}|{}|{}|{}", to_string(device.api), device.platform, device.name, device.driver,
                            kernel_source_hash(), reads_code)) {}

  bool is_new(const TimedDesc& program) const { return !done_.find(key(program)); }
  void add(const TimedDesc& program) const { done_.keep(key(program), {}); }

 private:
  std::string key(const TimedDesc& program) const { return driver_ + kernel_key(program.desc); }

  std::string driver_;
  UserCache done_{user_cache_folder(kProgramsFolder)};
};

}  // namespace

std::optional<std::size_t> wanted_processes() {
  const auto text = environment_variable(kProcessesVariable);
  if (!text || text->empty()) return std::nullopt;
  std::size_t number = 0;
  const char* const last = text->data() + text->size();
  if (std::from_chars(text->data(), last, number) != std::from_chars_result{last, std::errc()} || number > kMostWanted)
    throw UsageError(fmt::format("{}={}: a number from 0 to {} is expected", kProcessesVariable, *text, kMostWanted));
  return number;
}

std::size_t compile_processes(const DeviceInfo& device, std::size_t cores) {
  if (const auto wanted = wanted_processes()) return *wanted;
  if (device.type == DeviceType::cpu || device.api == Api::sim || cores < kFewestCores) return 0;
  return std::min({cores, kMostProcesses, static_cast<std::size_t>(device.memory_bytes.value_or(0) / kMemoryEach)});
}

bool is_kept(double compiled_s, double again_s) {
  constexpr double kTooShortToTell = 1;
  return compiled_s < kTooShortToTell || again_s <= compiled_s;
}

void compile_in_processes(const DeviceInfo& device, const std::optional<CodeWish>& wish, const std::vector<Point>& points,
                          std::uint64_t seed, std::size_t processes, const std::atomic<bool>& stop) {
  const NewPrograms known(device, wish.has_value());
  std::vector<TimedDesc> programs = timed_kernels(device, points, seed);
  std::erase_if(programs, [&](const TimedDesc& program) { return !known.is_new(program); });
  std::atomic<std::size_t> next = 0;
  const auto compile_some = [&] {
    std::optional<WorkerClient> worker;
    for (int failures = 0; failures < kFailuresInARow && !stop;) {
      const std::size_t i = next++;
      if (i >= programs.size()) break;
      if (!worker) {
        worker.emplace(device, driver_patience().answer, wish);
        worker->leave_out_telemetry();
      }
      if (worker->read_ahead({programs[i].point}, seed, stop)) {
        failures = 0;
        known.add(programs[i]);
      } else {
        ++failures;
        worker.reset();
      }
    }
    if (worker) worker->finish();
  };
  std::vector<std::future<void>> others;
  for (std::size_t i = 1; i < std::min(processes, programs.size() / kProgramsEach); ++i)
    others.push_back(std::async(std::launch::async, compile_some));
  if (!others.empty()) compile_some();
  for (auto& other : others) other.get();
}

}  // namespace percycle
