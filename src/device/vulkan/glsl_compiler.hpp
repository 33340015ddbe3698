#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace percycle::vulkan {

/// One piece of a compute shader's text, by the name under which the build log speaks of it.
struct GlslPiece {
  std::string name;
  std::string_view text;
};

/// GLSL to SPIR-V for a device of `api_version`. Throws DeviceError of kind `build` with glslang's log.
///
/// The module is not optimised here: every driver runs its own optimiser over it, so that SPIRV-Tools' passes could change what
/// is timed (unrolled or merged loads) but not what a user's application, which hands over such modules as they are, would get.
std::vector<std::uint32_t> compile_glsl(std::span<const GlslPiece> pieces, std::uint32_t api_version);

}  // namespace percycle::vulkan
