#include "session/worker_client.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "experiments/experiment.hpp"
#include "json/parse.hpp"
#include "session/enumerate.hpp"
#include "session/implicit_layers.hpp"
#include "session/messages.hpp"
#include "session/patience.hpp"

namespace percycle {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kCrashed = "crashed";
constexpr const char* kCompilesOnly = "none: this worker measures nothing";
constexpr const char* kTelemetryEndedWorker = "none: its library crashed or hung, so percycle goes on without it";

/// The line as JSON; an empty object if a driver damaged it by writing into it.
nlohmann::json understood(const std::string& line) {
  try {
    return parse_json(line);
  } catch (const std::invalid_argument&) {
    return nlohmann::json::object();
  }
}

}  // namespace

std::string WorkerClient::open() {
  bool ended = false;
  std::string reason = open_once(ended);
  if (reason.empty()) return {};
  if (checks_timed_out_) return reason;  // it opened
  if (opens_without_layers()) return {};
  if (!ended) return reason;
  const auto alone = with_its_driver_alone(device_);  // another driver may be to blame
  if (!alone) return reason;
  device_ = *alone;
  return open_once(ended);
}

bool WorkerClient::opens_without_layers() {
  if (device_.api != Api::vulkan || !no_layers_.empty()) return false;
  const auto layers = implicit_layers();
  if (layers.empty()) return false;
  no_layers_ = without(layers);
  bool ended = false;
  if (!open_once(ended).empty()) {
    no_layers_.clear();
    return false;
  }
  std::vector<std::string> names;
  for (const ImplicitLayer& layer : layers) names.push_back(layer.name);
  checked_.checks.push_back({"layers", CheckVerdict::doubtful,
                             fmt::format("the device opens only without the implicit layers {}, so percycle runs without them",
                                         fmt::join(names, ", "))});
  return true;
}

std::string WorkerClient::open_once(bool& ended) {
  child_ =
      std::make_unique<Child>(std::vector<std::string>{"measure"}, only_driver(device_.api, device_.driver_manifest, no_layers_));
  asked_to_stop_ = false;
  child_->send(to_line(to_json(OpenRequest{.api = device_.api,
                                           .open_index = device_.open_index,
                                           .index = device_.index,
                                           .model = device_.model,
                                           .reads_code = code_.has_value(),
                                           .capability = code_ ? code_->capability : std::nullopt,
                                           .units = device_.units,
                                           .no_telemetry = no_telemetry_,
                                           .checks = checks_,
                                           .tries_memory = tries_memory_,
                                           .subgroup_size = checked_.subgroup_size,
                                           .warnings = checked_.warnings})));
  auto deadline = Clock::now() + deadline_;
  bool in_telemetry = false;
  bool in_checks = false;
  std::string checking(kKernelCheck);
  for (;;) {
    const auto event = child_->next(deadline);
    if (event.kind == Child::Event::Occurrence::timed_out && event.interrupted) continue;
    if (event.kind == Child::Event::Occurrence::line) {
      const nlohmann::json answer = understood(event.text);
      if (answer.contains("opened")) {
        has_telemetry_ = answer.value("has_telemetry", false);
        if (std::exchange(checks_, false)) take_checks(answer["opened"]);
        return {};
      }
      if (answer.contains("checks")) {
        in_checks = true;
        continue;
      }
      if (answer.contains("checking") && answer["checking"].is_string()) {
        checking = answer["checking"].get<std::string>();
        take_checks(answer.value("so_far", nlohmann::json::object()));
        continue;
      }
      if (answer.contains("telemetry")) {
        in_telemetry = true;
        deadline = Clock::now() + driver_patience().telemetry;  // slow checks are not its fault
        continue;
      }
      child_.reset();
      return answer.value("refused", "the worker's answer was damaged");
    }
    child_.reset();
    if (in_telemetry && no_telemetry_.empty()) {
      no_telemetry_ = kTelemetryEndedWorker;
      return open_once(ended);
    }
    if (in_checks && !in_telemetry && std::exchange(checks_, false)) {
      if (event.kind == Child::Event::Occurrence::timed_out) {
        checked_.checks.push_back({checking, CheckVerdict::doubtful, fmt::format("not finished in {}", seconds_text(deadline_))});
        // `doctor` has one deadline for the device.
        checks_timed_out_ = tries_memory_;
        if (checks_timed_out_) return fmt::format("the checks took more than {}", seconds_text(deadline_));
        return open_once(ended);
      }
      // Its compiler may die of these kernels alone.
      checked_.checks.push_back({checking, CheckVerdict::doubtful, "the driver crashed as percycle checked the device"});
      return open_once(ended);
    }
    ended = true;
    if (event.kind == Child::Event::Occurrence::ended) return fmt::format("opening the device crashed ({})", event.text);
    return fmt::format("opening the device took more than {}", seconds_text(deadline_));
  }
}

void WorkerClient::take_checks(const nlohmann::json& checked) {
  try {
    checked_ = from_json<DeviceChecks>(checked);
  } catch (const std::invalid_argument&) {
    return;  // a driver damaged the line by writing into it
  }
  if (checked_.units) device_.units = {*checked_.units, Provenance::measured_by_time};
}

void WorkerClient::leave_out_telemetry() { no_telemetry_ = kCompilesOnly; }

void WorkerClient::finish() {
  if (child_) child_->end(Clock::now() + std::chrono::seconds(2));
  child_.reset();
}

void WorkerClient::check(bool tries_memory) {
  checks_ = true;
  tries_memory_ = tries_memory;
  refusal_ = open();
  checks_ = false;
}

WorkerClient::Answer WorkerClient::failed(Answer::Ending kind, const Point& point, std::string reason) {
  child_.reset();
  // Another driver may be to blame.
  if (const auto alone = with_its_driver_alone(device_)) device_ = *alone;
  return {kind, {point, {Status::failed, std::move(reason)}, std::nullopt}, {}};
}

WorkerClient::Answer WorkerClient::measure(const Point& point, const std::string& preset, std::uint64_t seed,
                                           const std::atomic<bool>& stop) {
  if (!child_) {
    std::string reason = std::exchange(refusal_, {});
    if (reason.empty()) reason = open();
    if (!reason.empty()) return {Answer::Ending::refused, {}, std::move(reason)};
  }
  Answer answer = ask(point, preset, seed, stop);
  const bool crashed = answer.kind == Answer::Ending::ended && answer.result.outcome.reason.starts_with(kCrashed);
  if (!crashed || !has_telemetry_ || stop) return answer;
  // The library of telemetry may be to blame: it runs beside the samples.
  no_telemetry_ = kTelemetryEndedWorker;
  if (!open().empty()) return answer;
  Answer again = ask(point, preset, seed, stop);
  if (again.kind == Answer::Ending::ended) no_telemetry_.clear();
  return again;
}

WorkerClient::Answer WorkerClient::ask(const Point& point, const std::string& preset, std::uint64_t seed,
                                       const std::atomic<bool>& stop) {
  child_->send(to_line(to_json(MeasureRequest{point, preset, seed})));
  const Experiment* experiment = find_experiment(point.experiment);
  const auto deadline = deadline_ + (experiment != nullptr ? experiment->planned_time(point) : std::chrono::seconds(0));
  const auto event = next_event(Clock::now() + deadline, stop);
  if (event.kind == Child::Event::Occurrence::timed_out)
    return failed(Answer::Ending::ended, point, fmt::format("timed out: no result within {}", seconds_text(deadline)));
  if (event.kind == Child::Event::Occurrence::ended)
    return failed(Answer::Ending::ended, point, fmt::format("{} ({})", kCrashed, event.text));
  const nlohmann::json line = understood(event.text);
  if (line.contains("interrupted")) return {Answer::Ending::interrupted, {}, {}};
  MeasureAnswer answer;
  try {
    answer = from_json<MeasureAnswer>(line);
  } catch (const std::invalid_argument& damaged) {
    return failed(Answer::Ending::ended, point, fmt::format("the worker's answer was damaged: {}", damaged.what()));
  }
  if (answer.device_lost) child_.reset();
  return {answer.device_lost ? Answer::Ending::lost : Answer::Ending::result, std::move(answer.result), {}, answer.code_seconds};
}

bool WorkerClient::read_ahead(const std::vector<Point>& points, std::uint64_t seed, const std::atomic<bool>& stop) {
  if (fails_ahead_) return false;
  if (!child_) refusal_ = open();
  if (!child_) return false;
  child_->send(to_line(to_json(ReadAheadRequest{points, seed})));
  for (;;) {
    const auto event = next_event(Clock::now() + deadline_, stop);  // one event per program
    if (event.kind != Child::Event::Occurrence::line) {
      fails_ahead_ = true;
      child_.reset();
      return false;
    }
    if (understood(event.text).contains("read")) return true;
  }
}

Child::Event WorkerClient::next_event(Clock::time_point deadline, const std::atomic<bool>& stop) {
  // A signal may interrupt another thread than the one that waits here.
  constexpr auto kLook = std::chrono::milliseconds(200);
  for (;;) {
    if (stop && !std::exchange(asked_to_stop_, true)) child_->ask_to_stop();
    auto event = child_->next(std::min(deadline, Clock::now() + kLook));
    if (event.kind != Child::Event::Occurrence::timed_out || (!event.interrupted && Clock::now() >= deadline)) return event;
  }
}

}  // namespace percycle
