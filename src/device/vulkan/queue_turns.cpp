#include "device/vulkan/queue_turns.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <vector>

#include "device/vulkan/result.hpp"
#include "device/vulkan/submitter.hpp"
#include "device/vulkan/timestamps.hpp"

namespace percycle::vulkan {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint32_t kTurnQueries = 4;

OwnedSemaphore semaphore(const std::shared_ptr<const LogicalDevice>& device) {
  VkSemaphoreCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO;
  VkSemaphore made = VK_NULL_HANDLE;
  check_made(device->api().vkCreateSemaphore(device->handle(), &info, nullptr, &made), made, "vkCreateSemaphore", "semaphore");
  return {device, made};
}

}  // namespace

QueueTurns::QueueTurns(std::shared_ptr<const LogicalDevice> device, const std::array<DeviceQueue, 2>& queues)
    : device_(std::move(device)) {
  for (std::size_t i = 0; i < sides_.size(); ++i)
    sides_[i] = {queues[i].handle, command_pool(device_, queues[i].family), unsignalled_fence(device_)};
  if (device_->info().timer_period_ns) queries_ = timestamp_pool(device_, kTurnQueries);
}

void QueueTurns::reset(VkCommandBuffer commands) const {
  if (queries_.get() != VK_NULL_HANDLE) device_->api().vkCmdResetQueryPool(commands, queries_.get(), 0, kTurnQueries);
}

QueuedTiming QueueTurns::submit(std::uint32_t count, bool waits, const Work& work) {
  const VolkDeviceTable& api = device_->api();
  const bool is_one_queue = sides_[0].queue == sides_[1].queue;
  std::vector<VkCommandBuffer> commands;  // freed with their pools
  std::vector<OwnedSemaphore> ends;
  for (std::uint32_t turn = 0; turn < count; ++turn) {
    commands.push_back(command_buffer(*device_, sides_[turn % 2].pool.get()));
    record(commands.back(), turn, count, waits && is_one_queue && turn > 0, work);
    if (waits && !is_one_queue && turn + 1 < count) ends.push_back(semaphore(device_));
  }
  QueuedTiming timing;
  const auto begin = Clock::now();
  timing.all.begin_ns = std::chrono::nanoseconds(begin.time_since_epoch()).count();
  for (std::uint32_t turn = 0; turn < count; ++turn) {
    constexpr VkPipelineStageFlags kStage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    const VkSemaphore before = turn > 0 && turn <= ends.size() ? ends[turn - 1].get() : VK_NULL_HANDLE;
    const VkSemaphore after = turn < ends.size() ? ends[turn].get() : VK_NULL_HANDLE;
    VkSubmitInfo info{};
    info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
    info.waitSemaphoreCount = before == VK_NULL_HANDLE ? 0 : 1;
    info.pWaitSemaphores = &before;
    info.pWaitDstStageMask = &kStage;
    info.commandBufferCount = 1;
    info.pCommandBuffers = &commands[turn];
    info.signalSemaphoreCount = after == VK_NULL_HANDLE ? 0 : 1;
    info.pSignalSemaphores = &after;
    const TurnQueue& side = sides_[turn % 2];
    const bool is_last_of_side = turn + 2 >= count;
    check(api.vkQueueSubmit(side.queue, 1, &info, is_last_of_side ? side.fence.get() : VK_NULL_HANDLE), "vkQueueSubmit");
  }
  Clock::time_point end = begin;
  for (std::uint32_t i = 0; i < std::min(count, 2u); ++i) end = wait_for(*device_, sides_[i].fence.get());
  timing.all.host_ns = std::chrono::duration<double, std::nano>(end - begin).count();
  put_device_times(timing, count);
  return timing;
}

void QueueTurns::record(VkCommandBuffer commands, std::uint32_t turn, std::uint32_t count, bool barrier, const Work& work) const {
  const VolkDeviceTable& api = device_->api();
  const auto stamp = [&](VkPipelineStageFlagBits stage, std::uint32_t query) {
    if (queries_.get() == VK_NULL_HANDLE) return;
    if (turn == 0) api.vkCmdWriteTimestamp(commands, stage, queries_.get(), query);
    if (turn + 1 == count) api.vkCmdWriteTimestamp(commands, stage, queries_.get(), query + 2);
  };
  begin_commands(*device_, commands);
  if (barrier) full_barrier(api, commands);
  stamp(VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 0);
  work(commands);
  stamp(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 1);
  check(api.vkEndCommandBuffer(commands), "vkEndCommandBuffer");
}

void QueueTurns::put_device_times(QueuedTiming& timing, std::uint32_t count) const {
  if (queries_.get() == VK_NULL_HANDLE) return;
  const auto stamps = read_timestamps<kTurnQueries>(*device_, queries_.get());
  if (!stamps) return;
  const std::uint32_t bits = device_->info().timer_valid_bits.value();
  const double period_ns = device_->info().timer_period_ns.value();
  const auto& [begin, end, last_begin, last_end] = *stamps;
  timing.all.device_ns = longest_ns({begin, last_begin}, {end, last_end}, bits, period_ns);
  const auto first = elapsed_ns(begin, end, bits, period_ns);
  const auto second = elapsed_ns(last_begin, last_end, bits, period_ns);
  if (count == 2 && first && second) timing.each_ns = {*first, *second};
}

}  // namespace percycle::vulkan
