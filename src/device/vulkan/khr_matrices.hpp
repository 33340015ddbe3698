#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace percycle::vulkan {

/// Specialisation constants with the sizes of matrices in shaders. A matrix whose rows and columns
/// are ROWS and DEPTH is a left factor, DEPTH and COLUMNS a right factor, ROWS and COLUMNS a sum.
inline constexpr std::uint32_t kRowsConstant = 100;
inline constexpr std::uint32_t kColumnsConstant = 101;
inline constexpr std::uint32_t kDepthConstant = 102;

/// The module with SPV_KHR_cooperative_matrix in place of SPV_NV_cooperative_matrix, and with the
/// type of the factors ("bf16", "fp8_e4m3", ...) in place of 16-bit floating-point numbers. glslang
/// 12 has no GLSL for either.
std::vector<std::uint32_t> with_khr_matrices(std::span<const std::uint32_t> module, std::string_view factors);

}  // namespace percycle::vulkan
