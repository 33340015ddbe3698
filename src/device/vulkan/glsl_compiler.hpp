#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace percycle::vulkan {

/// A piece of a compute shader's text, with its name in the build log.
struct GlslPiece {
  std::string name;
  std::string_view text;
};

/// GLSL to SPIR-V for a device of `api_version`. Throws DeviceError of kind `build` with glslang's
/// log. The module is not optimised: SPIRV-Tools' passes could unroll or merge timed loads, and
/// drivers run their own optimiser on the same modules that applications pass.
std::vector<std::uint32_t> compile_glsl(std::span<const GlslPiece> pieces, std::uint32_t api_version);

}  // namespace percycle::vulkan
