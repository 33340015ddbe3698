// volk.h keeps the API's prototypes away: VkFFT calls volk's pointers.
#include "device/vulkan/foreign_kernel.hpp"
#include "device/vulkan/result.hpp"
#include "vkfft/glsl_shader.hpp"
// First, so that the macros below do not change it.
#include <glslang/Include/glslang_c_interface.h>

#define glslang_finalize_process() static_cast<void>(0)
#define glslang_initialize_process() 1
#define glslang_input_t ::percycle::ShaderInput
#define glslang_program_add_shader(program, shader) ((program)->words = (shader)->words)
#define glslang_program_create ::percycle::create_program
#define glslang_program_delete ::percycle::delete_shader
#define glslang_program_get_info_log(program) ((program)->log.c_str())
#define glslang_program_link(program, messages) 1
#define glslang_program_SPIRV_generate(program, stage) static_cast<void>(0)
#define glslang_program_SPIRV_get_messages(program) static_cast<const char*>(nullptr)
#define glslang_program_SPIRV_get_ptr(program) ((program)->words.data())
#define glslang_program_SPIRV_get_size(program) ((program)->words.size())
#define glslang_program_t ::percycle::GlslShader
#define glslang_resource_t ::percycle::ShaderLimits
#define glslang_shader_create ::percycle::create_shader
#define glslang_shader_delete ::percycle::delete_shader
#define glslang_shader_get_info_log(shader) ((shader)->log.c_str())
#define glslang_shader_parse(shader, input) ::percycle::compile_shader(shader)
#define glslang_shader_preprocess(shader, input) 1
#define glslang_shader_t ::percycle::GlslShader

#define VKFFT_BACKEND 0
#include <vkFFT.h>

#include "vkfft/configure.hpp"

namespace percycle {
namespace {

class VulkanPlan final : public vulkan::VulkanForeignKernel {
 public:
  VulkanPlan(const FourierPlan& plan, const vulkan::VulkanHandles& input, const vulkan::VulkanHandles& output)
      : plan_(plan), raw_(input), output_(output.buffer) {
    volkLoadDevice(raw_.device);
    VkCommandPoolCreateInfo pool{};
    pool.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
    pool.queueFamilyIndex = raw_.family;
    vulkan::check(vkCreateCommandPool(raw_.device, &pool, nullptr, &pool_), "vkCreateCommandPool");
    VkFenceCreateInfo fence{};
    fence.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
    VkFFTConfiguration configuration = configuration_of<Api::vulkan>(plan_, bytes_);
    configuration.physicalDevice = &raw_.physical;
    configuration.device = &raw_.device;
    configuration.queue = &raw_.queue;
    configuration.commandPool = &pool_;
    configuration.fence = &fence_;
    configuration.inputBuffer = &raw_.buffer;
    configuration.buffer = &output_;
    const VkResult made = vkCreateFence(raw_.device, &fence, nullptr, &fence_);
    const VkFFTResult planned = made == VK_SUCCESS ? initializeVkFFT(&application_, configuration) : VKFFT_ERROR_INVALID_FENCE;
    if (planned == VKFFT_SUCCESS) return;
    release();
    check_vkfft<Api::vulkan>(planned, "initializeVkFFT");
  }
  VulkanPlan(const VulkanPlan&) = delete;
  VulkanPlan& operator=(const VulkanPlan&) = delete;
  ~VulkanPlan() override {
    deleteVkFFT(&application_);
    release();
  }

  void record(VkCommandBuffer commands) override {
    VkFFTLaunchParams launch{};
    launch.commandBuffer = &commands;
    check_vkfft<Api::vulkan>(VkFFTAppend(&application_, -1, &launch), "VkFFTAppend");
  }

 private:
  void release() const {
    vkDestroyFence(raw_.device, fence_, nullptr);
    vkDestroyCommandPool(raw_.device, pool_, nullptr);
  }

  FourierPlan plan_;
  std::uint64_t bytes_ = 0;
  vulkan::VulkanHandles raw_;
  VkBuffer output_;
  VkCommandPool pool_ = VK_NULL_HANDLE;
  VkFence fence_ = VK_NULL_HANDLE;
  VkFFTApplication application_{};
};

}  // namespace

std::shared_ptr<Kernel> vulkan_plan(const FourierPlan& plan) {
  const auto input = vulkan::raw_buffer(*plan.input);
  const auto output = vulkan::raw_buffer(*plan.output);
  if (!input || !output) return nullptr;
  return std::make_shared<VulkanPlan>(plan, *input, *output);
}

}  // namespace percycle
