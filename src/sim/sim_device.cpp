#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

#include "device/rules.hpp"
#include "sim/dispatch_run.hpp"
#include "sim/emulation.hpp"
#include "sim/instructions.hpp"
#include "sim/residency.hpp"
#include "sim/sim.hpp"
#include "sim/sim_memory.hpp"

namespace percycle {
namespace {

using sim::AddressRange;
using sim::Fault;

/// Bytes in all buffers of a device; it outlives the last of them.
using Allocated = std::shared_ptr<std::uint64_t>;

class SimBuffer final : public Buffer {
 public:
  SimBuffer(std::uint64_t bytes, std::uint64_t at, Allocated all) : memory(bytes), address(at), allocated(std::move(all)) {
    *allocated += bytes;
  }
  SimBuffer(const SimBuffer&) = delete;
  SimBuffer& operator=(const SimBuffer&) = delete;
  ~SimBuffer() override { *allocated -= memory.size(); }

  std::uint64_t bytes() const override { return memory.size(); }

  mutable sim::SimMemory memory;  // writes a held chain when the host reads
  std::uint64_t address;
  Allocated allocated;
};

class SimImage final : public Image {
 public:
  SimImage(const ImageDesc& desc, std::shared_ptr<Buffer> memory) : Image(desc), buffer(std::move(memory)) {}
  std::shared_ptr<Buffer> buffer;
};

class SimKernel final : public Kernel {
 public:
  SimKernel(KernelDesc description, sim::Emulation does, std::uint64_t constants_at)
      : desc(std::move(description)),
        emulation(std::move(does)),
        constants_address(constants_at),
        constants(desc.constants, desc.constant_buffers) {}
  KernelDesc desc;
  sim::Emulation emulation;
  std::uint64_t constants_address;
  mutable sim::ConstantMemory constants;  // remembers the chains found there
};

const SimBuffer& buffer_of(const Buffer& buffer) { return dynamic_cast<const SimBuffer&>(buffer); }

std::uint64_t round_up(std::uint64_t value, std::uint64_t multiple) { return (value + multiple - 1) / multiple * multiple; }

constexpr std::uint64_t kFirstAddress = 0x100000000;
constexpr std::uint64_t kConstantsAlignment = 64 << 10;

/// Buffers of every size begin at a page.
std::uint64_t buffer_alignment(const sim::Model& model) {
  std::uint64_t alignment = 2 << 20;
  for (const auto& tlb : model.tlbs) alignment = std::max(alignment, tlb.page_bytes);
  return alignment;
}

class SimDevice final : public Device {
 public:
  SimDevice(sim::Model model, DeviceInfo info, const sim::Emulations& emulations)
      : model_(std::move(model)),
        info_(std::move(info)),
        emulations_(emulations),
        buffer_alignment_(buffer_alignment(model_)),
        next_address_(round_up(kFirstAddress, buffer_alignment_)) {}

  const DeviceInfo& info() const override { return info_; }

  std::shared_ptr<Buffer> create(const BufferDesc& desc) override {
    check_alive("create buffer");
    check_rules(desc);
    std::uint64_t most = model_.memory_bytes;
    if (const Fault* fault = find_fault(Fault::Effect::out_of_memory)) most = std::min(most, fault->at);
    if (desc.bytes > most || *allocated_ > most - desc.bytes) throw out_of_memory();
    try {
      return std::make_shared<SimBuffer>(desc.bytes, take_addresses(desc.bytes, buffer_alignment_), allocated_);
    } catch (const std::bad_alloc&) {
      throw out_of_memory();
    }
  }

  std::shared_ptr<Image> create(const ImageDesc& desc) override {
    check_alive("create image");
    check_rules(desc, info_);
    if (desc.width == 0) return std::make_shared<SimImage>(desc, desc.buffer);
    const auto copy = create(BufferDesc{.bytes = desc.buffer->bytes()});
    // A chain stays one. Between its links, a simulated memory has nothing.
    if (const ChainImage* chain = buffer_of(*desc.buffer).memory.chain()) {
      buffer_of(*copy).memory.hold(*chain, 0, chain->chain.nodes(), buffer_of(*desc.buffer).address);
      return std::make_shared<SimImage>(desc, copy);
    }
    const auto texels = buffer_of(*desc.buffer).memory.contents();
    std::memcpy(buffer_of(*copy).memory.bytes().data(), texels.data(), texels.size());
    return std::make_shared<SimImage>(desc, copy);
  }

  std::shared_ptr<Kernel> create(const KernelDesc& desc) override {
    check_alive("create kernel");
    check_rules(desc, info_);
    const auto emulation = emulations_.find(desc.name);
    if (emulation == emulations_.end()) {
      throw DeviceError(Api::sim, DeviceError::Kind::unsupported, "create kernel", "NO_EMULATION",
                        fmt::format("the simulated device has no model of kernel '{}'", desc.name));
    }
    ++kernels_;
    if (const Fault* fault = find_fault(Fault::Effect::build_failure); fault != nullptr && fault->at == kernels_) {
      throw DeviceError(Api::sim, DeviceError::Kind::build, "build", "BUILD_FAILURE",
                        "the model's fault: this kernel does not build");
    }
    return std::make_shared<SimKernel>(desc, emulation->second, take_addresses(desc.constants.size(), kConstantsAlignment));
  }

  std::optional<std::uint64_t> address(const Buffer& buffer) const override { return buffer_of(buffer).address; }

  std::optional<CodeInfo> code(const Kernel& kernel) const override {
    CodeInfo info{model_.subgroup_size, {}};
    const KernelDesc& desc = dynamic_cast<const SimKernel&>(kernel).desc;
    if (const std::uint64_t registers = sim::registers_of(desc); registers > 0) info.statistics["Register Count"] = registers;
    if (const std::uint64_t bytes = sim::code_bytes(model_, desc); bytes > 0) info.statistics["Code Bytes"] = bytes;
    return info;
  }

  // The bandwidth of transfers is not modelled.
  Timing write(Buffer& buffer, std::uint64_t offset, std::span<const std::byte> bytes, HostMemory) override {
    check_alive("write");
    check_transfer(buffer, offset, bytes.size());
    std::memcpy(buffer_of(buffer).memory.bytes().data() + offset, bytes.data(), bytes.size());
    return timing(model_.timer.launch_ns);
  }

  Timing read(const Buffer& buffer, std::uint64_t offset, std::span<std::byte> bytes, HostMemory) override {
    check_alive("read");
    check_transfer(buffer, offset, bytes.size());
    std::memcpy(bytes.data(), buffer_of(buffer).memory.contents().data() + offset, bytes.size());
    return timing(model_.timer.launch_ns);
  }

  Timing run(const Dispatch& dispatch) override {
    check_alive("run");
    const auto& kernel = dynamic_cast<const SimKernel&>(*dispatch.kernel);
    check_rules(dispatch, binding_kinds(kernel.desc.bindings), info_);
    // Throws if they do not fit.
    parameter_block(kernel.desc.name, kernel.desc.parameters, dispatch.parameters);
    ++state_.dispatches;
    if (const Fault* fault = find_fault(Fault::Effect::lost); fault != nullptr && state_.dispatches >= fault->at) {
      lost_ = true;
      check_alive("run");
    }
    const double ns = execute(dispatch, kernel);
    if (const Fault* fault = find_fault(Fault::Effect::wrong_result); fault != nullptr && state_.dispatches >= fault->at) {
      if (!dispatch.bindings.empty()) memory_of(dispatch.bindings.back()).memory.bytes().back() ^= std::byte{1};
    }
    Timing result = timing(ns);
    if (const Fault* fault = find_fault(Fault::Effect::timer_backwards);
        fault != nullptr && state_.dispatches % fault->at == 0 && result.device_ns) {
      result.device_ns = -*result.device_ns;
    }
    return result;
  }

  /// Dependent launches cost the same as single launches, but only one has the host's part.
  Timing launch(const Dispatch& dispatch, const Launches& launches) override {
    check_rules(launches);
    if (!launches.dependent || launches.indirect) return Device::launch(dispatch, launches);
    Timing sum = run(dispatch);
    for (std::uint32_t i = 1; i < launches.count; ++i) {
      const Timing each = run(dispatch);
      sum.host_ns += each.host_ns - model_.timer.host_overhead_ns;
      if (sum.device_ns && each.device_ns) *sum.device_ns += *each.device_ns;
    }
    if (!launches.timed) sum.device_ns.reset();
    return sum;
  }

  /// Work-groups of two queues run side by side if the units have room for both launches. Waits
  /// cost nothing.
  QueuedTiming launch_queued(const Dispatch& dispatch, const QueuedLaunches& launches) override {
    check_rules(launches);
    if (launches.queues != LaunchQueues::one && launches.queues != LaunchQueues::two)
      return Device::launch_queued(dispatch, launches);
    if (launches.waits || launches.queues == LaunchQueues::one || launches.count != 2)
      return {launch(dispatch, {.count = launches.count}), {}};
    const Timing first = run(dispatch);
    const Timing second = run(dispatch);
    if (!first.device_ns || !second.device_ns) return {first, {}};
    const bool fit = 2 * std::uint64_t{dispatch.groups} <= model_.units;
    Timing all = first;
    all.device_ns = fit ? std::max(*first.device_ns, *second.device_ns) : *first.device_ns + *second.device_ns;
    all.host_ns = *all.device_ns + model_.timer.host_overhead_ns;
    return {all, {*first.device_ns, *second.device_ns}};
  }

  double cycles_per_operation() const { return model_.cycles_per_operation; }

  void start_recording() {
    readings_.clear();
    recording_ = true;
    if (model_.heat) readings_.push_back({state_.elapsed_ns, reading(model_.heat->idle_w)});
  }

  std::vector<TelemetrySample> stop_recording() {
    recording_ = false;
    count_from_first(readings_);
    return std::exchange(readings_, {});
  }

 private:
  /// Runs the kernel's emulation. Returns its device time, not rounded.
  double execute(const Dispatch& dispatch, const SimKernel& kernel) {
    sim::Execution execution{.kernel = kernel.desc,
                             .bindings = {},
                             .constants = kernel.constants,
                             .parameters = dispatch.parameters,
                             .groups = dispatch.groups,
                             .addresses = {}};
    std::vector<AddressRange> ranges;
    for (const auto& binding : dispatch.bindings) {
      const SimBuffer& buffer = memory_of(binding);
      execution.bindings.push_back(&buffer.memory);
      execution.addresses.push_back(buffer.address);
      ranges.push_back({buffer.address, buffer.bytes()});
    }
    sim::DispatchRun run(state_, kernel.desc, ranges, {kernel.constants_address, kernel.desc.constants.size()},
                         declared_local_bytes(kernel.desc));
    kernel.emulation(execution, run);
    const double busy_ns = state_.clock.ns_for(run.cycles());
    state_.clock.advance(busy_ns);
    const double ns = model_.timer.launch_ns * run.launch_factor() + busy_ns;
    state_.elapsed_ns += ns;
    if (recording_) readings_.push_back({state_.elapsed_ns, reading(model_.heat ? model_.heat->load_w : 0)});
    // The counter advances between two dispatches by an arbitrary amount.
    state_.counter_cycles += static_cast<std::uint64_t>(run.cycles()) + 1000;
    return ns;
  }

  /// The state after the work so far.
  TelemetryReading reading(double power_w) const {
    TelemetryReading now{.clock_mhz = state_.clock.mhz()};
    if (!model_.heat) return now;
    const double busy_ms = state_.clock.busy_ns() / 1e6;
    now.power_w = power_w;
    now.temperature_c =
        model_.heat->load_c - (model_.heat->load_c - model_.heat->idle_c) * std::exp(-busy_ms / model_.heat->constant_ms);
    now.energy_j = model_.heat->load_w * busy_ms / 1e3;
    return now;
  }

  /// Local memory that the kernel declares in addition to the memory that it uses.
  static std::uint64_t declared_local_bytes(const KernelDesc& kernel) {
    const auto words = kernel.definitions.find("DECLARED_WORDS");
    return words == kernel.definitions.end() ? 0 : 4 * std::stoull(words->second);
  }

  static const SimBuffer& memory_of(const Binding& binding) {
    return buffer_of(binding.image ? *dynamic_cast<const SimImage&>(*binding.image).buffer : *binding.buffer);
  }

  Timing timing(double ns) const {
    Timing result{ns + model_.timer.host_overhead_ns, std::nullopt};
    if (model_.timer.device) result.device_ns = std::round(ns / model_.timer.resolution_ns) * model_.timer.resolution_ns;
    return result;
  }

  std::uint64_t take_addresses(std::uint64_t bytes, std::uint64_t alignment) {
    const std::uint64_t begin = round_up(next_address_, alignment);
    next_address_ = begin + bytes;
    return begin;
  }

  const Fault* find_fault(Fault::Effect kind) const {
    const auto found =
        std::find_if(model_.faults.begin(), model_.faults.end(), [&](const Fault& fault) { return fault.kind == kind; });
    return found == model_.faults.end() ? nullptr : &*found;
  }

  void check_alive(const char* call) const {
    if (lost_) throw DeviceError(Api::sim, DeviceError::Kind::lost, call, "DEVICE_LOST");
  }

  static DeviceError out_of_memory() { return {Api::sim, DeviceError::Kind::out_of_memory, "create buffer", "OUT_OF_MEMORY"}; }

  sim::Model model_;
  DeviceInfo info_;
  const sim::Emulations& emulations_;
  sim::DeviceState state_{model_};
  std::uint64_t buffer_alignment_;
  std::uint64_t next_address_;
  Allocated allocated_ = std::make_shared<std::uint64_t>(0);
  std::uint64_t kernels_ = 0;
  bool lost_ = false;
  bool recording_ = false;
  std::vector<TelemetrySample> readings_;
};

class SimTelemetry final : public TelemetryRecorder {
 public:
  explicit SimTelemetry(SimDevice& device) : device_(device) {}
  void start(bool /*counts_energy*/) override { device_.start_recording(); }
  std::vector<TelemetrySample> stop() override { return device_.stop_recording(); }

 private:
  SimDevice& device_;
};

}  // namespace

std::unique_ptr<Device> open_sim(sim::Model model, const std::string& selector_name, const sim::Emulations& emulations) {
  DeviceInfo info = sim::describe(model, selector_name);
  return std::make_unique<SimDevice>(std::move(model), std::move(info), emulations);
}

std::unique_ptr<Device> open_sim(const std::string& selector_name) {
  return open_sim(sim::load_model(selector_name), selector_name);
}

Telemetry sim_telemetry(Device& device) {
  return {std::make_unique<SimTelemetry>(dynamic_cast<SimDevice&>(device)), "the model's clock"};
}

double sim_alu_latency_cycles(Device& device) { return dynamic_cast<SimDevice&>(device).cycles_per_operation(); }

}  // namespace percycle
