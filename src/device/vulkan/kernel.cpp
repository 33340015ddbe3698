#include "device/vulkan/kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

#include "device/driver_answers.hpp"
#include "device/kernel_source.hpp"
#include "device/rules.hpp"
#include "device/vulkan/executable_statistics.hpp"
#include "device/vulkan/glsl_source.hpp"
#include "device/vulkan/result.hpp"

namespace percycle::vulkan {

namespace {

std::uint32_t push_bytes(const KernelDesc& desc) {
  const auto addresses = std::ranges::count(desc.bindings, BindingKind::address, &KernelBinding::kind);
  return static_cast<std::uint32_t>(addresses) * 8 + count_words(desc.parameters) * 4;
}

VkDescriptorType descriptor_type(BindingKind kind) {
  if (kind == BindingKind::texel) return VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
  if (is_sampled(kind)) return VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
  return kind == BindingKind::image2d ? VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
}

/// A sampler with coordinates from 0 to 1, clamped to the edge.
OwnedSampler create_sampler(const std::shared_ptr<const LogicalDevice>& device, VkFilter filter) {
  VkSamplerCreateInfo create{};
  create.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO;
  create.magFilter = filter;
  create.minFilter = filter;
  create.mipmapMode = VK_SAMPLER_MIPMAP_MODE_NEAREST;
  create.addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  create.addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  create.addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  VkSampler sampler = VK_NULL_HANDLE;
  check_made(device->api().vkCreateSampler(device->handle(), &create, nullptr, &sampler), sampler, "vkCreateSampler", "sampler");
  return {device, sampler};
}

OwnedShaderModule create_module(const std::shared_ptr<const LogicalDevice>& device, const KernelDesc& desc) {
  const std::string file = desc.name + ".comp";
  const std::string_view source = kernel_source(file);
  require(!source.empty(), fmt::format("there is no shader {}", file));
  const PhysicalDevice& physical = device->physical();
  const auto words = compile_kernel(desc, file, source, device->info(), physical.features, physical.api_version);

  VkShaderModuleCreateInfo create{};
  create.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
  create.codeSize = words.size() * sizeof(std::uint32_t);
  create.pCode = words.data();
  VkShaderModule module = VK_NULL_HANDLE;
  check_made(device->api().vkCreateShaderModule(device->handle(), &create, nullptr, &module), module, "vkCreateShaderModule",
             "shader module");
  return {device, module};
}

OwnedPipelineCache create_cache(const std::shared_ptr<const LogicalDevice>& device) {
  VkPipelineCacheCreateInfo create{};
  create.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO;
  VkPipelineCache cache = VK_NULL_HANDLE;
  check_made(device->api().vkCreatePipelineCache(device->handle(), &create, nullptr, &cache), cache, "vkCreatePipelineCache",
             "pipeline cache");
  return {device, cache};
}

/// Empty if the driver does not give it whole: NVK of Mesa 25.0 states a size that leaves out
/// shaders whose text it keeps, then finds no room for them.
std::string data_of(const LogicalDevice& device, VkPipelineCache cache) {
  std::size_t size = 0;
  check(device.api().vkGetPipelineCacheData(device.handle(), cache, &size, nullptr), "vkGetPipelineCacheData");
  check_size(Api::vulkan, "vkGetPipelineCacheData", size);
  std::string data(size, '\0');
  const VkResult result = device.api().vkGetPipelineCacheData(device.handle(), cache, &size, data.data());
  if (result == VK_INCOMPLETE) return {};
  check(result, "vkGetPipelineCacheData");
  data.resize(std::min(size, data.size()));
  return data;
}

/// The buffer or view behind a binding of a kernel on this device.
template <typename Own, typename Resource>
const Own& resource_of(const LogicalDevice* device, const std::shared_ptr<Resource>& resource, std::size_t binding) {
  const auto* const own = dynamic_cast<const Own*>(resource.get());
  require(own != nullptr, fmt::format("binding {}: not a resource of this device of the kernel's kind", binding));
  require(&own->device() == device,
          fmt::format("binding {}: {} of another device", binding, std::is_same_v<Own, VulkanBuffer> ? "a buffer" : "an image"));
  return *own;
}

}  // namespace

VulkanKernel::VulkanKernel(std::shared_ptr<const LogicalDevice> device, const KernelDesc& desc)
    : device_(std::move(device)),
      name_(desc.name),
      bindings_(binding_kinds(desc.bindings)),
      parameters_(desc.parameters),
      push_bytes_(push_bytes(desc)),
      constant_buffers_(desc.constants.empty() ? 0 : desc.constant_buffers),
      keeps_code_(desc.keep_code && device_->physical().features.pipeline_executable_info),
      subgroup_size_(desc.subgroup_size) {
  check_rules(desc, device_->info());
  create_layouts();
  if (has_descriptors()) create_descriptor_set();
  create_pipeline(desc);
}

bool VulkanKernel::has_descriptors() const {
  return constant_buffers_ > 0 || std::ranges::any_of(bindings_, [](BindingKind kind) { return kind != BindingKind::address; });
}

void VulkanKernel::create_layouts() {
  std::vector<VkDescriptorSetLayoutBinding> slots;
  const auto add = [&slots](std::size_t binding, VkDescriptorType type, std::uint32_t count) -> VkDescriptorSetLayoutBinding& {
    return slots.emplace_back(
        VkDescriptorSetLayoutBinding{static_cast<std::uint32_t>(binding), type, count, VK_SHADER_STAGE_COMPUTE_BIT, nullptr});
  };
  if (const auto sampled = std::ranges::find_if(bindings_, is_sampled); sampled != bindings_.end())
    sampler_ = create_sampler(device_, *sampled == BindingKind::linear2d ? VK_FILTER_LINEAR : VK_FILTER_NEAREST);
  const VkSampler sampler = sampler_.get();
  for (std::size_t i = 0; i < bindings_.size(); ++i) {
    if (bindings_[i] == BindingKind::address) continue;
    VkDescriptorSetLayoutBinding& slot = add(i, descriptor_type(bindings_[i]), 1);
    if (is_sampled(bindings_[i])) slot.pImmutableSamplers = &sampler;
  }
  if (constant_buffers_ > 0) add(bindings_.size(), VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, constant_buffers_);

  VkDescriptorSetLayoutCreateInfo set_info{};
  set_info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
  set_info.bindingCount = static_cast<std::uint32_t>(slots.size());
  set_info.pBindings = slots.data();
  VkDescriptorSetLayout set_layout = VK_NULL_HANDLE;
  check_made(device_->api().vkCreateDescriptorSetLayout(device_->handle(), &set_info, nullptr, &set_layout), set_layout,
             "vkCreateDescriptorSetLayout", "descriptor set layout");
  set_layout_ = OwnedSetLayout(device_, set_layout);

  const VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT, 0, push_bytes_};
  VkPipelineLayoutCreateInfo layout_info{};
  layout_info.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
  layout_info.setLayoutCount = 1;
  layout_info.pSetLayouts = &set_layout;
  layout_info.pushConstantRangeCount = push_bytes_ > 0 ? 1 : 0;
  layout_info.pPushConstantRanges = &range;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  check_made(device_->api().vkCreatePipelineLayout(device_->handle(), &layout_info, nullptr, &layout), layout,
             "vkCreatePipelineLayout", "pipeline layout");
  pipeline_layout_ = OwnedPipelineLayout(device_, layout);
}

void VulkanKernel::create_descriptor_set() {
  std::vector<VkDescriptorPoolSize> sizes;
  const auto add = [&sizes](VkDescriptorType type, std::ptrdiff_t count) {
    if (count > 0) sizes.push_back({type, static_cast<std::uint32_t>(count)});
  };
  add(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, std::ranges::count(bindings_, BindingKind::storage));
  add(VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, std::ranges::count(bindings_, BindingKind::texel));
  add(VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, std::ranges::count(bindings_, BindingKind::image2d));
  add(VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, std::ranges::count_if(bindings_, is_sampled));
  add(VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, constant_buffers_);

  VkDescriptorPoolCreateInfo pool_info{};
  pool_info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
  pool_info.maxSets = 1;
  pool_info.poolSizeCount = static_cast<std::uint32_t>(sizes.size());
  pool_info.pPoolSizes = sizes.data();
  VkDescriptorPool pool = VK_NULL_HANDLE;
  check_made(device_->api().vkCreateDescriptorPool(device_->handle(), &pool_info, nullptr, &pool), pool, "vkCreateDescriptorPool",
             "descriptor pool");
  descriptor_pool_ = OwnedDescriptorPool(device_, pool);

  const VkDescriptorSetLayout layout = set_layout_.get();
  VkDescriptorSetAllocateInfo allocate{};
  allocate.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
  allocate.descriptorPool = pool;
  allocate.descriptorSetCount = 1;
  allocate.pSetLayouts = &layout;
  check_made(device_->api().vkAllocateDescriptorSets(device_->handle(), &allocate, &set_), set_, "vkAllocateDescriptorSets",
             "descriptor set");
}

void VulkanKernel::create_pipeline(const KernelDesc& desc) {
  const OwnedShaderModule module = create_module(device_, desc);

  VkComputePipelineCreateInfo create{};
  create.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
  create.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  create.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  create.stage.module = module.get();
  create.stage.pName = "main";
  create.layout = pipeline_layout_.get();

  VkPipelineShaderStageRequiredSubgroupSizeCreateInfo required{};
  if (subgroup_size_) {
    required.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO;
    required.requiredSubgroupSize = *subgroup_size_;
    create.stage.pNext = &required;
  }
  if (device_->physical().features.pipeline_executable_info) create.flags |= VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR;
  if (!desc.optimize) create.flags |= VK_PIPELINE_CREATE_DISABLE_OPTIMIZATION_BIT;
  if (keeps_code_) create.flags |= VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR;
#ifdef VK_EXT_pipeline_robustness
  // The contract of Device excludes accesses out of bounds, so checks would only be timed.
  VkPipelineRobustnessCreateInfoEXT robustness{};
  if (device_->physical().features.pipeline_robustness) {
    robustness.sType = VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO_EXT;
    robustness.storageBuffers = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED_EXT;
    robustness.uniformBuffers = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED_EXT;
    robustness.vertexInputs = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED_EXT;
    robustness.images = VK_PIPELINE_ROBUSTNESS_IMAGE_BEHAVIOR_DISABLED_EXT;
    create.pNext = &robustness;
  }
#endif

  const OwnedPipelineCache cache = desc.keep_code ? create_cache(device_) : OwnedPipelineCache();
  VkPipeline pipeline = VK_NULL_HANDLE;
  const VkResult result = device_->api().vkCreateComputePipelines(device_->handle(), cache.get(), 1, &create, nullptr, &pipeline);
  if (result != VK_SUCCESS) {
    // For any code that a driver's compiler returns, the kernel failed to build.
    const DeviceError::Kind kind = error_kind(result);
    throw DeviceError(Api::vulkan, kind == DeviceError::Kind::other ? DeviceError::Kind::build : kind, "vkCreateComputePipelines",
                      result_name(result), fmt::format("kernel {}: the driver gives no log", desc.name));
  }
  check_made(result, pipeline, "vkCreateComputePipelines", "pipeline");
  pipeline_ = OwnedPipeline(device_, pipeline);
  if (desc.keep_code) cache_data_ = data_of(*device_, cache.get());
}

std::vector<std::byte> VulkanKernel::bind(const Dispatch& dispatch) const {
  check_rules(dispatch, bindings_, device_->info());
  std::vector<std::byte> push;
  const auto append = [&push](const auto& value) {
    const auto bytes = std::as_bytes(std::span(&value, 1));
    push.insert(push.end(), bytes.begin(), bytes.end());
  };
  // Reserved, so that the descriptor writes can point into them.
  std::vector<VkDescriptorBufferInfo> ranges;
  std::vector<VkBufferView> views;
  std::vector<VkDescriptorImageInfo> images;
  std::vector<VkWriteDescriptorSet> writes;
  ranges.reserve(bindings_.size() + constant_buffers_);
  views.reserve(bindings_.size());
  images.reserve(bindings_.size());
  const auto write = [&](std::size_t binding, VkDescriptorType type) -> VkWriteDescriptorSet& {
    VkWriteDescriptorSet& added = writes.emplace_back();
    added.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    added.dstSet = set_;
    added.dstBinding = static_cast<std::uint32_t>(binding);
    added.descriptorCount = 1;
    added.descriptorType = type;
    return added;
  };

  for (std::size_t i = 0; i < bindings_.size(); ++i) {
    const Binding& binding = dispatch.bindings[i];
    if (bindings_[i] == BindingKind::texel) {
      const auto& image = resource_of<VulkanImage>(device_.get(), binding.image, i);
      write(i, descriptor_type(bindings_[i])).pTexelBufferView = &views.emplace_back(image.handle());
      continue;
    }
    if (is_image2d(bindings_[i])) {
      const auto& image = resource_of<VulkanImage2d>(device_.get(), binding.image, i);
      write(i, descriptor_type(bindings_[i])).pImageInfo =
          &images.emplace_back(VkDescriptorImageInfo{VK_NULL_HANDLE, image.handle(), VulkanImage2d::kLayout});
      continue;
    }
    const auto& buffer = resource_of<VulkanBuffer>(device_.get(), binding.buffer, i);
    if (bindings_[i] == BindingKind::address) {
      append(buffer.address().value());
      continue;
    }
    write(i, descriptor_type(bindings_[i])).pBufferInfo =
        &ranges.emplace_back(VkDescriptorBufferInfo{buffer.handle(), 0, VK_WHOLE_SIZE});
  }
  if (constant_buffers_ > 0) {
    VkWriteDescriptorSet& blocks = write(bindings_.size(), VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER);
    blocks.descriptorCount = constant_buffers_;
    blocks.pBufferInfo = ranges.data() + ranges.size();
    const std::uint64_t bytes = constants_->bytes() / constant_buffers_;
    for (std::uint32_t i = 0; i < constant_buffers_; ++i) ranges.push_back({constants_->handle(), i * bytes, bytes});
  }
  if (!writes.empty()) {
    device_->api().vkUpdateDescriptorSets(device_->handle(), static_cast<std::uint32_t>(writes.size()), writes.data(), 0,
                                          nullptr);
  }
  for (const std::uint32_t word : parameter_block(name_, parameters_, dispatch.parameters)) append(word);
  return push;
}

void VulkanKernel::record(VkCommandBuffer commands, const Dispatch& dispatch) const {
  record_state(commands, dispatch);
  device_->api().vkCmdDispatch(commands, dispatch.groups, 1, 1);
}

void VulkanKernel::record_state(VkCommandBuffer commands, const Dispatch& dispatch) const {
  record_bound(commands, bind(dispatch));
}

void VulkanKernel::record_bound(VkCommandBuffer commands, const std::vector<std::byte>& push) const {
  const VolkDeviceTable& api = device_->api();
  api.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_.get());
  if (set_ != VK_NULL_HANDLE) {
    api.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_layout_.get(), 0, 1, &set_, 0, nullptr);
  }
  if (push_bytes_ > 0) {
    api.vkCmdPushConstants(commands, pipeline_layout_.get(), VK_SHADER_STAGE_COMPUTE_BIT, 0, push_bytes_, push.data());
  }
}

CodeInfo VulkanKernel::code() const {
  CodeInfo code;
  if (device_->physical().features.pipeline_executable_info) code = executable_statistics(*device_, pipeline_.get());
  const std::vector<std::uint32_t>& sizes = device_->info().subgroup_sizes;
  if (subgroup_size_) {
    code.subgroup_size = subgroup_size_;
  } else if (!code.subgroup_size && sizes.size() == 1) {
    code.subgroup_size = sizes.front();  // a device of one size has no choice
  }
  return code;
}

std::vector<CodeText> VulkanKernel::code_texts() const {
  if (!keeps_code_) return {};
  return executable_texts(*device_, pipeline_.get());
}

}  // namespace percycle::vulkan
