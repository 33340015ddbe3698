#include <doctest/doctest.h>

#include <filesystem>
#include <iterator>
#include <stdexcept>
#include <vector>

#include "check_words.hpp"
#include "codegen/programs/recording_device.hpp"
#include "platform/tool.hpp"
#include "session/code_reader.hpp"

namespace percycle::code_reader_test {
namespace {

/// Shows the same assembly for every kernel and counts the requests.
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
  std::vector<CodeText> code_texts(const Kernel& kernel) const override {
    ++reads;
    if (broken)
      throw DeviceError(Api::vulkan, DeviceError::Kind::other, "vkGetPipelineExecutableStatisticsKHR", "VK_ERROR_UNKNOWN");
    const bool plain = !dynamic_cast<const RecordedKernel&>(kernel).desc.optimize && !plain_text.empty();
    return {{"Assembly", plain ? plain_text : text}};
  }
  Timing write(Buffer&, std::uint64_t, std::span<const std::byte>, HostMemory) override { throw std::logic_error("write"); }
  Timing read(const Buffer&, std::uint64_t, std::span<std::byte>, HostMemory) override { throw std::logic_error("read"); }
  Timing run(const Dispatch&) override { throw std::logic_error("run"); }

  std::string text = "BB0:\n\tglobal_load_dword v0, v[0:1], off\n\ts_cbranch_scc1 BB0\n\ts_endpgm\n";
  std::string plain_text;  ///< of kernels that are not optimised, if it is another
  bool broken = false;
  mutable int reads = 0;

 private:
  DeviceInfo info_;
};

TimedKernel timed_with(const std::shared_ptr<Kernel>& kernel, std::uint64_t loads) {
  return {kernel, std::vector<TurnAccess>{{MemoryPath::global, AccessKind::read, 4, loads}}, true};
}

}  // namespace

TEST_CASE("code reader: a kernel's loop is read once and reported at each of its points") {
  ShowingDevice device(Api::vulkan);
  CodeReader reader(device, CodeWish{});
  const auto kernel = device.create(KernelDesc{});
  for (int i = 0; i < 3; ++i) {
    const KernelCodegen found = reader.codegen(timed_with(kernel, 1));
    CHECK(found.codegen.registers == 8);
    REQUIRE(found.codegen.counts);
    CHECK(found.codegen.counts->accesses == std::vector<CodeAccess>{{"load", "vector", 4, false, 1}});
    CHECK(found.warnings.empty());
    CHECK((reader.take_seconds() > 0) == (i == 0));
  }
  CHECK(device.reads == 1);
  CHECK_WORDS("code-reader.less-loads", reader.codegen(timed_with(device.create(KernelDesc{}), 2)).warnings);
  CHECK(device.reads == 2);
}

TEST_CASE("code reader: code compiled without optimisation is compared with the usual code") {
  ShowingDevice device(Api::vulkan);
  CodeReader reader(device, CodeWish{});
  KernelDesc plain;
  plain.optimize = false;
  TimedKernel timed = timed_with(device.create(plain), 1);
  timed.optimized = device.create(KernelDesc{});
  CHECK(reader.codegen(timed).codegen.same_as_optimized == true);
  device.plain_text = "BB0:\n\tv_mov_b32 v2, v0\n" + device.text.substr(device.text.find('\t'));
  timed.kernel = device.create(plain);
  CHECK(reader.codegen(timed).codegen.same_as_optimized == false);
  CHECK_FALSE(reader.codegen(timed_with(device.create(KernelDesc{}), 1)).codegen.same_as_optimized);
}

TEST_CASE("code reader: by default only the driver's numbers are read; a simulated device has none") {
  ShowingDevice device(Api::vulkan);
  CodeReader reader(device, std::nullopt);
  const KernelCodegen found = reader.codegen(timed_with(device.create(KernelDesc{}), 2));
  Codegen expected;
  expected.registers = 8;
  CHECK(found.codegen == expected);
  CHECK(found.warnings.empty());
  CHECK(device.reads == 0);

  ShowingDevice simulated(Api::sim);
  CodeReader none(simulated, CodeWish{});
  CHECK(none.codegen(timed_with(simulated.create(KernelDesc{}), 1)).codegen == Codegen{});
  CHECK(simulated.reads == 0);
}

TEST_CASE("code reader: kernels that are read ahead are not read again") {
  ShowingDevice device(Api::vulkan);
  CodeReader reader(device, CodeWish{});
  std::vector<TimedKernel> kernels;
  for (const std::uint64_t loads : {1, 2, 1}) kernels.push_back(timed_with(device.create(KernelDesc{}), loads));
  kernels.push_back(kernels.front());
  reader.read(kernels);
  reader.finish();
  CHECK(device.reads == 3);
  CHECK(reader.codegen(kernels[0]).warnings.empty());
  CHECK(reader.codegen(kernels[1]).warnings.size() == 1);
  CHECK(reader.codegen(kernels[2]).codegen.counts.value().accesses.size() == 1);
  CHECK(device.reads == 3);
  CHECK(reader.take_seconds() == 0);
  device.broken = true;
  const auto broken = timed_with(device.create(KernelDesc{}), 1);
  reader.read({&broken, 1});
  CHECK(reader.codegen(broken).codegen.missing.starts_with("the driver's texts: "));
}

TEST_CASE("code reader: a driver that fails is no loss of the point, and the record says so") {
  ShowingDevice device(Api::vulkan);
  device.broken = true;
  CodeReader reader(device, CodeWish{});
  const KernelCodegen found = reader.codegen(timed_with(device.create(KernelDesc{}), 1));
  CHECK(found.codegen.registers == 8);
  CHECK(found.codegen.missing.starts_with("the driver's texts: "));
  CHECK(found.warnings.empty());
}

TEST_CASE("code reader: a reading of an earlier run takes the place of a new one") {
  const TemporaryFolder folder;
  ShowingDevice device(Api::vulkan);
  const CodeWish wish{.capability = {}, .kept = folder.path()};
  const TimedKernel timed = timed_with(device.create(KernelDesc{}), 1);
  CodeReader(device, wish).codegen(timed);
  const auto kept = std::filesystem::directory_iterator(folder.path());
  CHECK(std::distance(begin(kept), end(kept)) == 1);
  const KnownCode known(folder.path());
  KernelCodegen planted;
  planted.codegen.form = "Assembly";
  planted.codegen.registers = 99;
  known.keep(known.key({.timed = {"", timed.turn, timed.has_loop, timed.arithmetic},
                        .info = device.code(*timed.kernel),
                        .code = driver_code(device, *timed.kernel),
                        .optimized = {},
                        .capability = {}}),
             planted);
  CHECK(CodeReader(device, wish).codegen(timed).codegen.registers == 99);
}

}  // namespace percycle::code_reader_test
