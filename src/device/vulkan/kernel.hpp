#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "device/vulkan/logical_device.hpp"
#include "device/vulkan/memory.hpp"

namespace percycle::vulkan {

/// A compute pipeline with its layout and one descriptor set for all its dispatches. Each dispatch
/// is waited for, so the set is never in use when it is written.
class VulkanKernel final : public Kernel {
 public:
  /// Throws std::invalid_argument for a description beyond the device's limits, DeviceError of kind
  /// build with the log.
  VulkanKernel(std::shared_ptr<const LogicalDevice> device, const KernelDesc& desc);

  /// Gives the kernel the buffer that holds KernelDesc::constants.
  void set_constants(std::shared_ptr<const VulkanBuffer> constants) { constants_ = std::move(constants); }

  /// Records the launch. Throws std::invalid_argument for a dispatch that does not fit the kernel
  /// or the device.
  void record(VkCommandBuffer commands, const Dispatch& dispatch) const;
  /// The same without the launch itself: the caller records one or several.
  void record_state(VkCommandBuffer commands, const Dispatch& dispatch) const;
  /// The parts of record_state(): binds the resources, once for all command buffers that run before
  /// the next call, and records what is bound.
  std::vector<std::byte> bind(const Dispatch& dispatch) const;
  void record_bound(VkCommandBuffer commands, const std::vector<std::byte>& push) const;

  CodeInfo code() const;
  std::vector<CodeText> code_texts() const;
  /// The data of a pipeline cache used for this kernel alone; empty without KernelDesc::keep_code.
  const std::string& cache_data() const { return cache_data_; }
  const LogicalDevice& device() const { return *device_; }

 private:
  void create_layouts();
  void create_descriptor_set();
  void create_pipeline(const KernelDesc& desc);
  bool has_descriptors() const;

  std::shared_ptr<const LogicalDevice> device_;
  std::string name_;
  std::vector<BindingKind> bindings_;
  std::vector<KernelParameter> parameters_;
  std::uint32_t push_bytes_;
  std::uint32_t constant_buffers_;  ///< 0: the kernel has no constants
  bool keeps_code_;
  std::optional<std::uint32_t> subgroup_size_;
  std::shared_ptr<const VulkanBuffer> constants_;
  OwnedSampler sampler_;  ///< of all bindings that need one
  OwnedSetLayout set_layout_;
  OwnedPipelineLayout pipeline_layout_;
  OwnedDescriptorPool descriptor_pool_;
  /// Freed with its pool; null if the kernel has no descriptors.
  VkDescriptorSet set_ = VK_NULL_HANDLE;
  OwnedPipeline pipeline_;
  std::string cache_data_;
};

}  // namespace percycle::vulkan
