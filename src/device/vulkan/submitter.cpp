#include "device/vulkan/submitter.hpp"

#include <array>
#include <chrono>
#include <thread>

#include "device/vulkan/result.hpp"
#include "device/vulkan/timestamps.hpp"

namespace percycle::vulkan {

namespace {

using Clock = std::chrono::steady_clock;

// Far beyond any dispatch that percycle plans (0.5 s), with room for software devices under a
// sanitizer or a validation layer.
constexpr std::chrono::seconds kDeadline{120};

}  // namespace

void full_barrier(const VolkDeviceTable& api, VkCommandBuffer commands) {
  VkMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  barrier.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;
  barrier.dstAccessMask =
      VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_HOST_READ_BIT | VK_ACCESS_HOST_WRITE_BIT;
  api.vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                           VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, nullptr, 0,
                           nullptr);
}

OwnedCommandPool command_pool(const std::shared_ptr<const LogicalDevice>& device, std::uint32_t family) {
  VkCommandPoolCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  info.flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT;
  info.queueFamilyIndex = family;
  VkCommandPool pool = VK_NULL_HANDLE;
  check_made(device->api().vkCreateCommandPool(device->handle(), &info, nullptr, &pool), pool, "vkCreateCommandPool",
             "command pool");
  return {device, pool};
}

VkCommandBuffer command_buffer(const LogicalDevice& device, VkCommandPool pool) {
  VkCommandBufferAllocateInfo allocate{};
  allocate.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
  allocate.commandPool = pool;
  allocate.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  allocate.commandBufferCount = 1;
  VkCommandBuffer commands = VK_NULL_HANDLE;
  check_made(device.api().vkAllocateCommandBuffers(device.handle(), &allocate, &commands), commands, "vkAllocateCommandBuffers",
             "command buffer");
  return commands;
}

OwnedFence unsignalled_fence(const std::shared_ptr<const LogicalDevice>& device) {
  VkFenceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
  VkFence fence = VK_NULL_HANDLE;
  check_made(device->api().vkCreateFence(device->handle(), &info, nullptr, &fence), fence, "vkCreateFence", "fence");
  return {device, fence};
}

OwnedQueryPool timestamp_pool(const std::shared_ptr<const LogicalDevice>& device, std::uint32_t count) {
  VkQueryPoolCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO;
  info.queryType = VK_QUERY_TYPE_TIMESTAMP;
  info.queryCount = count;
  VkQueryPool queries = VK_NULL_HANDLE;
  check_made(device->api().vkCreateQueryPool(device->handle(), &info, nullptr, &queries), queries, "vkCreateQueryPool",
             "query pool");
  return {device, queries};
}

void begin_commands(const LogicalDevice& device, VkCommandBuffer commands) {
  VkCommandBufferBeginInfo begin{};
  begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  check(device.api().vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
}

std::chrono::steady_clock::time_point wait_for(const LogicalDevice& device, VkFence fence) {
  const auto deadline = Clock::now() + kDeadline;
  // Some drivers treat very long timeouts as none.
  constexpr std::uint64_t kStepNs = 1'000'000'000;
  // A faulty driver's wait may end before the fence is signalled.
  constexpr std::chrono::milliseconds kPause{1};
  do {
    const VkResult waited = device.api().vkWaitForFences(device.handle(), 1, &fence, VK_TRUE, kStepNs);
    const Clock::time_point end = Clock::now();
    if (waited == VK_TIMEOUT) continue;
    check(waited, "vkWaitForFences");
    const VkResult status = device.api().vkGetFenceStatus(device.handle(), fence);
    if (status == VK_SUCCESS) return end;
    if (status != VK_NOT_READY) check(status, "vkGetFenceStatus");
    std::this_thread::sleep_for(kPause);
  } while (Clock::now() < deadline);
  throw DeviceError(Api::vulkan, DeviceError::Kind::lost, "vkWaitForFences", result_name(VK_TIMEOUT));
}

template <std::size_t Count>
std::optional<std::array<std::uint64_t, Count>> read_timestamps(const LogicalDevice& device, VkQueryPool queries) {
  // Without VK_QUERY_RESULT_WAIT_BIT: a driver shim never makes results available, and waiting
  // would hang.
  struct Stamp {
    std::uint64_t value = 0;
    std::uint64_t available = 0;
  };
  std::array<Stamp, Count> stamps{};
  const VkResult result =
      device.api().vkGetQueryPoolResults(device.handle(), queries, 0, Count, sizeof(stamps), stamps.data(), sizeof(Stamp),
                                         VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
  if (result == VK_NOT_READY) return std::nullopt;
  check(result, "vkGetQueryPoolResults");
  std::array<std::uint64_t, Count> values{};
  for (std::size_t i = 0; i < Count; ++i) {
    if (stamps[i].available == 0) return std::nullopt;
    values[i] = stamps[i].value;
  }
  return values;
}

template std::optional<std::array<std::uint64_t, 2>> read_timestamps(const LogicalDevice&, VkQueryPool);
template std::optional<std::array<std::uint64_t, 4>> read_timestamps(const LogicalDevice&, VkQueryPool);

Submitter::Submitter(std::shared_ptr<const LogicalDevice> device)
    : device_(std::move(device)),
      pool_(command_pool(device_, device_->family())),
      commands_(command_buffer(*device_, pool_.get())),
      fence_(unsignalled_fence(device_)) {
  if (device_->info().timer_period_ns) queries_ = timestamp_pool(device_, 2);
}

Timing Submitter::submit(const std::function<void(VkCommandBuffer)>& work, VkPipelineStageFlagBits stage) {
  const VolkDeviceTable& api = device_->api();
  const VkQueryPool queries = queries_.get();
  Timing timing = submit_alone([&](VkCommandBuffer commands) {
    if (queries != VK_NULL_HANDLE) api.vkCmdResetQueryPool(commands, queries, 0, 2);
    full_barrier(api, commands);
    if (queries != VK_NULL_HANDLE) api.vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, queries, 0);
    work(commands);
    if (queries != VK_NULL_HANDLE) api.vkCmdWriteTimestamp(commands, stage, queries, 1);
    full_barrier(api, commands);
  });
  timing.device_ns = device_ns();
  return timing;
}

Timing Submitter::submit_alone(const std::function<void(VkCommandBuffer)>& work) {
  const VolkDeviceTable& api = device_->api();
  check(api.vkResetCommandPool(device_->handle(), pool_.get(), 0), "vkResetCommandPool");
  begin_commands(*device_, commands_);
  work(commands_);
  check(api.vkEndCommandBuffer(commands_), "vkEndCommandBuffer");
  const VkFence fence = fence_.get();
  check(api.vkResetFences(device_->handle(), 1, &fence), "vkResetFences");
  VkSubmitInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  info.commandBufferCount = 1;
  info.pCommandBuffers = &commands_;

  Timing timing;
  const auto begin = Clock::now();
  timing.begin_ns = std::chrono::nanoseconds(begin.time_since_epoch()).count();
  check(api.vkQueueSubmit(device_->queue(), 1, &info, fence), "vkQueueSubmit");
  const Clock::time_point end = wait_for(*device_, fence);
  timing.host_ns = std::chrono::duration<double, std::nano>(end - begin).count();
  return timing;
}

std::optional<double> Submitter::device_ns() const {
  if (queries_.get() == VK_NULL_HANDLE) return std::nullopt;
  const auto stamps = read_timestamps<2>(*device_, queries_.get());
  if (!stamps) return std::nullopt;
  const DeviceInfo& info = device_->info();
  return elapsed_ns((*stamps)[0], (*stamps)[1], info.timer_valid_bits.value(), info.timer_period_ns.value());
}

}  // namespace percycle::vulkan
