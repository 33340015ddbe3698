#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "device/peer_link.hpp"
#include "device/rules.hpp"
#include "test_emulations.hpp"

namespace percycle::fake {

/// An invented graphics card with all the properties that a latency run needs, in round numbers.
inline DeviceInfo gpu(Api api = Api::opencl) {
  DeviceInfo info;
  info.api = api;
  info.name = "Fake GPU";
  info.vendor = "Fake";
  info.type = DeviceType::gpu;
  info.platform = "Fake platform";
  info.api_version = "3.0";
  info.driver = "1.2.3";
  info.uuid = "00112233445566778899aabbccddeeff";
  info.units = Sourced<std::uint32_t>{4, Provenance::reported};
  info.memory_bytes = std::uint64_t{16} << 30;
  info.max_allocation_bytes = std::uint64_t{4} << 30;
  info.local_memory_bytes = 48 << 10;
  info.constant_bytes = 64 << 10;
  info.max_texel_elements = 1 << 27;
  info.max_image_side = 16384;
  info.max_storage_bytes = std::uint64_t{2} << 30;
  info.max_group_size = 1024;
  info.max_groups = 65535;
  info.max_parameter_bytes = 256;
  info.subgroup_sizes = {32};
  info.address_bits = 64;
  info.buffer_addresses = true;
  info.int64 = true;
  info.global_atomics = {.int64 = true, .float_add = true};
  info.local_atomics = {.int64 = true, .float_add = true};
  info.timer_period_ns = 1;
  info.timer_valid_bits = 64;
  return info;
}

/// The behaviour of a FakeDevice. Counts start at 1: run 1 is the first dispatch.
struct Script {
  DeviceInfo info = gpu();
  double launch_ns = 4096;         ///< per dispatch
  double access_ns = 64;           ///< per access of lane 0: lanes run in lockstep
  double operation_ns = 0;         ///< per dependent arithmetic operation
  double host_overhead_ns = 8192;  ///< added to the device's time on the host
  bool device_timer = true;
  /// The device-wide clock in nanoseconds, less the host's; empty: nothing relates them.
  std::optional<std::uint64_t> clock_ahead_ns;

  std::optional<std::size_t> build_failure;   ///< at this kernel
  std::optional<std::uint64_t> memory_bytes;  ///< all buffers together: more is out of memory
  std::optional<std::size_t> lost_at_run;     ///< and every call after it
  /// Flips a bit in the last byte of the last binding, in every dispatch from this one on.
  std::optional<std::size_t> wrong_from_run;
  std::optional<double> watchdog_ns;  ///< a longer dispatch loses the device

  /// May replace the timing of a run, for faulty timers.
  std::function<Timing(Timing, std::size_t run)> timing;
  /// Called after each dispatch with its duration, e.g. to write clocks that only a real kernel can
  /// read, or to simulate Ctrl-C.
  std::function<void(const Dispatch&, double device_ns, std::size_t run)> after_run;
};

class FakeBuffer final : public Buffer {
 public:
  // Undefined contents are never zero here.
  explicit FakeBuffer(std::uint64_t size) : contents(size, std::byte{0xa5}) {}
  std::uint64_t bytes() const override { return contents.size(); }

  std::vector<std::byte> contents;
};

class FakeImage final : public Image {
 public:
  FakeImage(const ImageDesc& desc, std::shared_ptr<Buffer> memory) : Image(desc), buffer(std::move(memory)) {}
  std::shared_ptr<Buffer> buffer;
};

class FakeKernel final : public Kernel {
 public:
  explicit FakeKernel(KernelDesc wanted) : desc(std::move(wanted)), constants(desc.constants, desc.constant_buffers) {
    if (const auto found = test_emulations().find(desc.name); found != test_emulations().end()) emulation = found->second;
  }
  KernelDesc desc;
  sim::Emulation emulation;  ///< none: the kernel cannot run
  sim::ConstantMemory constants;
};

inline std::vector<std::byte>& contents(const Binding& binding) {
  const auto& buffer = binding.image ? dynamic_cast<FakeImage&>(*binding.image).buffer : binding.buffer;
  return dynamic_cast<FakeBuffer&>(*buffer).contents;
}

/// Bound memory whose bytes are all written at once, so that emulations interpret it.
class FakeMemory final : public sim::BoundMemory {
 public:
  explicit FakeMemory(std::vector<std::byte>& contents) : contents_(contents) {}
  std::span<std::byte> bytes() override {
    note_change();
    return contents_;
  }
  std::span<const std::byte> contents() override { return contents_; }

 private:
  std::vector<std::byte>& contents_;
};

/// A link whose copies take 1000 ns by the host, 500 ns by the device.
class FakeLink final : public PeerLink {
 public:
  explicit FakeLink(std::uint64_t bytes) : source(bytes), target(bytes) {}
  void write(std::span<const std::byte> bytes) override { std::memcpy(source.data(), bytes.data(), source.size()); }
  Timing copy() override {
    target = source;
    return {1000, 500};
  }
  void read(std::span<std::byte> bytes) override { std::memcpy(bytes.data(), target.data(), target.size()); }

  std::vector<std::byte> source;
  std::vector<std::byte> target;
};

/// A Device that executes each kernel's emulation, with scripted time and faults. Refuses calls
/// that the Device interface forbids, and any access outside its binding.
class FakeDevice final : public Device {
 public:
  explicit FakeDevice(Script script) : script_(std::move(script)) {}

  const DeviceInfo& info() const override { return script_.info; }

  std::shared_ptr<Buffer> create(const BufferDesc& desc) override {
    check_alive("create buffer");
    check_rules(desc);
    allocated_ += desc.bytes;
    if (script_.memory_bytes && allocated_ > *script_.memory_bytes) {
      throw error(DeviceError::Kind::out_of_memory, "create buffer", "NO_MEMORY");
    }
    return std::make_shared<FakeBuffer>(desc.bytes);
  }

  std::shared_ptr<Image> create(const ImageDesc& desc) override {
    check_alive("create image");
    check_rules(desc, script_.info);
    if (desc.width == 0) return std::make_shared<FakeImage>(desc, desc.buffer);
    return std::make_shared<FakeImage>(desc, std::make_shared<FakeBuffer>(dynamic_cast<FakeBuffer&>(*desc.buffer)));
  }

  std::shared_ptr<Kernel> create(const KernelDesc& desc) override {
    check_alive("create kernel");
    ++kernels_built;
    if (script_.build_failure == kernels_built) throw error(DeviceError::Kind::build, "build", "NO_BUILD", "line 7: what?");
    check_rules(desc, script_.info);
    return std::make_shared<FakeKernel>(desc);
  }

  std::optional<std::uint64_t> address(const Buffer&) const override { return kAddress; }

  std::optional<CodeInfo> code(const Kernel& kernel) const override {
    const auto& desc = dynamic_cast<const FakeKernel&>(kernel).desc;
    if (!desc.subgroup_size && script_.info.subgroup_sizes.empty()) return std::nullopt;
    return CodeInfo{desc.subgroup_size ? desc.subgroup_size : script_.info.subgroup_sizes.front(), {}};
  }

  Timing write(Buffer& buffer, std::uint64_t offset, std::span<const std::byte> bytes, HostMemory) override {
    check_alive("write");
    std::memcpy(part(buffer, offset, bytes.size()), bytes.data(), bytes.size());
    return {1000, 500};
  }

  Timing read(const Buffer& buffer, std::uint64_t offset, std::span<std::byte> bytes, HostMemory) override {
    check_alive("read");
    std::memcpy(bytes.data(), part(const_cast<Buffer&>(buffer), offset, bytes.size()), bytes.size());
    return {1000, 500};
  }

  /// As long as two copies one after the other.
  Timing exchange(Buffer& to, std::span<const std::byte> in, const Buffer& from, std::span<std::byte> out) override {
    write(to, 0, in, HostMemory::pinned);
    read(from, 0, out, HostMemory::pinned);
    return {2000, 1000};
  }

  std::shared_ptr<PeerLink> link(const PeerDevice&, std::uint64_t bytes) override { return std::make_shared<FakeLink>(bytes); }

  Timing run(const Dispatch& dispatch) override {
    check_alive("run");
    if (script_.lost_at_run == ++runs) lose("run");
    const double device_ns = execute(dispatch);
    if (script_.watchdog_ns && device_ns > *script_.watchdog_ns) lose("run");
    longest_ns = std::max(longest_ns, device_ns);
    if (script_.wrong_from_run && runs >= *script_.wrong_from_run) contents(dispatch.bindings.back()).back() ^= std::byte{1};
    if (script_.after_run) script_.after_run(dispatch, device_ns, runs);
    Timing timing{device_ns + script_.host_overhead_ns, std::nullopt, host_ns};
    host_ns += static_cast<std::int64_t>(timing.host_ns);
    if (script_.device_timer) timing.device_ns = device_ns;
    return script_.timing ? script_.timing(timing, runs) : timing;
  }

  Timing launch(const Dispatch& dispatch, const Launches& launches) override {
    check_rules(launches);
    Timing sum = run(dispatch);
    for (std::uint32_t i = 1; i < launches.count; ++i) {
      const Timing each = run(dispatch);
      sum.host_ns += each.host_ns - script_.host_overhead_ns;
      if (sum.device_ns) *sum.device_ns += *each.device_ns;
    }
    return sum;
  }

  std::optional<ClockMoment> moment() override {
    if (!script_.clock_ahead_ns) return std::nullopt;
    return ClockMoment{
        .device_ticks = static_cast<std::uint64_t>(host_ns) + *script_.clock_ahead_ns, .host_ns = host_ns, .error_ns = 20};
  }

  std::int64_t host_ns = 1'000'000;  ///< now, by the host's clock; runs take time
  std::size_t runs = 0;
  std::size_t kernels_built = 0;
  double longest_ns = 0;

 private:
  static constexpr std::uint64_t kAddress = 0x7f0000001000;

  /// Counts subgroup 0's accesses and refuses those outside their binding.
  class Counter final : public sim::MemoryModel {
   public:
    Counter(const sim::Execution& execution) : execution_(execution) {}
    void access(const sim::Actor& actor, MemoryPath path, std::uint32_t binding, std::uint64_t offset, std::uint32_t bytes,
                AccessKind) override {
      const std::uint64_t size =
          path == MemoryPath::constant ? execution_.constants.contents().size() : execution_.bindings.at(binding)->bytes().size();
      if (offset > size || size - offset < bytes) throw std::logic_error("fake: an access outside its binding");
      if (actor.unit == 0 && actor.subgroup == 0) ++count;
    }
    void compute(const sim::Actor&, std::uint64_t more) override { operations += more; }
    std::uint64_t count = 0;
    std::uint64_t operations = 0;

   private:
    const sim::Execution& execution_;
  };

  double execute(const Dispatch& dispatch) {
    auto& kernel = dynamic_cast<FakeKernel&>(*dispatch.kernel);
    const auto& desc = kernel.desc;
    check_rules(dispatch, binding_kinds(desc.bindings), script_.info);
    // Throws if they do not fit.
    parameter_block(desc.name, desc.parameters, dispatch.parameters);
    if (!kernel.emulation) throw std::logic_error("fake: nothing says what kernel " + desc.name + " does");
    sim::Execution execution{.kernel = desc,
                             .bindings = {},
                             .constants = kernel.constants,
                             .parameters = dispatch.parameters,
                             .groups = dispatch.groups,
                             .addresses = std::vector<std::uint64_t>(desc.bindings.size(), kAddress)};
    std::vector<FakeMemory> memories;
    memories.reserve(desc.bindings.size());
    for (std::size_t i = 0; i < desc.bindings.size(); ++i) {
      const Binding& binding = dispatch.bindings[i];
      execution.bindings.push_back(&memories.emplace_back(contents(binding)));
    }
    Counter counter(execution);
    kernel.emulation(execution, counter);
    return script_.launch_ns + static_cast<double>(counter.count) * script_.access_ns +
           static_cast<double>(counter.operations) * script_.operation_ns;
  }

  static std::byte* part(Buffer& buffer, std::uint64_t offset, std::uint64_t bytes) {
    auto& all = dynamic_cast<FakeBuffer&>(buffer).contents;
    check_transfer(buffer, offset, bytes);
    return all.data() + offset;
  }

  DeviceError error(DeviceError::Kind kind, const char* call, const char* code, const char* log = "") const {
    return {script_.info.api, kind, call, code, log};
  }

  void check_alive(const char* call) const {
    if (lost_) throw error(DeviceError::Kind::lost, call, "LOST");
  }

  [[noreturn]] void lose(const char* call) {
    lost_ = true;
    throw error(DeviceError::Kind::lost, call, "LOST");
  }

  Script script_;
  std::uint64_t allocated_ = 0;
  bool lost_ = false;
};

}  // namespace percycle::fake
