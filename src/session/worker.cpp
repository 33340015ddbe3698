#include "session/worker.hpp"

#include <sys/prctl.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/error.hpp"
#include "device/opencl/opencl.hpp"
#include "device/sim/sim.hpp"
#include "device/telemetry/telemetry.hpp"
#include "device/vulkan/vulkan.hpp"
#include "json/parse.hpp"
#include "limits/limits.hpp"
#include "measure/caching_device.hpp"
#include "measure/measurer.hpp"
#include "session/child.hpp"
#include "session/code_reader.hpp"
#include "session/messages.hpp"
#include "session/stop.hpp"
#include "store/record_json.hpp"

namespace percycle {
namespace {

using nlohmann::json;

void emit(const json& event) {
  const std::string text = to_line(event) + '\n';
  std::size_t sent = 0;
  while (sent < text.size()) {
    const ssize_t count = write(kEventDescriptor, text.data() + sent, text.size() - sent);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) _exit(1);  // the parent is gone
    sent += static_cast<std::size_t>(count);
  }
}

int enumerate(Api api) {
  const EnumerationSink sink{
      .device =
          [&](const DeviceInfo& info) {
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
  emit({{"end", true}});
  return 0;
}

std::unique_ptr<Device> open_device(const OpenRequest& request) {
  // Not a CachingDevice: a simulated kernel is its meaning, which that does not look at.
  if (request.api == Api::sim) return open_sim(request.model);
  return std::make_unique<CachingDevice>(
      request.api == Api::opencl ? open_opencl(request.open_index) : open_vulkan(request.open_index), request.reads_code);
}

/// How many cycles an operation of the dependent-ALU chain takes; empty where nobody published it.
std::optional<double> alu_latency_cycles(Device& device) {
  if (device.info().api == Api::sim) return sim_alu_latency_cycles(device);
  const DeviceLimits known = find_limits(limits_catalogue(), device.info());
  const Limit* latency = known.find(Quantity::alu_latency);
  return latency != nullptr ? std::optional(latency->value) : std::nullopt;
}

json answer_line(MeasureAnswer answer) {
  try {
    return to_json(answer);
  } catch (const std::invalid_argument& impossible) {
    answer.result = not_a_measurement(answer.result.point, impossible.what());
    return to_json(answer);
  }
}

int measure() {
  std::string line;
  if (!std::getline(std::cin, line)) return 0;
  std::unique_ptr<Device> device;
  std::optional<CodeWish> wish;
  try {
    const auto request = from_json<OpenRequest>(parse_json(line));
    if (request.reads_code) wish.emplace().capability = request.capability;
    device = open_device(request);
  } catch (const DeviceError& error) {
    emit({{"refused", error.what()}});
    return 0;
  } catch (const UsageError& error) {  // a model's file that was changed or removed since the run began
    emit({{"refused", error.what()}});
    return 0;
  }
  emit({{"opened", true}});
  const Telemetry telemetry = device->info().api == Api::sim ? sim_telemetry(*device) : find_telemetry(device->info());
  Measurer measurer(*device, stop_requested(), &telemetry, alu_latency_cycles(*device));
  CodeReader code(*device, wish);
  while (std::getline(std::cin, line)) {
    const auto request = from_json<MeasureRequest>(parse_json(line));
    Measured measured = measurer.measure(*find_experiment(request.point.experiment), request.point,
                                         protocol_for(parse_preset(request.preset).value()), request.seed);
    if (measured.interrupted) {
      emit({{"interrupted", true}});
    } else {
      const auto begin = std::chrono::steady_clock::now();
      if (!measured.device_lost) code.add_to(measured);
      const std::chrono::duration<double> reading = std::chrono::steady_clock::now() - begin;
      emit(answer_line({std::move(measured.result), measured.device_lost, reading.count()}));
    }
  }
  return 0;
}

}  // namespace

int worker_main(const std::vector<std::string>& arguments) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  stop_on(SIGTERM);
  // Drivers' destructors at exit crash or hang often enough; everything that matters has been written.
  if (arguments.size() == 2 && arguments[0] == "enumerate") _exit(enumerate(*parse_api(arguments[1])));
  _exit(measure());
}

}  // namespace percycle
