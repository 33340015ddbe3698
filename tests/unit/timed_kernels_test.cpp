#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "codegen/programs/imagined_gpu.hpp"
#include "codegen/programs/recording_device.hpp"
#include "codegen/programs/timed_kernels.hpp"
#include "measure/caching_device.hpp"

namespace percycle::timed_kernels_test {
namespace {

std::vector<Point> planned(const Experiment& experiment, const DeviceInfo& device) {
  const Experiment* one = &experiment;
  const Options options = make_options({&one, 1}, {}, Preset::standard, 1).front();
  std::vector<Point> points = experiment.plan(device, options, {});
  std::erase_if(points,
                [&](const Point& point) { return find_experiment(point.experiment)->unsupported(device, point).has_value(); });
  return points;
}

std::vector<TimedKernel> compiled(Device& device, const std::vector<Point>& points) {
  return compile(device, timed_kernels(device.info(), points, 1), [] {});
}

TEST_CASE("timed kernels: every experiment times exactly the kernels that are compiled ahead") {
  for (const Api api : {Api::opencl, Api::vulkan}) {
    const DeviceInfo info = imagined_gpu(api, "nvidia");
    for (const Experiment* experiment : all_experiments()) {
      CAPTURE(experiment->name());
      const std::vector<Point> points = planned(*experiment, info);
      auto recording = std::make_unique<RecordingDevice>(info);
      const RecordingDevice& compiler = *recording;
      CachingDevice device(std::move(recording));
      const auto ahead = compiled(device, points);
      std::set<std::string> keys;
      for (const auto& kernel : compiler.kernels()) keys.insert(kernel_key(kernel->desc));
      std::set<const Kernel*> kernels;
      for (const TimedKernel& timed : ahead) kernels.insert(timed.kernel.get());
      std::set<std::string> kinds;
      for (const Point& point : points) {
        if (!kinds.insert(to_string(point).substr(0, to_string(point).find("footprint="))).second) continue;
        const Trial trial = find_experiment(point.experiment)->prepare(device, point, 1);
        if (trial.timed.transfer) continue;
        CAPTURE(to_string(point));
        const auto found = std::ranges::find(ahead, trial.timed.dispatch.kernel, &TimedKernel::kernel);
        REQUIRE(found != ahead.end());
        CHECK(found->turn == trial.timed.turn);
        if (trial.control) {
          const auto& control = dynamic_cast<const RecordedKernel&>(*trial.control->dispatch.kernel);
          CHECK(keys.contains(kernel_key(control.desc)));
        }
        CHECK(found->has_loop == !trial.timed.groups_per_loop);
      }
    }
  }
}

TEST_CASE("timed kernels: copies have none") {
  const DeviceInfo info = imagined_gpu(Api::opencl, "nvidia");
  RecordingDevice device(info);
  std::vector<Point> points = planned(*find_experiment("transfer-bandwidth"), info);
  std::erase_if(points, [](const Point& point) { return word(point.parameters, "memory") == "mapped"; });
  CHECK(compiled(device, points).empty());
  CHECK(device.kernels().empty());
}

/// Compiles all kernels but one.
class Refusing final : public Device {
 public:
  Refusing(const DeviceInfo& info, std::string refused) : recording_(info), refused_(std::move(refused)) {}
  const DeviceInfo& info() const override { return recording_.info(); }
  std::shared_ptr<Buffer> create(const BufferDesc& desc) override { return recording_.create(desc); }
  std::shared_ptr<Image> create(const ImageDesc& desc) override { return recording_.create(desc); }
  std::shared_ptr<Kernel> create(const KernelDesc& desc) override {
    if (kernel_key(desc) == refused_) throw DeviceError(Api::opencl, DeviceError::Kind::build, "build", "NO_BUILD");
    return recording_.create(desc);
  }
  std::optional<std::uint64_t> address(const Buffer&) const override { return std::nullopt; }
  std::optional<CodeInfo> code(const Kernel&) const override { return std::nullopt; }
  Timing write(Buffer&, std::uint64_t, std::span<const std::byte>, HostMemory) override { return {1, 1}; }
  Timing read(const Buffer&, std::uint64_t, std::span<std::byte>, HostMemory) override { return {1, 1}; }
  Timing run(const Dispatch&) override { return {1, 1}; }

 private:
  RecordingDevice recording_;
  std::string refused_;
};

TEST_CASE("timed kernels: one that does not compile is left out, the others keep their order") {
  const DeviceInfo info = imagined_gpu(Api::opencl, "nvidia");
  const auto points = planned(*find_experiment("l1-bandwidth"), info);
  const auto wanted = timed_kernels(info, points, 1);
  REQUIRE(wanted.size() > 4);
  Refusing refusing(info, kernel_key(wanted[1].desc));
  std::size_t tried = 0;
  const auto kernels = compile(refusing, wanted, [&] { ++tried; });
  CHECK(tried == wanted.size());
  REQUIRE(kernels.size() == wanted.size() - 1);
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const auto& kernel = dynamic_cast<const RecordedKernel&>(*kernels[i].kernel);
    CHECK(kernel_key(kernel.desc) == kernel_key(wanted[i == 0 ? 0 : i + 1].desc));
  }
}

}  // namespace
}  // namespace percycle::timed_kernels_test
