#include "session/worker.hpp"

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "codegen/programs/timed_kernels.hpp"
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
#include "platform/child.hpp"
#include "platform/signals.hpp"
#include "session/code_reader.hpp"
#include "store/record_json.hpp"

namespace percycle {
namespace {

using nlohmann::json;

void emit(const json& event) {
  if (!write_event(to_line(event) + '\n')) std::_Exit(1);  // the parent is gone
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

/// Compiles what the points time, and reads its machine code a number of programs at a time, tools on all cores.
void read_ahead(std::vector<Point> points, std::uint64_t seed, Device& device, CodeReader& code) {
  constexpr std::size_t kProgramsAtOnce = 64;
  std::vector<TimedKernel> kernels;
  std::set<const Kernel*> seen;
  const auto read = [&] {
    code.read(kernels);
    kernels.clear();
  };
  compile_timed_kernels(device, std::move(points), seed, [&](TimedKernel timed) {
    if (seen.insert(timed.kernel.get()).second) {
      emit({{"compiled", true}});
      kernels.push_back(std::move(timed));
    }
    if (kernels.size() >= kProgramsAtOnce) read();
    return !stop_requested();
  });
  if (!stop_requested()) read();
  emit({{"read", true}});
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
  CodeReader code(*device, wish);
  Measurer measurer(*device, stop_requested(), &telemetry, alu_latency_cycles(*device),
                    [&code](const TimedKernel& timed) { return code.codegen(timed); });
  while (std::getline(std::cin, line)) {
    JsonFields job(document.parse(line), "the job");
    if (const auto ahead = job.optional("read_ahead")) {
      std::vector<Point> points;
      for (const JsonValue point : *ahead) points.push_back(point_from_json(point));
      read_ahead(std::move(points), job.unsigned_integer<std::uint64_t>("seed"), *device, code);
      continue;
    }
    const Point point = point_from_json(job.required("point"));
    const Preset preset = job.word("preset", parse_preset);
    const auto seed = job.unsigned_integer<std::uint64_t>("seed");
    const Measured measured = measurer.measure(*find_experiment(point.experiment), point, protocol_for(preset), seed);
    if (measured.interrupted) {
      emit({{"interrupted", true}});
    } else {
      emit({{"result", to_json(measured.result)}, {"device_lost", measured.device_lost}, {"code_seconds", code.take_seconds()}});
    }
  }
  return 0;
}

}  // namespace

int worker_main(const std::vector<std::string>& arguments) {
  end_with_parent();
  stop_when_asked();
  // Drivers' destructors at exit crash or hang often enough; everything that matters has been written.
  if (arguments.size() == 2 && arguments[0] == "enumerate") std::_Exit(enumerate(*parse_api(arguments[1])));
  std::_Exit(measure());
}

}  // namespace percycle
