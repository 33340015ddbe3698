#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "device/kernel.hpp"

namespace percycle {

/// Kernel pair `contract`, used by no experiment: it uses every kind of binding once.
inline KernelDesc contract_kernel(const std::string& factor = "3u") {
  return {.name = "contract",
          .definitions = {{"MUL", factor}},
          .local_size = 32,
          .bindings = {{"plain"}, {"addressed", BindingKind::address}, {"texels", BindingKind::texel}, {"out"}},
          .parameters = {{"n", ""}, {"add", ""}},
          .constants = std::vector<std::byte>(32),
          .subgroup_size = {}};
}

}  // namespace percycle
