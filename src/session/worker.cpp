#include "session/worker.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "codegen/programs/timed_kernels.hpp"
#include "core/error.hpp"
#include "device/identity.hpp"
#include "device/opencl/opencl.hpp"
#include "device/telemetry/telemetry.hpp"
#include "device/vulkan/vulkan.hpp"
#include "json/parse.hpp"
#include "limits/limits.hpp"
#include "measure/caching_device.hpp"
#include "measure/corrected_device.hpp"
#include "measure/measurer.hpp"
#include "measure/timer_check.hpp"
#include "platform/child.hpp"
#include "platform/signals.hpp"
#include "platform/user_cache.hpp"
#include "session/code_reader.hpp"
#include "session/device_checks.hpp"
#include "session/driver_libraries.hpp"
#include "session/messages.hpp"
#include "sim/sim.hpp"
#include "store/record_json.hpp"

namespace percycle {
namespace {

using nlohmann::json;

void emit(const json& event) {
  if (!write_event(to_line(event))) std::_Exit(1);  // the parent is gone
}

int enumerate(Api api) {
  std::vector<DeviceInfo> of_nvidia;
  const EnumerationSink sink{
      .device =
          [&](DeviceInfo info) {
            if (gpu_vendor(info) == "NVIDIA") of_nvidia.push_back(info);
            try {
              emit({{"device", to_json(info)}});
            } catch (const std::invalid_argument& impossible) {
              emit({{"problem", to_json(EnumerationProblem{api, info.name, impossible.what()})}});
            }
          },
      .problem =
          [](const EnumerationProblem& problem) {
            emit({{"problem", to_json(problem)}});
          },
  };
  api == Api::opencl ? enumerate_opencl(sink) : enumerate_vulkan(sink);
  // From here on a library that crashes costs no device.
  emit({{"libraries", true}});
  for (const EnumerationProblem& problem : library_problems(api)) emit({{"problem", to_json(problem)}});
  if (!of_nvidia.empty()) emit({{"telemetry", true}});
  for (const DeviceInfo& info : of_nvidia) {
    json found = {{"index", info.index}};
    const CardFacts facts = find_facts(info);
    if (facts.compute_capability && !info.compute_capability) found["compute_capability"] = *facts.compute_capability;
    if (!facts.part.empty()) found["part"] = facts.part;
    emit(found);
  }
  emit({{"end", true}});
  return 0;
}

/// A device, and the place where its driver's statements can be corrected.
struct OpenedDevice {
  std::unique_ptr<Device> device;
  CorrectedDevice* corrected = nullptr;
  Device* simulated = nullptr;  ///< null for real devices
};

OpenedDevice open_device(const OpenRequest& request) {
  // Not a CachingDevice: a simulated kernel takes no time to compile, and a simulated fault counts
  // kernels.
  if (request.api == Api::sim) {
    auto model = open_sim(request.model);
    Device* simulated = model.get();
    auto device = std::make_unique<CorrectedDevice>(std::move(model), request.units);
    CorrectedDevice* inner = device.get();
    return {.device = std::move(device), .corrected = inner, .simulated = simulated};
  }
  auto corrected = std::make_unique<CorrectedDevice>(request.api == Api::opencl ? open_opencl(request.open_index, request.index)
                                                                                : open_vulkan(request.open_index, request.index),
                                                     request.units);
  CorrectedDevice* inner = corrected.get();
  return {.device = std::make_unique<CachingDevice>(std::move(corrected), request.reads_code), .corrected = inner};
}

/// Latency of the dependent-ALU chain in cycles; empty if no source gives it.
std::optional<double> alu_latency_cycles(const OpenedDevice& opened) {
  if (opened.simulated != nullptr) return sim_alu_latency_cycles(*opened.simulated);
  const DeviceLimits known = find_limits(limits_catalogue(), opened.device->info());
  const Limit* latency = known.find(Quantity::alu_latency);
  return latency != nullptr ? std::optional(latency->value) : std::nullopt;
}

/// Compiles the kernels of the points and reads their machine code, some programs at a time while
/// the next are compiled.
void read_ahead(std::vector<Point> points, std::uint64_t seed, Device& device, CodeReader& code) {
  constexpr std::size_t kProgramsAtOnce = 64;
  const std::vector<TimedDesc> wanted = timed_kernels(device.info(), std::move(points), seed);
  for (std::size_t i = 0; i < wanted.size() && !stop_requested(); i += kProgramsAtOnce) {
    const auto batch = std::span(wanted).subspan(i, std::min(kProgramsAtOnce, wanted.size() - i));
    const auto compiled = [] { emit({{"compiled", true}}); };
    code.read(compile(device, batch, compiled));
  }
  code.finish();
  emit({{"read", true}});
}

json answer_line(MeasureAnswer answer) {
  try {
    return to_json(answer);
  } catch (const std::invalid_argument& impossible) {
    answer.result = not_a_measurement(std::move(answer.result), impossible.what());
    return to_json(answer);
  }
}

/// Tells the parent which check begins, so that it knows what a time-out ended.
void say_check(std::string_view name, const DeviceChecks& so_far) { emit({{"checking", name}, {"so_far", to_json(so_far)}}); }

/// Checks the device. A simulated one changes with the work that it did, so a second one like it is
/// checked in its place.
DeviceChecks checks_of(const OpenRequest& request, const OpenedDevice& opened, TimerCheck& timer) {
  if (opened.simulated != nullptr) {
    const OpenedDevice like = open_device(request);
    TimerCheck its_timer(*like.device, *like.corrected);
    const DeviceChecks checked = check_device(*like.device, *like.corrected, its_timer, request.tries_memory, say_check);
    if (checked.units) opened.corrected->set_units({*checked.units, Provenance::measured_by_time});
    return checked;
  }
  return check_device(*opened.device, *opened.corrected, timer, request.tries_memory, say_check);
}

int measure() {
  std::string line;
  if (!read_request(line)) return 0;
  OpenedDevice opened;
  std::optional<CodeWish> wish;
  OpenRequest wanted;
  try {
    wanted = from_json<OpenRequest>(parse_json(line));
    if (wanted.reads_code) wish = CodeWish{wanted.capability, user_cache_folder(kKnownCodeFolder)};
    opened = open_device(wanted);
  } catch (const DeviceError& error) {
    emit({{"refused", error.what()}});
    return 0;
    // The file of a model was changed or removed since the run began.
  } catch (const UsageError& error) {
    emit({{"refused", error.what()}});
    return 0;
  }
  const std::unique_ptr<Device>& device = opened.device;
  TimerCheck timer(*device, *opened.corrected);
  DeviceChecks checked;
  if (wanted.subgroup_size) opened.corrected->set_subgroup_size(*wanted.subgroup_size);
  checked.warnings = wanted.warnings;
  if (wanted.checks) {
    emit({{"checks", true}});
    try {
      checked = checks_of(wanted, opened, timer);
    } catch (const DeviceError&) {
      return 1;  // lost: to be opened again without this
    }
  }
  emit({{"telemetry", true}});
  const Telemetry telemetry = opened.simulated != nullptr   ? sim_telemetry(*opened.simulated)
                              : wanted.no_telemetry.empty() ? find_telemetry(device->info())
                                                            : Telemetry{nullptr, wanted.no_telemetry};
  if (wanted.checks && opened.simulated == nullptr)
    checked.checks.push_back({"telemetry", telemetry.recorder ? CheckVerdict::good : CheckVerdict::missing, telemetry.source});
  emit({{"opened", to_json(checked)}, {"has_telemetry", telemetry.recorder != nullptr}});
  CodeReader code(*device, wish);
  Measurer measurer(*device, stop_requested(), &telemetry, alu_latency_cycles(opened),
                    [&code](const TimedKernel& timed) { return code.codegen(timed); });
  for (const std::string& warning : checked.warnings) measurer.warn(warning);
  measurer.use(timer);
  while (read_request(line)) {
    const json request_json = parse_json(line);
    if (request_json.contains("points")) {
      const auto request = from_json<ReadAheadRequest>(request_json);
      read_ahead(request.points, request.seed, *device, code);
      continue;
    }
    const auto request = from_json<MeasureRequest>(request_json);
    Measured measured = measurer.measure(*find_experiment(request.point.experiment), request.point,
                                         protocol_for(parse_preset(request.preset).value()), request.seed);
    if (measured.interrupted) {
      emit({{"interrupted", true}});
    } else {
      emit(answer_line({std::move(measured.result), measured.device_lost, code.take_seconds()}));
    }
  }
  return 0;
}

}  // namespace

int worker_main(const std::vector<std::string>& arguments) {
  end_with_parent();
  stop_when_asked();
  ignore_alarms();
  open_channel();
  // Drivers' destructors at exit often crash or hang; all results have been written.
  if (arguments.size() == 2 && arguments[0] == "enumerate") std::_Exit(enumerate(*parse_api(arguments[1])));
  std::_Exit(measure());
}

}  // namespace percycle
