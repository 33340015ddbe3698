#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "device/kernel.hpp"

namespace percycle {

inline constexpr std::uint32_t kPlaneWidth = 8;  ///< of the image of two dimensions

/// Kernel pair `contract`, used by no experiment: it uses every kind of binding once.
inline KernelDesc contract_kernel(const std::string& factor = "3u") {
  return {.name = "contract",
          .definitions = {{"MUL", factor}, {"PLANE_WIDTH", std::to_string(kPlaneWidth)}},
          .local_size = 32,
          .bindings = {{"plain"},
                       {"addressed", BindingKind::address},
                       {"texels", BindingKind::texel},
                       {"out"},
                       {"plane", BindingKind::image2d}},
          .parameters = {{"n", ""}, {"add", ""}},
          .constants = std::vector<std::byte>(32),
          .subgroup_size = {}};
}

}  // namespace percycle
