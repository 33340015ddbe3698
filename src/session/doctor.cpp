#include "session/doctor.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <nlohmann/json.hpp>

#include "core/figures.hpp"
#include "device/selector.hpp"
#include "experiments/experiment.hpp"
#include "platform/host.hpp"
#include "platform/signals.hpp"
#include "session/identity_checks.hpp"
#include "session/kept_checks.hpp"
#include "session/labelled_lines.hpp"
#include "session/machine_checks.hpp"
#include "session/patience.hpp"
#include "session/run_header.hpp"
#include "session/worker_client.hpp"
#include "store/record_json.hpp"
#include "vocabulary/latency.hpp"

namespace percycle {
namespace {

constexpr std::chrono::milliseconds kLookAtLoad{500};
constexpr std::uint64_t kSeed = 1;

/// The first point of the shortest chase: each point knows the clocks.
std::vector<Point> point_with_clocks(const DeviceInfo& device) {
  const Experiment* chase = find_experiment(experiment::kLatency);
  const auto options = make_options(std::span(&chase, 1), {{"path", "global"}, {"max", "2K"}}, Preset::quick, kSeed);
  auto points = chase->plan(device, options.front(), {});
  points.resize(std::min<std::size_t>(points.size(), 1));
  return points;
}

std::string clocks_text(const Measurement& measurement) {
  std::vector<std::string> clocks;
  for (const auto& clock : measurement.clocks_mhz)
    clocks.push_back(fmt::format("{:.0f} {} {}", clock.value, unit_text::kMhz, to_string(clock.provenance)));
  return fmt::format("{}", fmt::join(clocks, ", "));
}

DeviceCheck clock_check(const WorkerClient::Answer& answer) {
  constexpr const char* kName = "clock";
  const auto& measurement = answer.result.measurement;
  if (!measurement) {
    const std::string& reason = answer.text.empty() ? answer.result.outcome.reason : answer.text;
    return {kName, CheckVerdict::missing, fmt::format("a first chase failed: {}", reason)};
  }
  const auto about_clock = std::ranges::find_if(measurement->warnings,
                                                [](const std::string& text) { return text.find("clock") != std::string::npos; });
  if (about_clock != measurement->warnings.end()) return {kName, CheckVerdict::doubtful, *about_clock};
  if (measurement->clocks_mhz.empty()) return {kName, CheckVerdict::missing, "no source, so there are no cycles"};
  return {kName, CheckVerdict::good, clocks_text(*measurement)};
}

std::vector<DeviceCheck> check(const DeviceInfo& device) {
  WorkerClient worker(device, driver_patience().doctor);
  worker.check(true);
  std::vector<DeviceCheck> checks = stated_checks(device);
  std::ranges::copy(worker.checked().checks, std::back_inserter(checks));
  for (const Point& point : point_with_clocks(device))
    checks.push_back(clock_check(worker.measure(point, std::string(to_string(Preset::quick)), kSeed, stop_requested())));
  return checks;
}

void add(LabelledLines& lines, const std::vector<DeviceCheck>& checks) {
  for (const DeviceCheck& check : checks) lines.field(2, check.name, fmt::format("{}: {}", to_string(check.verdict), check.text));
}

nlohmann::json list_of(const std::vector<DeviceCheck>& checks) {
  nlohmann::json list = nlohmann::json::array();
  for (const DeviceCheck& check : checks)
    list.push_back({{"name", check.name}, {"verdict", to_string(check.verdict)}, {"text", check.text}});
  return list;
}

}  // namespace

Diagnosis diagnose(const Enumeration& enumeration, const std::vector<DeviceInfo>& devices) {
  Diagnosis diagnosis;
  diagnosis.machine.push_back(load_check(busy_share(kLookAtLoad)));
  std::ranges::move(driver_checks(enumeration, closed_gpu_nodes(), visibility_masks(), host_cpu_name()),
                    std::back_inserter(diagnosis.machine));
  for (const DeviceInfo& device : devices) diagnosis.devices.push_back({device, check(device)});
  return diagnosis;
}

void keep(const Diagnosis& diagnosis, const std::vector<Card>& cards) {
  const std::string now = utc_now();
  for (const auto& [device, checks] : diagnosis.devices) {
    std::vector<DeviceCheck> all = checks;
    std::ranges::copy_if(diagnosis.machine, std::back_inserter(all),
                         [](const DeviceCheck& check) { return check.name != kLoadCheck; });
    for (DeviceCheck& check : all) check.made = now;
    keep_checks(device, card_identity(cards, device), all);
  }
}

std::string diagnosis_text(const Diagnosis& diagnosis) {
  LabelledLines lines;
  lines.line("this machine");
  add(lines, diagnosis.machine);
  for (const auto& [device, checks] : diagnosis.devices) {
    lines.line("");
    lines.line(fmt::format("{} {} ({})", selector(device), device.name, device.driver));
    add(lines, checks);
  }
  return lines.take();
}

nlohmann::json diagnosis_json(const Diagnosis& diagnosis) {
  nlohmann::json json = {{"machine", list_of(diagnosis.machine)}, {"devices", nlohmann::json::array()}};
  for (const auto& [device, checks] : diagnosis.devices) {
    json["devices"].push_back(
        {{"selector", selector(device)}, {"name", device.name}, {"driver", device.driver}, {"checks", list_of(checks)}});
  }
  return json;
}

}  // namespace percycle
