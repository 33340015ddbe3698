#include "device/vulkan/glsl_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "device/kernel_source.hpp"
#include "device/vulkan/glsl_compiler.hpp"
#include "device/vulkan/khr_matrices.hpp"

namespace percycle::vulkan {
namespace {

/// The text before the prelude: version, extensions, macros, LOCAL_SIZE.
std::string glsl_head(const KernelDesc& desc, const DeviceInfo& info, const Features& features) {
  std::string head = "#version 460\n";
  const auto line = [&head]<typename... Arguments>(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(head), text, std::forward<Arguments>(arguments)...);
    head += '\n';
  };
  const auto require = [&line](bool present, const char* extension) {
    if (present) line("#extension {} : require", extension);
  };
  // [[unroll]] and [[dont_unroll]] need no feature of the device.
  require(true, "GL_EXT_control_flow_attributes");
  // Every Vulkan 1.1 device has it in compute.
  require(true, "GL_KHR_shader_subgroup_basic");
  // texelFetch of an image without a sampler needs no feature either.
  require(std::ranges::count(desc.bindings, BindingKind::image2d, &KernelBinding::kind) > 0,
          "GL_EXT_samplerless_texture_functions");
  require(features.subgroup_vote, "GL_KHR_shader_subgroup_vote");
  require(features.subgroup_ballot, "GL_KHR_shader_subgroup_ballot");
  require(features.subgroup_shuffle, "GL_KHR_shader_subgroup_shuffle");
  require(features.subgroup_arithmetic, "GL_KHR_shader_subgroup_arithmetic");
  require(features.fp16, "GL_EXT_shader_explicit_arithmetic_types_float16");
  // glslang 12 has no GLSL for SPV_KHR_integer_dot_product: the shader names the instruction.
  require(features.dot_product, "GL_EXT_spirv_intrinsics");
  // glslang 12 has GLSL for NVIDIA's cooperative matrices only; khr_matrices.hpp renames them.
  const bool has_matrices = !desc.matrix_factors.empty();
  require(has_matrices, "GL_NV_cooperative_matrix");
  require(has_matrices, "GL_NV_integer_cooperative_matrix");
  require(has_matrices, "GL_KHR_memory_scope_semantics");
  const bool has_byte_matrices = desc.matrix_factors == "sint8" || desc.matrix_factors == "uint8";
  require(features.int8 || has_byte_matrices, "GL_EXT_shader_explicit_arithmetic_types_int8");
  require(features.int16, "GL_EXT_shader_explicit_arithmetic_types_int16");
  require(features.scalar_block_layout, "GL_EXT_scalar_block_layout");
  require(features.buffer_device_address, "GL_EXT_buffer_reference");
  require(features.buffer_device_address, "GL_EXT_buffer_reference2");
  require(features.buffer_device_address, "GL_EXT_buffer_reference_uvec2");
  require(features.int64, "GL_EXT_shader_explicit_arithmetic_types_int64");
  require(features.subgroup_clock, "GL_ARB_shader_clock");
  require(features.device_clock, "GL_EXT_shader_realtime_clock");
  require(features.sm_builtins, "GL_NV_shader_sm_builtins");
  require(features.int64_atomics(), "GL_EXT_shader_atomic_int64");
  require(features.float_add(), "GL_EXT_shader_atomic_float");

  for (const auto& [name, value] : desc.definitions) line("#define {} {}", name, value);
  for (const auto& [name, text] : desc.texts) line("#define {} {}", name, text);
  line("#define LOCAL_SIZE {}", desc.local_size);
  line("#define HAS_SUBGROUP_VOTE {}", features.subgroup_vote ? 1 : 0);
  line("#define HAS_UNIT_CLOCK {}", info.unit_clock ? 1 : 0);
  line("#define HAS_DEVICE_CLOCK {}", info.device_clock ? 1 : 0);
  line("#define HAS_DOT_PRODUCT {}", features.dot_product ? 1 : 0);
  line("#define ROWS_CONSTANT {}", kRowsConstant);
  line("#define COLUMNS_CONSTANT {}", kColumnsConstant);
  line("#define DEPTH_CONSTANT {}", kDepthConstant);
  line("#define HAS_INT64 {}", info.int64 ? 1 : 0);
  line("#define HAS_REFERENCE_LINKS {}", features.reference_links ? 1 : 0);
  line("#define HAS_UNIT_ID {}", info.unit_id ? 1 : 0);
  line("#define CONSTANTS_BINDING {}", desc.bindings.size());
  line("layout(local_size_x = LOCAL_SIZE) in;");
  return head;
}

/// The uniform buffers for KernelDesc::constants.
std::string glsl_constants(const KernelDesc& desc) {
  if (desc.constants.empty()) return {};
  if (desc.constant_buffers > 1) {
    return fmt::format(
        "layout(std140, set = 0, binding = CONSTANTS_BINDING) uniform Constants {{ uvec4 words[{}]; }} constants[{}];\n",
        desc.constants.size() / 16 / desc.constant_buffers, desc.constant_buffers);
  }
  return fmt::format("layout(std140, set = 0, binding = CONSTANTS_BINDING) uniform Constants {{ uvec4 constants[{}]; }};\n",
                     desc.constants.size() / 16);
}

/// The addresses and the parameters.
std::string glsl_parameters(const KernelDesc& desc) {
  std::string members;
  for (const auto& [name, kind] : desc.bindings) {
    if (kind == BindingKind::address) members += fmt::format("  uvec2 {};  // address\n", name);
  }
  members += parameter_members(desc.parameters);
  return members.empty() ? members : fmt::format("layout(push_constant) uniform Parameters {{\n{}}} p;\n", members);
}

}  // namespace

std::vector<std::uint32_t> compile_module(const KernelDesc& desc, const std::string& file, std::string_view source,
                                          const DeviceInfo& info, const Features& features, std::uint32_t api_version) {
  const std::string head = glsl_head(desc, info, features);
  const std::string interface = glsl_constants(desc) + glsl_parameters(desc);
  const std::string_view operations = desc.texts.empty() ? std::string_view() : kernel_source("operations.glsl");
  const std::array pieces{GlslPiece{"head", head}, GlslPiece{"prelude.glsl", kernel_source("prelude.glsl")},
                          GlslPiece{"operations.glsl", operations}, GlslPiece{"interface", interface}, GlslPiece{file, source}};
  return compile_glsl(pieces, api_version);
}

std::vector<std::uint32_t> compile_kernel(const KernelDesc& desc, const std::string& file, std::string_view source,
                                          const DeviceInfo& info, const Features& features, std::uint32_t api_version) {
  std::vector<std::uint32_t> module = compile_module(desc, file, source, info, features, api_version);
  return desc.matrix_factors.empty() ? module : with_khr_matrices(module, desc.matrix_factors);
}

}  // namespace percycle::vulkan
