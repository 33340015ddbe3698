#include "device/vulkan/queue_pair.hpp"

#include <chrono>
#include <utility>

#include "device/vulkan/result.hpp"
#include "device/vulkan/submitter.hpp"
#include "device/vulkan/timestamps.hpp"

namespace percycle::vulkan {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint32_t kQueries = 4;

}  // namespace

QueuePair::QueuePair(std::shared_ptr<const LogicalDevice> device, const std::array<DeviceQueue, 2>& queues)
    : device_(std::move(device)), sides_{side_of(queues[0]), side_of(queues[1])} {
  if (!device_->info().timer_period_ns) return;
  queries_ = timestamp_pool(device_, kQueries);
}

QueuePair::QueueSide QueuePair::side_of(const DeviceQueue& queue) const {
  QueueSide side{.queue = queue.handle};
  side.pool = command_pool(device_, queue.family);
  side.commands = command_buffer(*device_, side.pool.get());
  side.fence = unsignalled_fence(device_);
  return side;
}

void QueuePair::reset(VkCommandBuffer commands) const {
  if (queries_.get() != VK_NULL_HANDLE) device_->api().vkCmdResetQueryPool(commands, queries_.get(), 0, kQueries);
}

Timing QueuePair::submit(const std::array<Work, 2>& copies) {
  const VolkDeviceTable& api = device_->api();
  for (std::uint32_t i = 0; i < sides_.size(); ++i) {
    record(sides_[i], 2 * i, copies[i]);
    const VkFence fence = sides_[i].fence.get();
    check(api.vkResetFences(device_->handle(), 1, &fence), "vkResetFences");
  }
  Timing timing;
  const auto begin = Clock::now();
  timing.begin_ns = std::chrono::nanoseconds(begin.time_since_epoch()).count();
  for (const QueueSide& side : sides_) {
    VkSubmitInfo info{};
    info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
    info.commandBufferCount = 1;
    info.pCommandBuffers = &side.commands;
    check(api.vkQueueSubmit(side.queue, 1, &info, side.fence.get()), "vkQueueSubmit");
  }
  Clock::time_point end = begin;
  for (const QueueSide& side : sides_) end = wait_for(*device_, side.fence.get());
  timing.host_ns = std::chrono::duration<double, std::nano>(end - begin).count();
  timing.device_ns = device_ns();
  return timing;
}

void QueuePair::record(const QueueSide& side, std::uint32_t first_query, const Work& copy) const {
  const VolkDeviceTable& api = device_->api();
  const VkQueryPool queries = queries_.get();
  const auto stamp = [&](VkPipelineStageFlagBits stage, std::uint32_t query) {
    if (queries != VK_NULL_HANDLE) api.vkCmdWriteTimestamp(side.commands, stage, queries, query);
  };
  check(api.vkResetCommandPool(device_->handle(), side.pool.get(), 0), "vkResetCommandPool");
  begin_commands(*device_, side.commands);
  full_barrier(api, side.commands);
  stamp(VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, first_query);
  copy(side.commands);
  stamp(VK_PIPELINE_STAGE_TRANSFER_BIT, first_query + 1);
  full_barrier(api, side.commands);
  check(api.vkEndCommandBuffer(side.commands), "vkEndCommandBuffer");
}

std::optional<double> QueuePair::device_ns() const {
  if (queries_.get() == VK_NULL_HANDLE) return std::nullopt;
  const auto stamps = read_timestamps<kQueries>(*device_, queries_.get());
  if (!stamps) return std::nullopt;
  const DeviceInfo& info = device_->info();
  return longest_ns({(*stamps)[0], (*stamps)[2]}, {(*stamps)[1], (*stamps)[3]}, info.timer_valid_bits.value(),
                    info.timer_period_ns.value());
}

}  // namespace percycle::vulkan
