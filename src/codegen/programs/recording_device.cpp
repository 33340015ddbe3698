#include "codegen/programs/recording_device.hpp"

#include <algorithm>

#include "device/peer_link.hpp"

namespace percycle {
namespace {

constexpr Timing kNoTime{1, 1};  // 0 would cause divisions by zero

class NoBuffer final : public Buffer {
 public:
  explicit NoBuffer(std::uint64_t bytes) : bytes_(bytes) {}
  std::uint64_t bytes() const override { return bytes_; }

 private:
  std::uint64_t bytes_;
};

class NoImage final : public Image {
 public:
  using Image::Image;
};

class NoLink final : public PeerLink {
 public:
  void write(std::span<const std::byte>) override {}
  Timing copy() override { return kNoTime; }
  void read(std::span<std::byte> bytes) override { std::ranges::fill(bytes, std::byte{0}); }
};

}  // namespace

std::shared_ptr<Buffer> RecordingDevice::create(const BufferDesc& desc) { return std::make_shared<NoBuffer>(desc.bytes); }

std::shared_ptr<Image> RecordingDevice::create(const ImageDesc& desc) { return std::make_shared<NoImage>(desc); }

std::shared_ptr<Kernel> RecordingDevice::create(const KernelDesc& desc) {
  auto kernel = std::make_shared<RecordedKernel>(desc);
  const std::scoped_lock lock(adding_);
  kernels_.push_back(kernel);
  return kernel;
}

std::optional<std::uint64_t> RecordingDevice::address(const Buffer&) const { return std::nullopt; }

std::optional<CodeInfo> RecordingDevice::code(const Kernel&) const { return std::nullopt; }

Timing RecordingDevice::write(Buffer&, std::uint64_t, std::span<const std::byte>, HostMemory) { return kNoTime; }

Timing RecordingDevice::read(const Buffer&, std::uint64_t, std::span<std::byte> bytes, HostMemory) {
  std::ranges::fill(bytes, std::byte{0});
  return kNoTime;
}

std::shared_ptr<PeerLink> RecordingDevice::link(const PeerDevice&, std::uint64_t) { return std::make_shared<NoLink>(); }

Timing RecordingDevice::run(const Dispatch& dispatch) {
  const KernelDesc& desc = dynamic_cast<const RecordedKernel&>(*dispatch.kernel).desc;
  parameter_block(desc.name, desc.parameters, dispatch.parameters);
  return kNoTime;
}

}  // namespace percycle
