#pragma once

#include <volk.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "device/error.hpp"
#include "device/vulkan/glsl_compiler.hpp"

// Debian's VkFFT fills structures of glslang's interface for C in the order of an older glslang.
// percycle's own compiler stands in for it, for the one source that includes vkFFT.h.

namespace percycle {

inline constexpr std::size_t kShaderLimits = 93;
inline constexpr std::size_t kLoopLimits = 9;

/// The compiler has fixed limits.
struct ShaderLimits {
  int numbers[kShaderLimits];
  int loops[kLoopLimits];
};

/// In VkFFT's order; only the code counts.
struct ShaderInput {
  int language;
  int stage;
  int client;
  int client_version;
  int target;
  int target_version;
  const char* code;
  int version;
  int profile;
  int force_version;
  int forward_compatible;
  int messages;
  const ShaderLimits* limits;
};

/// A shader, and the program that it alone makes.
struct GlslShader {
  std::string code{};
  std::vector<std::uint32_t> words{};
  std::string log{};
};

inline GlslShader* create_shader(const ShaderInput* input) { return new GlslShader{.code = input->code}; }
inline GlslShader* create_program() { return new GlslShader; }
inline void delete_shader(const GlslShader* shader) { delete shader; }

inline int compile_shader(GlslShader* shader) {
  try {
    const std::array<vulkan::GlslPiece, 1> pieces{{{"VkFFT", shader->code}}};
    shader->words = vulkan::compile_glsl(pieces, VK_API_VERSION_1_1);
    return 1;
  } catch (const DeviceError& error) {
    shader->log = error.what();
    return 0;
  }
}

}  // namespace percycle
