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
#include "device/info_json.hpp"
#include "device/json_fields.hpp"
#include "device/opencl/opencl.hpp"
#include "device/sim/sim.hpp"
#include "device/telemetry/telemetry.hpp"
#include "device/vulkan/vulkan.hpp"
#include "limits/limits.hpp"
#include "measure/caching_device.hpp"
#include "measure/measurer.hpp"
#include "session/child.hpp"
#include "session/code_reader.hpp"
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
          [](const DeviceInfo& info) {
            emit({{"device", to_json(info)}});
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

std::unique_ptr<Device> open_device(JsonFields which, bool keep_code) {
  const Api api = which.word("api", parse_api);
  // Not a CachingDevice: a simulated kernel takes no time to compile, and a fault of the model counts kernels.
  if (api == Api::sim) return open_sim(which.text("model"));
  const auto index = which.unsigned_integer<std::uint32_t>("open_index");
  return std::make_unique<CachingDevice>(api == Api::opencl ? open_opencl(index) : open_vulkan(index), keep_code);
}

/// How many cycles an operation of the dependent-ALU chain takes; empty where nobody published it.
std::optional<double> alu_latency_cycles(Device& device) {
  if (device.info().api == Api::sim) return sim_alu_latency_cycles(device);
  const DeviceLimits known = find_limits(limits_catalogue(), device.info());
  const Limit* latency = known.find(Quantity::alu_latency);
  return latency != nullptr ? std::optional(latency->value) : std::nullopt;
}

int measure() {
  std::string line;
  JsonDocument document;
  if (!std::getline(std::cin, line)) return 0;
  std::unique_ptr<Device> device;
  std::optional<CodeWish> wish;
  try {
    JsonFields which(document.parse(line), "the device to open");
    if (auto code = which.optional_text("code")) wish.emplace().capability = code->empty() ? std::nullopt : code;
    device = open_device(which, wish.has_value());
  } catch (const DeviceError& error) {
    emit({{"refused", error.what()}});
    return 0;
  } catch (const UsageError& error) {  // a model's file that was changed or removed since the run began
    emit({{"refused", error.what()}});
    return 0;
  }
  emit({{"opened", to_json(device->info())}});
  const Telemetry telemetry = device->info().api == Api::sim ? sim_telemetry(*device) : find_telemetry(device->info());
  Measurer measurer(*device, stop_requested(), &telemetry, alu_latency_cycles(*device));
  CodeReader code(*device, wish);
  while (std::getline(std::cin, line)) {
    JsonFields job(document.parse(line), "the job");
    const Point point = point_from_json(job.required("point"));
    const Preset preset = job.word("preset", parse_preset);
    const auto seed = job.unsigned_integer<std::uint64_t>("seed");
    Measured measured = measurer.measure(*find_experiment(point.experiment), point, protocol_for(preset), seed);
    if (measured.interrupted) {
      emit({{"interrupted", true}});
    } else {
      const auto begin = std::chrono::steady_clock::now();
      if (!measured.device_lost) code.add_to(measured);
      const std::chrono::duration<double> reading = std::chrono::steady_clock::now() - begin;
      emit({{"result", to_json(measured.result)}, {"device_lost", measured.device_lost}, {"code_seconds", reading.count()}});
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
