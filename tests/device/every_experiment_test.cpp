// Every registered experiment: both APIs get the same inputs, and their results are verified.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "codegen/programs/kernel_variants.hpp"
#include "core/hash.hpp"
#include "core/units.hpp"
#include "described_device.hpp"
#include "every_device.hpp"
#include "experiments/experiment.hpp"
#include "measure/measurer.hpp"
#include "two_samples.hpp"

namespace percycle::every_experiment_test {
namespace {

// Per experiment: each compiles its kernels on every device.
constexpr std::size_t kMostPoints = 4;
constexpr std::uint64_t kSeed = 20261123;
constexpr std::uint64_t kMostLoopIterations = 65000;  // lavapipe's limit, the smallest

/// A device with zeroed buffers and hidden addresses, and with fixed units, caches and loop limits
/// and no subgroups: kernels get the same input on every device.
class PlainDevice final : public DescribedDevice {
 public:
  explicit PlainDevice(Device& device) : DescribedDevice(device, plain(device.info())) {}

  using DescribedDevice::create;
  std::shared_ptr<Buffer> create(const BufferDesc& desc) override {
    auto buffer = device_.create(desc);
    const std::vector<std::byte> zeros(buffer->bytes());
    device_.write(*buffer, 0, zeros, HostMemory::pageable);
    return buffer;
  }
  std::optional<std::uint64_t> address(const Buffer&) const override { return std::nullopt; }

 private:
  static DeviceInfo plain(DeviceInfo info) {
    info.buffer_addresses = false;
    info.units = Sourced<std::uint32_t>{2, Provenance::reported};
    info.cache_bytes = kMiB;
    info.subgroup_sizes.clear();
    info.subgroup_size_control = false;
    info.max_loop_iterations = kMostLoopIterations;
    return info;
  }
};

/// Some of the points that an experiment plans for a device with little memory, spread over all of
/// them.
std::vector<Point> some_points(const Experiment& experiment, DeviceInfo device) {
  device.memory_bytes = std::min(device.memory_bytes.value_or(256 * kMiB), 256 * kMiB);
  device.max_allocation_bytes = std::min(device.max_allocation_bytes.value_or(64 * kMiB), 64 * kMiB);
  std::vector<Point> points;
  for (Point& point : planned_points(experiment, device)) {
    if (point.experiment == experiment.name() && !experiment.unsupported(device, point)) points.push_back(std::move(point));
  }
  if (points.size() <= kMostPoints) return points;
  std::vector<Point> some;
  for (std::size_t i = 0; i < kMostPoints; ++i) some.push_back(points[i * (points.size() - 1) / (kMostPoints - 1)]);
  return some;
}

/// The inputs of a point's timed dispatch after set-up.
struct Inputs {
  std::string parameters;
  std::uint32_t groups = 0;
  std::uint64_t ops_per_loop = 0;
  std::vector<std::string> memory;  ///< size and hash of each buffer
};

Inputs inputs_of(Device& device, const Experiment& experiment, const Point& point) {
  const Trial trial = experiment.prepare(device, point, kSeed);
  for (const auto& dispatch : trial.setup) device.run(dispatch);
  for (const auto& dispatch : trial.before_sample) device.run(dispatch);
  const LoopedDispatch& timed = trial.timed;
  Inputs inputs{{}, timed.dispatch.groups, timed.ops_per_loop, {}};
  for (const auto& [name, value] : timed.dispatch.parameters) {
    inputs.parameters += ' ' + name;
    for (const std::uint32_t one : value.words) inputs.parameters += ' ' + std::to_string(one);
  }
  for (const Binding& binding : timed.dispatch.bindings) {
    if (!binding.buffer) continue;
    std::string bytes(binding.buffer->bytes(), '\0');
    device.read(*binding.buffer, 0, std::as_writable_bytes(std::span(bytes)), HostMemory::pageable);
    inputs.memory.push_back(std::to_string(bytes.size()) + ':' + hex64(fnv1a(bytes)));
  }
  return inputs;
}

TEST_CASE("parity: every registered experiment gives both APIs the same inputs and verifies their results") {
  // By experiment, from the first device that supports any.
  std::map<std::string, std::vector<Point>> planned;
  // By point, from the first device.
  std::map<std::string, Inputs> first;
  std::set<std::string> done;
  const Protocol protocol = two_samples();
  const std::atomic<bool> stop{false};
  on_every_device([&](Device& each) {
    PlainDevice plain(each);
    Measurer plain_measurer(plain, stop);
    Measurer measurer(each, stop);
    for (const Experiment* experiment : all_experiments()) {
      auto& points = planned[experiment->name()];
      for (const DeviceInfo* info : {&plain.info(), &each.info()}) {
        if (points.empty()) points = some_points(*experiment, *info);
      }
      for (const Point& point : points) {
        const std::string name = to_string(point);
        CAPTURE(name);
        // Some need subgroups or memory by address: they run on the unchanged device, and their
        // inputs depend on it.
        const bool is_plain = !experiment->unsupported(plain.info(), point);
        const auto measured = (is_plain ? plain_measurer : measurer).measure(*experiment, point, protocol, kSeed);
        if (const auto reason = is_plain ? std::nullopt : experiment->unsupported(each.info(), point)) {
          CHECK_FALSE(reason->empty());
          CHECK(measured.result.outcome == Outcome{Status::unsupported, *reason});
          continue;
        }
        const Outcome& outcome = measured.result.outcome;
        // Only a run shows that lanes of a CPU's work-group do not run concurrently.
        if (outcome.status == Status::unsupported && !outcome.reason.empty()) continue;
        CHECK_MESSAGE(outcome.status == Status::ok, outcome.reason);
        if (outcome.status != Status::ok) continue;
        const Measurement& measurement = measured.result.measurement.value();
        CHECK(measurement.verified_samples == measurement.samples.size());
        done.insert(experiment->name());
        if (!is_plain) continue;
        const Inputs inputs = inputs_of(plain, *experiment, point);
        const Inputs& others = first.try_emplace(name, inputs).first->second;
        CHECK(inputs.ops_per_loop == others.ops_per_loop);
        CHECK(inputs.groups == others.groups);
        CHECK(inputs.parameters == others.parameters);
        CHECK(std::equal(inputs.memory.begin(), inputs.memory.end(), others.memory.begin(), others.memory.end()));
      }
    }
  });
  // Points that no device here supports have a reason.
  CHECK((planned.empty() || 2 * done.size() > all_experiments().size()));
}

}  // namespace
}  // namespace percycle::every_experiment_test
