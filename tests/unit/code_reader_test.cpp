#include <doctest/doctest.h>

#include <stdexcept>

#include "codegen/programs/recording_device.hpp"
#include "session/code_reader.hpp"

namespace percycle {
namespace {

/// Shows the same assembly of every kernel and counts how often it is asked.
class ShowingDevice final : public Device {
 public:
  explicit ShowingDevice(Api api) {
    info_.api = api;
    info_.vendor = "AMD";
  }
  const DeviceInfo& info() const override { return info_; }
  std::shared_ptr<Buffer> create(const BufferDesc&) override { return nullptr; }
  std::shared_ptr<Image> create(const ImageDesc&) override { return nullptr; }
  std::shared_ptr<Kernel> create(const KernelDesc& desc) override { return std::make_shared<RecordedKernel>(desc); }
  std::optional<std::uint64_t> address(const Buffer&) const override { return std::nullopt; }
  std::optional<CodeInfo> code(const Kernel&) const override { return CodeInfo{64, {{"VGPRs", 8}}}; }
  std::vector<CodeText> code_texts(const Kernel&) const override {
    ++asked;
    if (broken)
      throw DeviceError(Api::vulkan, DeviceError::Kind::other, "vkGetPipelineExecutableStatisticsKHR", "VK_ERROR_UNKNOWN");
    return {{"Assembly", text}};
  }
  Timing write(Buffer&, std::uint64_t, std::span<const std::byte>, HostMemory) override { throw std::logic_error("write"); }
  Timing read(const Buffer&, std::uint64_t, std::span<std::byte>, HostMemory) override { throw std::logic_error("read"); }
  Timing run(const Dispatch&) override { throw std::logic_error("run"); }

  std::string text = "BB0:\n\tglobal_load_dword v0, v[0:1], off\n\ts_cbranch_scc1 BB0\n\ts_endpgm\n";
  bool broken = false;
  mutable int asked = 0;

 private:
  DeviceInfo info_;
};

Measured measured_with(const std::shared_ptr<Kernel>& kernel, std::uint64_t loads) {
  Measured measured;
  measured.result.measurement.emplace();
  measured.timed = TimedKernel{kernel, std::vector<TurnAccess>{{MemoryPath::global, AccessKind::read, 4, loads}}, true};
  return measured;
}

}  // namespace

TEST_CASE("code reader: what a kernel's loop holds goes into each of its points, and is read once") {
  ShowingDevice device(Api::vulkan);
  CodeReader reader(device, CodeWish{});
  const auto kernel = device.create(KernelDesc{});
  for (int i = 0; i < 3; ++i) {
    Measured measured = measured_with(kernel, 1);
    reader.add_to(measured);
    REQUIRE(measured.result.measurement->codegen);
    const Codegen& codegen = *measured.result.measurement->codegen;
    CHECK(codegen.registers == 8);
    REQUIRE(codegen.counts);
    CHECK(codegen.counts->accesses == std::vector<CodeAccess>{{"load", "vector", 4, false, 1}});
    CHECK(measured.result.measurement->warnings.empty());
  }
  CHECK(device.asked == 1);
  Measured other = measured_with(device.create(KernelDesc{}), 2);
  reader.add_to(other);
  CHECK(device.asked == 2);
  CHECK(other.result.measurement->warnings ==
        std::vector<std::string>{"machine code (Assembly): 4 B of global loads instead of 2 x 4 B"});
}

TEST_CASE(
    "code reader: without the wish only the driver's numbers are taken; of a simulated device and a point without a kernel "
    "nothing") {
  ShowingDevice device(Api::vulkan);
  CodeReader reader(device, std::nullopt);
  Measured measured = measured_with(device.create(KernelDesc{}), 2);
  reader.add_to(measured);
  CHECK(measured.result.measurement->codegen ==
        Codegen{.form = {}, .registers = 8, .spills = {}, .scratch_bytes = {}, .counts = {}, .missing = {}});
  CHECK(measured.result.measurement->warnings.empty());
  CHECK(device.asked == 0);

  Measured copy = measured_with(nullptr, 1);
  copy.timed.reset();
  reader.add_to(copy);
  CHECK_FALSE(copy.result.measurement->codegen);

  ShowingDevice simulated(Api::sim);
  CodeReader none(simulated, CodeWish{});
  measured = measured_with(simulated.create(KernelDesc{}), 1);
  none.add_to(measured);
  CHECK_FALSE(measured.result.measurement->codegen);
}

TEST_CASE("code reader: a driver that fails is no loss of the point, and the record says so") {
  ShowingDevice device(Api::vulkan);
  device.broken = true;
  CodeReader reader(device, CodeWish{});
  Measured measured = measured_with(device.create(KernelDesc{}), 1);
  reader.add_to(measured);
  REQUIRE(measured.result.measurement->codegen);
  CHECK(measured.result.measurement->codegen->registers == 8);
  CHECK(measured.result.measurement->codegen->missing.starts_with("the driver's texts: "));
  CHECK(measured.result.measurement->warnings.empty());
}

}  // namespace percycle
