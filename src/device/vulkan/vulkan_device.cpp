#include "device/vulkan/vulkan_device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstring>

#include "core/units.hpp"
#include "device/rules.hpp"
#include "device/stale_memory.hpp"
#include "device/vulkan/describe.hpp"
#include "device/vulkan/foreign_kernel.hpp"
#include "device/vulkan/kernel.hpp"
#include "device/vulkan/queue_turns.hpp"
#include "device/vulkan/result.hpp"
#include "device/vulkan/vulkan.hpp"

namespace percycle::vulkan {

namespace {

using Clock = std::chrono::steady_clock;

// Small compared with host memory, large compared with the cost of a submission (tens of
// microseconds against more than 1 ms of copying over PCIe).
constexpr std::uint64_t kStagingBytes = 64 * kMiB;

// Released buffers of at least this size are kept for the next one of equal size, because an H200's
// driver takes a quarter of a second to allocate and free 4 GiB. Small ones are kept too
// (kSmallBuffer).
constexpr std::uint64_t kLargeBuffer = 64 * kMiB;

bool is_foreign(const Kernel& kernel) { return dynamic_cast<const VulkanForeignKernel*>(&kernel) != nullptr; }

double elapsed_since(Clock::time_point begin) { return std::chrono::duration<double, std::nano>(Clock::now() - begin).count(); }

}  // namespace

VulkanDevice::VulkanDevice(std::shared_ptr<const LogicalDevice> device) : device_(std::move(device)) {}

std::shared_ptr<Buffer> VulkanDevice::create(const BufferDesc& desc) {
  check_rules(desc);
  device_->require_runnable("vkAllocateMemory");
  if (desc.is_host_memory) return std::make_shared<VulkanBuffer>(device_, desc.bytes, true);
  // A CPU's memory is shared with everyone.
  const bool kept = (desc.bytes >= kLargeBuffer || desc.bytes <= kSmallBuffer) && info().type == DeviceType::gpu;
  if (kept) {
    if (auto spare = kept_.find(desc.bytes)) return spare;
    if (kept_.bytes() + desc.bytes > info().memory_bytes.value_or(0) / 2) kept_.drop();
  }
  std::shared_ptr<VulkanBuffer> buffer;
  try {
    buffer = std::make_shared<VulkanBuffer>(device_, desc.bytes);
  } catch (const DeviceError& error) {
    if (error.kind != DeviceError::Kind::out_of_memory || kept_.drop() == 0) throw;
    buffer = std::make_shared<VulkanBuffer>(device_, desc.bytes);
  }
  if (kept) kept_.add(buffer);
  return buffer;
}

std::shared_ptr<Image> VulkanDevice::create(const ImageDesc& desc) {
  check_rules(desc, info());
  const auto buffer = std::dynamic_pointer_cast<VulkanBuffer>(desc.buffer);
  require(buffer && &buffer->device() == device_.get(), "an image over a buffer of another device");
  if (desc.width == 0) return std::make_shared<VulkanImage>(device_, desc);
  auto image = std::make_shared<VulkanImage2d>(device_, desc);
  submitter().submit([&](VkCommandBuffer commands) { image->record_upload(commands, *buffer); }, VK_PIPELINE_STAGE_TRANSFER_BIT);
  return image;
}

std::shared_ptr<Kernel> VulkanDevice::create(const KernelDesc& desc) {
  auto kernel = std::make_shared<VulkanKernel>(device_, desc);
  if (!desc.constants.empty() && info().compile_only.empty()) {
    auto constants = std::make_shared<VulkanBuffer>(device_, desc.constants.size());
    const std::scoped_lock lock(writing_constants_);
    write(*constants, 0, desc.constants, HostMemory::pageable);
    kernel->set_constants(std::move(constants));
  }
  return kernel;
}

std::optional<std::uint64_t> VulkanDevice::address(const Buffer& buffer) const {
  return typed<const VulkanBuffer>(buffer).address();
}

std::optional<CodeInfo> VulkanDevice::code(const Kernel& kernel) const {
  if (is_foreign(kernel)) return std::nullopt;
  CodeInfo code = typed<const VulkanKernel>(kernel).code();
  if (!code.subgroup_size && code.statistics.empty()) return std::nullopt;
  return code;
}

std::vector<CodeText> VulkanDevice::code_texts(const Kernel& kernel) const {
  if (is_foreign(kernel)) return {};
  return typed<const VulkanKernel>(kernel).code_texts();
}

std::vector<CodeBinary> VulkanDevice::code_binaries(const Kernel& kernel) const {
  if (is_foreign(kernel)) return {};
  const std::string& cache = typed<const VulkanKernel>(kernel).cache_data();
  if (cache.empty()) return {};
  return {{"pipeline cache", cache}};
}

Timing VulkanDevice::write(Buffer& buffer, std::uint64_t offset, std::span<const std::byte> bytes, HostMemory memory) {
  check_transfer(buffer, offset, bytes.size());
  return transfer(typed<VulkanBuffer>(buffer), offset, bytes.size(), memory, true,
                  [bytes](std::byte* staged, std::uint64_t at, std::uint64_t n) { std::memcpy(staged, bytes.data() + at, n); });
}

Timing VulkanDevice::read(const Buffer& buffer, std::uint64_t offset, std::span<std::byte> bytes, HostMemory memory) {
  check_transfer(buffer, offset, bytes.size());
  return transfer(
      typed<const VulkanBuffer>(buffer), offset, bytes.size(), memory, false,
      [bytes](const std::byte* staged, std::uint64_t at, std::uint64_t n) { std::memcpy(bytes.data() + at, staged, n); });
}

Timing VulkanDevice::exchange(Buffer& to, std::span<const std::byte> in, const Buffer& from, std::span<std::byte> out) {
  check_transfer(to, 0, in.size());
  check_transfer(from, 0, out.size());
  require(in.size() == out.size(), "copies of two sizes");
  const VulkanBuffer& target = typed<VulkanBuffer>(to);
  const VulkanBuffer& source = typed<const VulkanBuffer>(from);
  device_->require_runnable("vkCmdCopyBuffer");
  StagingBuffer& sent = staging(staging_, in.size());
  StagingBuffer& received = staging(received_, in.size());
  Timing total{.host_ns = 0, .device_ns = 0};
  for (std::uint64_t at = 0; at < in.size(); at += sent.bytes()) {
    const std::uint64_t n = std::min(sent.bytes(), in.size() - at);
    std::memcpy(sent.data(), in.data() + at, n);
    mark_stale({received.data(), n});
    const VkBufferCopy there{0, at, n};
    const VkBufferCopy back{at, 0, n};
    const Timing timing = copy_both_ways(
        {[&](VkCommandBuffer commands) { device_->api().vkCmdCopyBuffer(commands, sent.handle(), target.handle(), 1, &there); },
         [&](VkCommandBuffer commands) {
           device_->api().vkCmdCopyBuffer(commands, source.handle(), received.handle(), 1, &back);
         }});
    std::memcpy(out.data() + at, received.data(), n);
    total.host_ns += timing.host_ns;
    if (total.device_ns && timing.device_ns) {
      *total.device_ns += *timing.device_ns;
    } else {
      total.device_ns.reset();
    }
  }
  return total;
}

/// With one queue both lie in one command buffer without a barrier, so that the driver may overlap
/// them.
Timing VulkanDevice::copy_both_ways(const std::array<QueuePair::Work, 2>& copies) {
  const std::vector<DeviceQueue>& queues = device_->copy_queues();
  if (queues.empty()) {
    return submitter().submit(
        [&](VkCommandBuffer commands) {
          for (const QueuePair::Work& copy : copies) copy(commands);
        },
        VK_PIPELINE_STAGE_TRANSFER_BIT);
  }
  if (!copies_) copies_ = std::make_unique<QueuePair>(device_, std::array{queues[0], queues[1]});
  submitter().submit([&](VkCommandBuffer commands) { copies_->reset(commands); }, VK_PIPELINE_STAGE_TRANSFER_BIT);
  return copies_->submit(copies);
}

Timing VulkanDevice::run(const Dispatch& dispatch) {
  require(dispatch.kernel != nullptr, "a dispatch without a kernel");
  const auto& kernel = typed<const VulkanKernel>(*dispatch.kernel);
  device_->require_runnable("vkCmdDispatch");
  return submitter().submit([&](VkCommandBuffer commands) { kernel.record(commands, dispatch); },
                            VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
}

Timing VulkanDevice::launch(const Dispatch& dispatch, const Launches& launches) {
  require(dispatch.kernel != nullptr, "a dispatch without a kernel");
  check_rules(launches);
  device_->require_runnable("vkCmdDispatch");
  const auto barrier = [this](VkCommandBuffer commands) {
    VkMemoryBarrier memory{};
    memory.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
    memory.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
    memory.dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;
    device_->api().vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0,
                                        1, &memory, 0, nullptr, 0, nullptr);
  };
  if (auto* const foreign = dynamic_cast<VulkanForeignKernel*>(dispatch.kernel.get())) {
    require(launches.dependent && !launches.indirect, "launches of another library's work that may overlap");
    return submitter().submit(
        [&](VkCommandBuffer commands) {
          for (std::uint32_t i = 0; i < launches.count; ++i) {
            if (i > 0) barrier(commands);
            foreign->record(commands);
          }
        },
        VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
  }
  const auto& kernel = typed<const VulkanKernel>(*dispatch.kernel);
  const VolkDeviceTable& api = device_->api();
  std::unique_ptr<VulkanBuffer> groups;
  if (launches.indirect) {
    const std::array<std::uint32_t, 3> counts{dispatch.groups, 1, 1};  // VkDispatchIndirectCommand
    groups = std::make_unique<VulkanBuffer>(device_, sizeof(counts));
    write(*groups, 0, std::as_bytes(std::span(counts)), HostMemory::pageable);
  }
  const auto record = [&](VkCommandBuffer commands) {
    kernel.record_state(commands, dispatch);
    for (std::uint32_t i = 0; i < launches.count; ++i) {
      // Work that is submitted alone has no barrier of the submission either.
      if (launches.dependent && (i > 0 || !launches.timed)) barrier(commands);
      groups ? api.vkCmdDispatchIndirect(commands, groups->handle(), 0) : api.vkCmdDispatch(commands, dispatch.groups, 1, 1);
    }
  };
  return launches.timed ? submitter().submit(record, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT) : submitter().submit_alone(record);
}

DeviceQueue VulkanDevice::second_queue(LaunchQueues queues) const {
  const auto unsupported = [](const char* why) {
    return DeviceError(Api::vulkan, DeviceError::Kind::unsupported, "vkGetDeviceQueue", "(not called)", why);
  };
  if (queues == LaunchQueues::unordered) throw unsupported("Vulkan's queues have no order anyway");
  if (queues == LaunchQueues::one) return {device_->family(), device_->queue()};
  const auto& queue = queues == LaunchQueues::two ? device_->second_queue() : device_->queue_of_other_family();
  if (!queue)
    throw unsupported(queues == LaunchQueues::two ? "the driver has one queue for kernels in this family"
                                                  : "the driver has no second family of queues that compute without graphics");
  return *queue;
}

QueuedTiming VulkanDevice::launch_queued(const Dispatch& dispatch, const QueuedLaunches& launches) {
  require(dispatch.kernel != nullptr, "a dispatch without a kernel");
  check_rules(launches);
  device_->require_runnable("vkCmdDispatch");
  const DeviceQueue second = second_queue(launches.queues);
  const auto& kernel = typed<const VulkanKernel>(*dispatch.kernel);
  const std::vector<std::byte> push = kernel.bind(dispatch);
  QueueTurns turns(device_, {DeviceQueue{device_->family(), device_->queue()}, second});
  submitter().submit([&](VkCommandBuffer commands) { turns.reset(commands); }, VK_PIPELINE_STAGE_TRANSFER_BIT);
  return turns.submit(launches.count, launches.waits, [&](VkCommandBuffer commands) {
    kernel.record_bound(commands, push);
    device_->api().vkCmdDispatch(commands, dispatch.groups, 1, 1);
  });
}

/// std::chrono::steady_clock is CLOCK_MONOTONIC on Linux. On Windows it is not a clock that drivers
/// compare.
std::optional<ClockMoment> VulkanDevice::moment() {
  const PFN_vkGetCalibratedTimestampsEXT get = device_->calibrated_timestamps();
  if (get == nullptr) return std::nullopt;
  std::array<VkCalibratedTimestampInfoEXT, 2> clocks{};
  for (auto& clock : clocks) clock.sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT;
  clocks[0].timeDomain = VK_TIME_DOMAIN_DEVICE_EXT;
  clocks[1].timeDomain = VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT;
  std::array<std::uint64_t, 2> times{};
  std::uint64_t error_ns = 0;
  check(get(device_->handle(), 2, clocks.data(), times.data(), &error_ns), "vkGetCalibratedTimestampsEXT");
  return ClockMoment{
      .device_ticks = times[0], .host_ns = static_cast<std::int64_t>(times[1]), .error_ns = static_cast<double>(error_ns)};
}

Submitter& VulkanDevice::submitter() {
  if (!submitter_) submitter_ = std::make_unique<Submitter>(device_);
  return *submitter_;
}

StagingBuffer& VulkanDevice::staging(std::unique_ptr<StagingBuffer>& memory, std::uint64_t bytes) {
  const std::uint64_t wanted = std::min(std::bit_ceil(bytes), kStagingBytes);
  if (!memory || memory->bytes() < wanted) {
    memory.reset();  // first, so that the two never exist together
    memory = std::make_unique<StagingBuffer>(device_, wanted);
  }
  return *memory;
}

template <typename Resource, typename Base>
Resource& VulkanDevice::typed(Base& resource) const {
  auto* const found = dynamic_cast<Resource*>(&resource);
  require(found != nullptr && &found->device() == device_.get(), "a resource of another device");
  return *found;
}

template <typename HostCopy>
Timing VulkanDevice::transfer(const VulkanBuffer& buffer, std::uint64_t offset, std::uint64_t bytes, HostMemory memory,
                              bool to_device, const HostCopy& host_copy) {
  device_->require_runnable("vkCmdCopyBuffer");
  Timing total;
  if (bytes == 0) return total;
  StagingBuffer& staged = staging(staging_, bytes);
  double device_ns = 0;
  bool timed = true;
  const auto copy_on_host = [&](std::uint64_t at, std::uint64_t n) {
    const auto begin = Clock::now();
    host_copy(staged.data(), at, n);
    if (memory == HostMemory::pageable) total.host_ns += elapsed_since(begin);
  };
  for (std::uint64_t at = 0; at < bytes; at += staged.bytes()) {
    const std::uint64_t n = std::min(staged.bytes(), bytes - at);
    if (to_device) {
      copy_on_host(at, n);
    } else {
      mark_stale({staged.data(), n});
    }
    const Timing timing = submitter().submit(
        [&](VkCommandBuffer commands) {
          const VkBufferCopy region = to_device ? VkBufferCopy{0, offset + at, n} : VkBufferCopy{offset + at, 0, n};
          device_->api().vkCmdCopyBuffer(commands, to_device ? staged.handle() : buffer.handle(),
                                         to_device ? buffer.handle() : staged.handle(), 1, &region);
        },
        VK_PIPELINE_STAGE_TRANSFER_BIT);
    if (!to_device) copy_on_host(at, n);
    total.host_ns += timing.host_ns;
    device_ns += timing.device_ns.value_or(0);
    timed = timed && timing.device_ns.has_value();
  }
  if (timed) total.device_ns = device_ns;
  return total;
}

}  // namespace percycle::vulkan

namespace percycle {

std::unique_ptr<Device> open_vulkan(std::uint32_t open_index, std::optional<std::uint32_t> index) {
  auto instance = vulkan::shared_instance();
  const std::vector<VkPhysicalDevice> devices = instance->physical_devices();
  if (open_index >= devices.size()) {
    throw DeviceError(Api::vulkan, DeviceError::Kind::other, "vkEnumeratePhysicalDevices",
                      vulkan::result_name(VK_ERROR_INITIALIZATION_FAILED),
                      fmt::format("there is no device {}, only {} of them", open_index, devices.size()));
  }
  vulkan::PhysicalDevice physical = vulkan::query(devices[open_index]);
  DeviceInfo info = vulkan::describe(physical, open_index);
  renumber(info, index.value_or(open_index));
  auto logical = std::make_shared<const vulkan::LogicalDevice>(std::move(instance), std::move(physical), std::move(info));
  return std::make_unique<vulkan::VulkanDevice>(std::move(logical));
}

}  // namespace percycle
