#include "device/vulkan/submitter.hpp"

#include <array>
#include <chrono>

#include "device/vulkan/result.hpp"
#include "device/vulkan/timestamps.hpp"

namespace percycle::vulkan {

namespace {

using Clock = std::chrono::steady_clock;

// Far beyond any dispatch that percycle plans (0.5 s), with room for software devices under a
// sanitizer or a validation layer.
constexpr std::chrono::seconds kDeadline{120};

/// All earlier work is finished and visible to all later work, transfers and the host included, as
/// Device promises.
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

}  // namespace

Submitter::Submitter(std::shared_ptr<const LogicalDevice> device) : device_(std::move(device)) {
  const VolkDeviceTable& api = device_->api();
  VkCommandPoolCreateInfo pool_info{};
  pool_info.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  pool_info.flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT;
  pool_info.queueFamilyIndex = device_->family();
  VkCommandPool pool = VK_NULL_HANDLE;
  check(api.vkCreateCommandPool(device_->handle(), &pool_info, nullptr, &pool), "vkCreateCommandPool");
  pool_ = OwnedCommandPool(device_, pool);

  VkCommandBufferAllocateInfo allocate{};
  allocate.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
  allocate.commandPool = pool;
  allocate.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  allocate.commandBufferCount = 1;
  check(api.vkAllocateCommandBuffers(device_->handle(), &allocate, &commands_), "vkAllocateCommandBuffers");

  VkFenceCreateInfo fence_info{};
  fence_info.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
  VkFence fence = VK_NULL_HANDLE;
  check(api.vkCreateFence(device_->handle(), &fence_info, nullptr, &fence), "vkCreateFence");
  fence_ = OwnedFence(device_, fence);

  if (!device_->info().timer_period_ns) return;
  VkQueryPoolCreateInfo query_info{};
  query_info.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO;
  query_info.queryType = VK_QUERY_TYPE_TIMESTAMP;
  query_info.queryCount = 2;
  VkQueryPool queries = VK_NULL_HANDLE;
  check(api.vkCreateQueryPool(device_->handle(), &query_info, nullptr, &queries), "vkCreateQueryPool");
  queries_ = OwnedQueryPool(device_, queries);
}

Timing Submitter::submit(const std::function<void(VkCommandBuffer)>& work, VkPipelineStageFlagBits stage) {
  record(work, stage);
  const VkFence fence = fence_.get();
  check(device_->api().vkResetFences(device_->handle(), 1, &fence), "vkResetFences");
  VkSubmitInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  info.commandBufferCount = 1;
  info.pCommandBuffers = &commands_;

  Timing timing;
  const auto begin = Clock::now();
  timing.begin_ns = std::chrono::nanoseconds(begin.time_since_epoch()).count();
  check(device_->api().vkQueueSubmit(device_->queue(), 1, &info, fence), "vkQueueSubmit");
  wait();
  timing.host_ns = std::chrono::duration<double, std::nano>(Clock::now() - begin).count();
  timing.device_ns = device_ns();
  return timing;
}

void Submitter::record(const std::function<void(VkCommandBuffer)>& work, VkPipelineStageFlagBits stage) {
  const VolkDeviceTable& api = device_->api();
  check(api.vkResetCommandPool(device_->handle(), pool_.get(), 0), "vkResetCommandPool");
  VkCommandBufferBeginInfo begin{};
  begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  check(api.vkBeginCommandBuffer(commands_, &begin), "vkBeginCommandBuffer");
  const VkQueryPool queries = queries_.get();
  if (queries != VK_NULL_HANDLE) api.vkCmdResetQueryPool(commands_, queries, 0, 2);
  full_barrier(api, commands_);
  if (queries != VK_NULL_HANDLE) api.vkCmdWriteTimestamp(commands_, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, queries, 0);
  work(commands_);
  if (queries != VK_NULL_HANDLE) api.vkCmdWriteTimestamp(commands_, stage, queries, 1);
  full_barrier(api, commands_);
  check(api.vkEndCommandBuffer(commands_), "vkEndCommandBuffer");
}

void Submitter::wait() const {
  const VkFence fence = fence_.get();
  const auto deadline = Clock::now() + kDeadline;
  // Some drivers treat very long timeouts as none.
  constexpr std::uint64_t kStepNs = 1'000'000'000;
  VkResult result = VK_TIMEOUT;
  while (result == VK_TIMEOUT && Clock::now() < deadline) {
    result = device_->api().vkWaitForFences(device_->handle(), 1, &fence, VK_TRUE, kStepNs);
  }
  if (result == VK_TIMEOUT) throw DeviceError(Api::vulkan, DeviceError::Kind::lost, "vkWaitForFences", result_name(result));
  check(result, "vkWaitForFences");
}

std::optional<double> Submitter::device_ns() const {
  if (queries_.get() == VK_NULL_HANDLE) return std::nullopt;
  // Without VK_QUERY_RESULT_WAIT_BIT: a driver shim never makes results available, and waiting
  // would hang.
  struct Stamp {
    std::uint64_t value = 0;
    std::uint64_t available = 0;
  };
  std::array<Stamp, 2> stamps{};
  const VkResult result =
      device_->api().vkGetQueryPoolResults(device_->handle(), queries_.get(), 0, 2, sizeof(stamps), stamps.data(), sizeof(Stamp),
                                           VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
  if (result != VK_NOT_READY) check(result, "vkGetQueryPoolResults");
  if (result == VK_NOT_READY || stamps[0].available == 0 || stamps[1].available == 0) return std::nullopt;
  const DeviceInfo& info = device_->info();
  return elapsed_ns(stamps[0].value, stamps[1].value, info.timer_valid_bits.value(), info.timer_period_ns.value());
}

}  // namespace percycle::vulkan
